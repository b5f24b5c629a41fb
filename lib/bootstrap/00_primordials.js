// natives: runtime
// Before everything else: what lib/ keeps for itself. A program may replace or delete its globals and the methods behind them
// (fake timers, polyfills, zones, a hardened realm); the files of lib/ find these under the usual names in their scope instead
// (src/runtime/primordials.h). tools/check_lib keeps files from using anything else.
//
// Map, Set, WeakMap, WeakSet, WeakRef, FinalizationRegistry: subclasses with methods of their own. Object, Math, JSON, Reflect,
// Promise, Array, Number, String, Symbol, Date, ArrayBuffer, Atomics: copies of the functions, over the same prototypes. Methods of
// arrays, strings, regular expressions, ... are copies made in C++ (kPrimordialMethods): arrayPush.call(list, item). call0 to call4 call
// functions that may be anyone's. `program` has the classes that programs know, for what is handed to them. Bootstrap files add
// process and the timers as they make them.
'use strict';

const {
  Array: ProgramArray,
  ArrayBuffer: ProgramArrayBuffer,
  Date: ProgramDate,
  Map: ProgramMap,
  Number: ProgramNumber,
  Object: ProgramObject,
  Promise: ProgramPromise,
  Set: ProgramSet,
  String: ProgramString,
  Symbol: ProgramSymbol,
} = globalThis;
const { create, defineProperty, freeze } = ProgramObject;
const { apply, getOwnPropertyDescriptor, getPrototypeOf, ownKeys, setPrototypeOf } = Reflect;
const { isArray } = ProgramArray;
const { isView } = ArrayBuffer;
const { areRegExpsUntouched, captureStackTrace, copyOwn, defineOwnProperty } = native('runtime');
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
const Iterators = getPrototypeOf(arrays.Iterator);
const openIterator = Iterators[iterator];

