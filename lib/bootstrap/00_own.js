// natives: runtime
// Before everything else: what lib/ keeps for itself. A program may replace or delete its globals and the methods behind them
// (fake timers, polyfills, zones, a hardened realm); the files of lib/ find these under the usual names in their scope instead
// (kOwnNames in src/runtime/embedded.h). tools/check_lib keeps files from using anything else.
//
// Map, Set, WeakMap, WeakSet, WeakRef, FinalizationRegistry: subclasses with methods of their own. Object, Math, JSON, Reflect,
// Promise, Array: copies of the functions, over the same prototypes. `program` has the classes that programs know, for what is
// handed to them. Bootstrap files add process and the timers as they make them.
'use strict';

const { Array: ProgramArray, Map: ProgramMap, Set: ProgramSet, Object: ProgramObject, Promise: ProgramPromise } = globalThis;
const { create, defineProperty, freeze } = ProgramObject;
const { apply, defineProperty: defineOwn, getOwnPropertyDescriptor, getPrototypeOf, ownKeys, setPrototypeOf } = Reflect;
const { isArray } = ProgramArray;
const { isView } = ArrayBuffer;
const { copyOwn } = native('runtime');
const { iterator } = Symbol;

// How the language walks what can be iterated: the method that begins, and the `next` of what it returns.
function walkOf(sample) {
  const open = sample[iterator];
  const Iterator = getPrototypeOf(sample[iterator]());
  let Prototype = ProgramObject(sample);
  while (getOwnPropertyDescriptor(Prototype, iterator) === undefined) Prototype = getPrototypeOf(Prototype);
  return { Prototype, open, Iterator, next: Iterator.next };
}
const arrays = walkOf([]);
const maps = walkOf(new ProgramMap());
const sets = walkOf(new ProgramSet());
const views = walkOf(new Uint8Array());
const texts = walkOf('');

// Straight-line reads of constant places: compiled code has nothing left of them.
function isUntouched() {
  return arrays.Prototype[iterator] === arrays.open && arrays.Iterator.next === arrays.next &&
    maps.Prototype[iterator] === maps.open && maps.Iterator.next === maps.next &&
    sets.Prototype[iterator] === sets.open && sets.Iterator.next === sets.next &&
    texts.Prototype[iterator] === texts.open && texts.Iterator.next === texts.next && views.Prototype[iterator] === views.open;
}

// An iterable over nothing but functions of our own.
const walking = (next) => ({ __proto__: null, [iterator]: () => ({ __proto__: null, next }) });

function overArray(list) {
  let i = 0;
  return walking(() => (i < list.length ? { done: false, value: list[i++] } : { done: true, value: undefined }));
}

function isOf(walk, value) {
  if (walk === texts) return typeof value === 'string';
  if (walk === views) return isView(value);
  try {
    return apply(walk.size, value, []) >= 0;
  } catch {
    return false;
  }
}
maps.size = getOwnPropertyDescriptor(maps.Prototype, 'size').get;
sets.size = getOwnPropertyDescriptor(sets.Prototype, 'size').get;
const others = [texts, views, maps, sets];

function over(value) {
  if (isArray(value)) return value[iterator] === arrays.Prototype[iterator] ? overArray(value) : value;
  for (let i = 0; i < others.length; i++) {
    const walk = others[i];
    if (!isOf(walk, value)) continue;
    const opened = apply(walk.open, value, []);
    return walking(() => apply(walk.next, opened, []));
  }
  const prototype = typeof value === 'object' && value !== null ? getPrototypeOf(value) : null;
  const walk = prototype === null ? undefined : [arrays, maps, sets, texts].find((known) => known.Iterator === prototype);
  return walk === undefined ? value : walking(() => apply(walk.next, value, []));
}

// `value` for a for-of, a spread or an array pattern: itself, unless the program changed how such values are walked.
function each(value) { return isUntouched() ? value : over(value); }

// The same for what is taken apart by an array pattern at every step.
function eachEntry(value) {
  if (isUntouched()) return value;
  const opened = over(value)[iterator]();
  return walking(() => {
    const step = opened.next();
    return step.done ? step : { done: false, value: over(step.value) };
  });
}

