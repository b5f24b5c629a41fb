// natives: none
// Iterator and its helpers, https://tc39.es/ecma262/#sec-iterator-objects, for engines that
// lack them. A lazy helper is an object around a generator: the generator gives the laziness
// and the closing of the source.
'use strict';

const IteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));

function needObject(value) {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) {
    throw new TypeError('Iterator helper called on a value that is not an object');
  }
}

function close(iterator) {
  iterator.return?.();
}

// The source with its `next` read once; `check` failures close it.
function direct(iterator, callback, what = 'callback') {
  needObject(iterator);
  if (typeof callback !== 'function') {
    close(iterator);
    throw new TypeError(`${what} is not a function`);
  }
  return directSource(iterator);
}

function directSource(iterator) {
  const { next } = iterator;
  return {
    step() {
      const result = Reflect.apply(next, iterator, []);
      if (result === null || typeof result !== 'object') throw new TypeError(`${result} is not an object`);
      return result;
    },
    close: () => close(iterator),
  };
}

// Runs `body(value, index)` for each value until it gives something other than undefined.
function consume(source, body) {
  for (let index = 0; ; index++) {
    const { done, value } = source.step();
    if (done) return undefined;
    let stop;
    try {
      stop = body(value, index);
    } catch (error) {
      try { source.close(); } catch { /* the first error counts */ }
      throw error;
    }
    if (stop !== undefined) {
      source.close();
      return stop;
    }
  }
}

// --- lazy helpers

const generators = new WeakMap();
const HelperPrototype = Object.create(IteratorPrototype, {
  next: { value: function next() { return generatorOf(this).next(); }, writable: true, configurable: true },
  return: { value: function() { return generatorOf(this).return(); }, writable: true, configurable: true },
  [Symbol.toStringTag]: { value: 'Iterator Helper', configurable: true },
});
Object.defineProperty(HelperPrototype.return, 'name', { value: 'return' });

function generatorOf(helper) {
  const state = generators.get(helper);
  if (state === undefined) throw new TypeError('not an Iterator Helper');
  return state;
}

// A generator that has not started yet would not close its source when returned.
function makeHelper(source, generator) {
  const helper = Object.create(HelperPrototype);
  let started = false;
  generators.set(helper, {
    next() {
      started = true;
      return generator.next();
    },
    return() {
      if (!started) source.close();
      started = true;
      return generator.return();
    },
  });
  return helper;
}

function* each(source, body) {
  let finished = false;
  try {
    for (let index = 0; ; index++) {
      let result;
      try {
        result = source.step();
      } catch (error) {
        finished = true;
        throw error;
      }
      if (result.done) {
        finished = true;
        return;
      }
      yield* body(result.value, index);
    }
  } finally {
    if (!finished) source.close();
  }
}

function toLimit(iterator, limit) {
  const number = Number(limit);
  if (Number.isNaN(number) || Math.trunc(number) < 0) {
    close(iterator);
    throw new RangeError(`${limit} must be positive`);
  }
  return Math.trunc(number);
}

function map(mapper) {
  const source = direct(this, mapper, 'mapper');
  return makeHelper(source, each(source, function* (value, index) { yield mapper(value, index); }));
}

function filter(predicate) {
  const source = direct(this, predicate, 'predicate');
  return makeHelper(source, each(source, function* (value, index) { if (predicate(value, index)) yield value; }));
}

function take(limit) {
  needObject(this);
  const count = toLimit(this, limit);
  const source = directSource(this);
  return makeHelper(source, (function* () {
    let finished = false;
    try {
      for (let left = count; left > 0; left--) {
        const { done, value } = source.step();
        if (done) {
          finished = true;
          return;
        }
        yield value;
      }
    } finally {
      if (!finished) source.close();
    }
  })());
}

function drop(limit) {
  needObject(this);
  let left = toLimit(this, limit);
  const source = directSource(this);
  return makeHelper(source, each(source, function* (value) {
    if (left > 0) left--;
    else yield value;
  }));
}

function innerIterator(value) {
  needObject(value);
  const method = value[Symbol.iterator];
  return method == null ? value : Reflect.apply(method, value, []);
}

function flatMap(mapper) {
  const source = direct(this, mapper, 'mapper');
  return makeHelper(source, each(source, function* (value, index) {
    const inner = innerIterator(mapper(value, index));
    yield* { [Symbol.iterator]: () => inner };
  }));
}

// --- eager ones

function reduce(reducer, ...initial) {
  const source = direct(this, reducer, 'reducer');
  let from = 0;
  let total = initial[0];
  if (initial.length === 0) {
    const { done, value } = source.step();
    if (done) throw new TypeError('Reduce of a done iterator with no initial value');
    total = value;
    from = 1;
  }
  consume(source, (value, index) => { total = reducer(total, value, index + from); });
  return total;
}

function toArray() {
  needObject(this);
  const values = [];
  consume(directSource(this), (value) => { values.push(value); });
  return values;
}

function forEach(callback) {
  consume(direct(this, callback), (value, index) => { callback(value, index); });
}

function some(predicate) {
  return consume(direct(this, predicate), (value, index) => (predicate(value, index) ? true : undefined)) ?? false;
}

function every(predicate) {
  return consume(direct(this, predicate), (value, index) => (predicate(value, index) ? undefined : false)) ?? true;
}

function find(predicate) {
  return consume(direct(this, predicate), (value, index) => (predicate(value, index) ? { value } : undefined))?.value;
}

// --- Iterator

function Iterator() {
  if (new.target === undefined || new.target === Iterator) throw new TypeError('Abstract class Iterator not directly constructable');
}
Object.defineProperty(Iterator, 'prototype', { value: IteratorPrototype, writable: false });

const WrapPrototype = Object.create(IteratorPrototype, {
  next: { value: function next() { return generatorOf(this).next(); }, writable: true, configurable: true },
  return: { value: function() { return generatorOf(this).return(); }, writable: true, configurable: true },
});

function wrap(iterator) {
  const { next } = iterator;
  const wrapper = Object.create(WrapPrototype);
  generators.set(wrapper, {
    next: () => Reflect.apply(next, iterator, []),
    return: () => (iterator.return === undefined ? { value: undefined, done: true } : iterator.return()),
  });
  return wrapper;
}

const hidden = (value) => ({ __proto__: null, value, writable: true, configurable: true, enumerable: false });
Object.defineProperties(Iterator, {
  from: hidden(function from(value) {
    const iterator = innerIterator(typeof value === 'string' ? Object(value) : value);
    return IteratorPrototype.isPrototypeOf(iterator) ? iterator : wrap(iterator);
  }),
  concat: hidden(function concat(...items) {
    const opened = items.map((item) => {
      needObject(item);
      const method = item[Symbol.iterator];
      if (typeof method !== 'function') throw new TypeError(`${item} is not iterable`);
      return { item, method };
    });
    const nothing = { close() {} };
    return makeHelper(nothing, (function* () {
      for (const { item, method } of opened) yield* { [Symbol.iterator]: () => Reflect.apply(method, item, []) };
    })());
  }),
});
Object.defineProperty(IteratorPrototype, 'constructor', hidden(Iterator));
if (!Object.hasOwn(IteratorPrototype, Symbol.toStringTag)) {
  Object.defineProperty(IteratorPrototype, Symbol.toStringTag, { ...hidden('Iterator') });
}

module.exports = { Iterator, drop, every, filter, find, flatMap, forEach, map, reduce, some, take, toArray };