// Straight-line reads of constant places: compiled code has nothing left of them.
function isUntouched() {
  return (
    arrays.Prototype[iterator] === arrays.open &&
    arrays.Iterator.next === arrays.next &&
    maps.Prototype[iterator] === maps.open &&
    maps.Iterator.next === maps.next &&
    sets.Prototype[iterator] === sets.open &&
    sets.Iterator.next === sets.next &&
    texts.Prototype[iterator] === texts.open &&
    texts.Iterator.next === texts.next &&
    views.Prototype[iterator] === views.open &&
    Iterators[iterator] === openIterator
  );
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
const iterators = [arrays, maps, sets, texts];

function over(value) {
  if (isArray(value)) return value[iterator] === arrays.Prototype[iterator] ? overArray(value) : value;
  for (let i = 0; i < others.length; i++) {
    const walk = others[i];
    if (!isOf(walk, value)) continue;
    const opened = apply(walk.open, value, []);
    return walking(() => apply(walk.next, opened, []));
  }
  const prototype = typeof value === 'object' && value !== null ? getPrototypeOf(value) : null;
  for (let i = 0; i < iterators.length; i++) {
    const walk = iterators[i];
    if (walk.Iterator === prototype) return walking(() => apply(walk.next, value, []));
  }
  return value;
}

// `value` for a for-of, a spread or an array pattern: itself, unless the program changed how such values are walked.
function each(value) {
  return isUntouched() ? value : over(value);
}

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
  const Own = takesItems
    ? class extends Class {
        constructor(items) {
          super(items === undefined ? items : each(items));
        }
      }
    : class extends Class {
        constructor(first) {
          super(first);
        }
      };
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
function promiseThen(promise, onFulfilled, onRejected) {
  return apply(then, promise, [onFulfilled, onRejected]);
}
// As the standard's finally, turn by turn, except that no promise is adopted: that would ask the program's then.
function promiseFinally(promise, onFinally) {
  return new ProgramPromise((resolve, reject) => {
    const after = (settle) => (value) => {
      try {
        promiseThen(
          promiseThen(resolved(onFinally()), () => value),
          settle,
          reject,
        );
      } catch (error) {
        reject(error);
      }
    };
    promiseThen(promise, after(resolve), after(reject));
  });
}

function OwnPromise(executor) {
  return new ProgramPromise(executor);
}
copied(ProgramPromise, OwnPromise);
// They ask for the class as their `this`.
for (let i = 0, names = ownKeys(ProgramPromise); i < names.length; i++) {
  const { value } = getOwnPropertyDescriptor(ProgramPromise, names[i]);
  if (typeof value === 'function') OwnPromise[names[i]] = value.bind(ProgramPromise);
}
// The language's own ask the program's resolve and then for every element.
OwnPromise.all = (list) =>
  new ProgramPromise((resolve, reject) => {
    const values = [];
    let left = list.length;
    if (left === 0) resolve(values);
    for (let i = 0; i < list.length; i++) {
      promiseThen(
        resolved(list[i]),
        (value) => {
          values[i] = value;
          if (--left === 0) resolve(values);
        },
        reject,
      );
    }
  });
OwnPromise.race = (list) =>
  new ProgramPromise((resolve, reject) => {
    for (let i = 0; i < list.length; i++) promiseThen(resolved(list[i]), resolve, reject);
  });

// f.call(self, ...) for a function that may be a program's: `call` is asked for by name, since that compiles to a plain call, and not
// trusted.
const { call } = Function.prototype;
function call0(f, self) {
  return f.call === call ? f.call(self) : apply(f, self, []);
}
function call1(f, self, a) {
  return f.call === call ? f.call(self, a) : apply(f, self, [a]);
}
function call2(f, self, a, b) {
  return f.call === call ? f.call(self, a, b) : apply(f, self, [a, b]);
}
function call3(f, self, a, b, c) {
  return f.call === call ? f.call(self, a, b, c) : apply(f, self, [a, b, c]);
}
function call4(f, self, a, b, c, d) {
  return f.call === call ? f.call(self, a, b, c, d) : apply(f, self, [a, b, c, d]);
}

function OwnArray(length) {
  return arguments.length === 1 ? new ProgramArray(length) : apply(ProgramArray, undefined, arguments);
}
// Called with new or without as lib/ calls the originals; what they make is the program's.
function OwnArrayBuffer(length, options) {
  return new ProgramArrayBuffer(length, options);
}
function OwnDate(value) {
  return arguments.length === 0 ? new ProgramDate() : new ProgramDate(value);
}
function OwnNumber(value) {
  return ProgramNumber(value);
}
function OwnString(value) {
  return ProgramString(value);
}
function OwnSymbol(description) {
  return ProgramSymbol(description);
}

function OwnObject(value) {
  return ProgramObject(value);
}
copied(ProgramObject, OwnObject);
// Descriptors of lib/ mean what is written in them: what a program puts into Object.prototype (`get`, `writable`, ...) is not theirs.
OwnObject.defineProperty = (object, key, descriptor) => {
  defineOwnProperty(object, key, descriptor, true);
  return object;
};
OwnObject.defineProperties = (object, descriptors) => {
  for (let i = 0, keys = ownKeys(descriptors); i < keys.length; i++) defineOwnProperty(object, keys[i], descriptors[keys[i]], true);
  return object;
};
OwnObject.create = (prototype, descriptors) => {
  const object = create(prototype);
  return descriptors === undefined ? object : OwnObject.defineProperties(object, descriptors);
};
const OwnReflect = copied(Reflect, create(null));
OwnReflect.defineProperty = (object, key, descriptor) => defineOwnProperty(object, key, descriptor, false);

// text.replace(regexp, by): the language's method asks the expression for `exec` and `flags`, which a program may have replaced.
function replaceMatches(text, regexp, by) {
  return areRegExpsUntouched() ? stringReplace.call(text, regexp, by) : replaceEach(text, regexp, by);
}

const globalOf = getOwnPropertyDescriptor(RegExp.prototype, 'global').get;
function replaceEach(text, regexp, by) {
  const isGlobal = apply(globalOf, regexp, []);
  let result = '';
  let end = 0;
  regexp.lastIndex = 0;
  for (let found; (found = regexpExec.call(regexp, text)) !== null; ) {
    result += stringSlice.call(text, end, found.index);
    result += typeof by === 'function' ? by(...each(found), found.index, text) : expand(by, found);
    end = found.index + found[0].length;
    if (!isGlobal) break;
    if (found[0] === '') regexp.lastIndex++;
  }
  regexp.lastIndex = 0;
  return result + stringSlice.call(text, end);
}

// $1 to $9, $& and $$ of a replacement.
function expand(by, found) {
  let text = '';
  for (let i = 0; i < by.length; i++) {
    const next = by[i] === '$' ? by[i + 1] : undefined;
    const part =
      next === '$' ? '$' : next === '&' ? found[0] : next >= '1' && next <= '9' && next < found.length ? (found[next] ?? '') : undefined;
    if (part === undefined) {
      text += by[i];
      continue;
    }
    text += part;
    i++;
  }
  return text;
}

// Methods of regular expressions, for the report of an uncaught error, which comes after all that a program may have done to them.
const { prototype: expressions } = RegExp;
const expressionParts = ProgramObject.getOwnPropertyDescriptors(expressions);
for (let i = 0, keys = ownKeys(expressionParts); i < keys.length; i++) setPrototypeOf(expressionParts[keys[i]], null);
function mendExpressions() {
  const keys = ownKeys(expressionParts);
  for (let i = 0; i < keys.length; i++) {
    const found = getOwnPropertyDescriptor(expressions, keys[i]) ?? {};
    setPrototypeOf(found, null);
    const part = expressionParts[keys[i]];
    // Left alone where nothing is changed: the engine runs expressions faster then.
    if (found.value !== part.value || found.get !== part.get) defineOwnProperty(expressions, keys[i], part, false);
  }
}

function process() {} // gives the prototype its constructor's name

module.exports = {
  call0,
  call1,
  call2,
  call3,
  call4,
  captureStackTrace,
  each,
  eachEntry,
  promiseFinally,
  promiseThen,
  replaceMatches,
  program: freeze({
    __proto__: null,
    Array,
    ArrayBuffer,
    Date,
    Map,
    Math,
    Number,
    Object,
    Promise,
    Set,
    String,
    Symbol,
    WeakMap,
    WeakSet,
    BigInt64Array,
    BigUint64Array,
    DataView,
    Float16Array: globalThis.Float16Array,
    Float32Array,
    Float64Array,
    Int16Array,
    Int32Array,
    Int8Array,
    Uint16Array,
    Uint32Array,
    Uint8Array,
    Uint8ClampedArray,
    mendExpressions,
  }),
  process: create(process.prototype),
  Array: copied(ProgramArray, OwnArray),
  ArrayBuffer: copied(ProgramArrayBuffer, OwnArrayBuffer),
  Atomics: copied(Atomics, create(null)),
  Date: copied(ProgramDate, OwnDate),
  FinalizationRegistry: ownClass(FinalizationRegistry, false),
  JSON: copied(JSON, create(null)),
  Map: ownClass(ProgramMap, true),
  Math: copied(Math, create(null)),
  Number: copied(ProgramNumber, OwnNumber),
  Object: OwnObject,
  Promise: OwnPromise,
  Reflect: OwnReflect,
  Set: ownClass(ProgramSet, true),
  String: copied(ProgramString, OwnString),
  Symbol: copied(ProgramSymbol, OwnSymbol),
  WeakMap: ownClass(WeakMap, true),
  WeakRef: ownClass(WeakRef, false),
  WeakSet: ownClass(WeakSet, true),
};