// A subclass whose instances have the methods the class had at the start.
function ownClass(Class, takesItems) {
  const Own = takesItems ? class extends Class { constructor(items) { super(items === undefined ? items : each(items)); } } :
    class extends Class { constructor(first) { super(first); } };
  copyOwn(Class.prototype, Own.prototype);
  setPrototypeOf(Own.prototype, null);
  freeze(Own.prototype);
  return Own;
}

// `target` with the functions and values that `source` has now.
function copied(source, target) {
  copyOwn(source, target);
  if (source.prototype !== undefined) defineProperty(target, 'prototype', { __proto__: null, value: source.prototype });
  return target;
}

const { then } = ProgramPromise.prototype;
const resolved = ProgramPromise.resolve.bind(ProgramPromise);
function promiseThen(promise, onFulfilled, onRejected) { return apply(then, promise, [onFulfilled, onRejected]); }
// As the standard's finally, turn by turn, except that no promise is adopted: that would ask the program's then.
function promiseFinally(promise, onFinally) {
  return new ProgramPromise((resolve, reject) => {
    const after = (settle) => (value) => {
      try {
        promiseThen(promiseThen(resolved(onFinally()), () => value), settle, reject);
      } catch (error) {
        reject(error);
      }
    };
    promiseThen(promise, after(resolve), after(reject));
  });
}

function OwnPromise(executor) { return new ProgramPromise(executor); }
copied(ProgramPromise, OwnPromise);
// They ask for the class as their `this`.
for (let i = 0, names = ownKeys(ProgramPromise); i < names.length; i++) {
  const { value } = getOwnPropertyDescriptor(ProgramPromise, names[i]);
  if (typeof value === 'function') OwnPromise[names[i]] = value.bind(ProgramPromise);
}
// The language's own ask the program's resolve and then for every element.
OwnPromise.all = (list) => new ProgramPromise((resolve, reject) => {
  const values = [];
  let left = list.length;
  if (left === 0) resolve(values);
  for (let i = 0; i < list.length; i++) {
    promiseThen(resolved(list[i]), (value) => {
      values[i] = value;
      if (--left === 0) resolve(values);
    }, reject);
  }
});
OwnPromise.race = (list) => new ProgramPromise((resolve, reject) => {
  for (let i = 0; i < list.length; i++) promiseThen(resolved(list[i]), resolve, reject);
});

function OwnArray(length) {
  return arguments.length === 1 ? new ProgramArray(length) : apply(ProgramArray, undefined, arguments);
}
function OwnObject(value) { return ProgramObject(value); }

// What regular expressions are made of, for the report of an uncaught error, which comes after all that a program may have done to them.
const { prototype: expressions } = RegExp;
const expressionParts = ProgramObject.getOwnPropertyDescriptors(expressions);
function mendExpressions() {
  const keys = ownKeys(expressionParts);
  for (let i = 0; i < keys.length; i++) {
    const found = getOwnPropertyDescriptor(expressions, keys[i]);
    const part = expressionParts[keys[i]];
    // Left alone where nothing is changed: the engine runs expressions faster then.
    if (found?.value !== part.value || found?.get !== part.get) defineOwn(expressions, keys[i], part);
  }
}

function process() {}  // gives the prototype its constructor's name

module.exports = {
  each, eachEntry, promiseFinally, promiseThen,
  program: freeze({
    __proto__: null, Array, Map, Math, Object, Promise, Set, WeakMap, WeakSet, BigInt64Array, BigUint64Array, DataView,
    Float16Array: globalThis.Float16Array, Float32Array, Float64Array, Int16Array, Int32Array, Int8Array, Uint16Array, Uint32Array,
    Uint8Array, Uint8ClampedArray, mendExpressions,
  }),
  process: create(process.prototype),
  Array: copied(ProgramArray, OwnArray),
  FinalizationRegistry: ownClass(FinalizationRegistry, false),
  JSON: copied(JSON, create(null)),
  Map: ownClass(ProgramMap, true),
  Math: copied(Math, create(null)),
  Object: copied(ProgramObject, OwnObject),
  Promise: OwnPromise,
  Reflect: copied(Reflect, create(null)),
  Set: ownClass(ProgramSet, true),
  WeakMap: ownClass(WeakMap, true),
  WeakRef: ownClass(WeakRef, false),
  WeakSet: ownClass(WeakSet, true),
};
