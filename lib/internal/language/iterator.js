// natives: none
// Iterator and its helpers, https://tc39.es/ecma262/#sec-iterator-objects. A lazy helper is a state machine around a function that
// makes the next result and one that closes what it reads from.
'use strict';

const kStart = 0;
const kYielded = 1;
const kRunning = 2;
const kDone = 3;

const kMaxLimit = 2 ** 53 - 1;

const show = (value) => (typeof value === 'symbol' ? 'a symbol' : `${value}`);
const isObject = (value) => (typeof value === 'object' ? value !== null : typeof value === 'function');

// Of the realm that this file is loaded in; the exported function sets them.
let IteratorPrototype;
let RangeError;
let TypeError;
let apply;
let defineProperty;
let fixPrototype;
let isPrototypeOf;
let kIterator;
let setPrototypeOf;
let toStringTag;

module.exports = (intrinsics) => {
  ({
    IteratorPrototype,
    RangeError,
    TypeError,
    apply,
    defineProperty,
    fixPrototype,
    isPrototypeOf,
    iterator: kIterator,
    setPrototypeOf,
    toStringTag,
  } = intrinsics);
  setPrototypeOf(Source.prototype, null);
  asPrototype(IteratorHelper, 'Iterator Helper');
  defineProperty(Iterator, 'prototype', { __proto__: null, value: IteratorPrototype, writable: false });
  asPrototype(WrapForValidIterator);
  defineProperty(Iterator, 'from', { __proto__: null, value: statics.from, writable: true, configurable: true });
  defineProperty(Iterator, 'concat', { __proto__: null, value: statics.concat, writable: true, configurable: true });

  const { ownKeys, ownProperty } = intrinsics;
  const parts = {
    IteratorHelper,
    Source,
    TypeError,
    abandon,
    apply,
    close,
    flattenable,
    isObject,
    kIterator,
    methodOf,
    ownKeys,
    ownProperty,
  };
  const { zip, zipKeyed } = intrinsics.load('internal/language/zip')(parts);
  defineProperty(Iterator, 'zip', { __proto__: null, value: zip, writable: true, configurable: true });
  defineProperty(Iterator, 'zipKeyed', { __proto__: null, value: zipKeyed, writable: true, configurable: true });

  const more = intrinsics.load('internal/language/iterator_more')({ ...parts, RangeError, needObject });
  return { Iterator, ...lazy, ...eager, ...more };
};

function methodOf(object, key) {
  const method = object[key];
  if (method === undefined || method === null) return undefined;
  if (typeof method !== 'function') throw new TypeError(`${typeof method} is not a function`);
  return method;
}

// --- a source: an iterator and its `next`, read once

class Source {
  constructor(iterator) {
    this.iterator = iterator;
    this.next = iterator.next;
  }

  // The next result, or undefined at the end. `value` is left to the caller.
  step() {
    const result = apply(this.next, this.iterator, []);
    if (!isObject(result)) throw new TypeError(`Iterator result ${show(result)} is not an object`);
    return result.done ? undefined : result;
  }
}

function close(iterator) {
  const method = methodOf(iterator, 'return');
  if (method === undefined) return;
  const result = apply(method, iterator, []);
  if (!isObject(result)) throw new TypeError(`Iterator result ${show(result)} is not an object`);
}

// Closes because of an error, which counts whatever closing says.
function abandon(iterator, error) {
  try {
    const method = iterator.return;
    if (method !== undefined && method !== null) apply(method, iterator, []);
  } catch {
    /* the first error counts */
  }
  return error;
}

function needObject(value) {
  if (!isObject(value)) throw new TypeError('Iterator helper called on a value that is not an object');
}

function sourceFor(iterator, callback, what) {
  needObject(iterator);
  if (typeof callback !== 'function') throw abandon(iterator, new TypeError(`${what} is not a function`));
  return new Source(iterator);
}

// https://tc39.es/ecma262/#sec-getiteratorflattenable
function flattenable(value, takesStrings) {
  if (!isObject(value) && !(takesStrings && typeof value === 'string')) throw new TypeError(`${show(value)} is not an object`);
  const method = methodOf(value, kIterator);
  const iterator = method === undefined ? value : apply(method, value, []);
  if (!isObject(iterator)) throw new TypeError(`${show(iterator)} is not an object`);
  return new Source(iterator);
}

// --- lazy helpers

class IteratorHelper {
  #state = kStart;
  #step;
  #close;

  constructor(step, closeSource) {
    this.#step = step;
    this.#close = closeSource;
  }

  next() {
    if (this.#state === kRunning) throw new TypeError('Generator is already running');
    if (this.#state === kDone) return { value: undefined, done: true };
    this.#state = kRunning;
    let isGoing = false;
    try {
      const result = (0, this.#step)();
      isGoing = result !== undefined;
      return result ?? { value: undefined, done: true };
    } finally {
      this.#state = isGoing ? kYielded : kDone;
    }
  }

  return() {
    if (this.#state === kRunning) throw new TypeError('Generator is already running');
    if (this.#state !== kDone) {
      const hasStarted = this.#state === kYielded;
      this.#state = hasStarted ? kRunning : kDone;
      try {
        (0, this.#close)(hasStarted);
      } finally {
        this.#state = kDone;
      }
    }
    return { value: undefined, done: true };
  }
}

function asPrototype(Class, tag) {
  setPrototypeOf(Class.prototype, IteratorPrototype);
  delete Class.prototype.constructor;
  if (tag !== undefined) defineProperty(Class.prototype, toStringTag, { __proto__: null, value: tag, configurable: true });
}

const helperOver = (source, step) => new IteratorHelper(step, () => close(source.iterator));
const going = (value) => ({ value, done: false });

function toLimit(iterator, limit) {
  let number;
  try {
    number = +limit;
  } catch (error) {
    throw abandon(iterator, error);
  }
  // Not a number fails the first comparison.
  if (!(number > -1) || (number > kMaxLimit && number !== Infinity)) {
    throw abandon(iterator, new RangeError(`${number} must be positive`));
  }
  return number === Infinity ? number : number - (number % 1);
}

const lazy = {
  map(mapper) {
    const source = sourceFor(this, mapper, 'mapper');
    let index = 0;
    return helperOver(source, () => {
      const result = source.step();
      if (result === undefined) return undefined;
      const { value } = result;
      try {
        return going(mapper(value, index++));
      } catch (error) {
        throw abandon(source.iterator, error);
      }
    });
  },

  filter(predicate) {
    const source = sourceFor(this, predicate, 'predicate');
    let index = 0;
    return helperOver(source, () => {
      for (;;) {
        const result = source.step();
        if (result === undefined) return undefined;
        const { value } = result;
        try {
          if (predicate(value, index++)) return going(value);
        } catch (error) {
          throw abandon(source.iterator, error);
        }
      }
    });
  },

  take(limit) {
    needObject(this);
    let left = toLimit(this, limit);
    const source = new Source(this);
    return helperOver(source, () => {
      if (left === 0) return close(source.iterator);
      left--;
      const result = source.step();
      return result === undefined ? undefined : going(result.value);
    });
  },

  drop(limit) {
    needObject(this);
    let left = toLimit(this, limit);
    const source = new Source(this);
    return helperOver(source, () => {
      for (; left > 0; left--) {
        if (source.step() === undefined) return undefined;
      }
      const result = source.step();
      return result === undefined ? undefined : going(result.value);
    });
  },

  flatMap(mapper) {
    const source = sourceFor(this, mapper, 'mapper');
    let index = 0;
    let inner;
    function step() {
      for (;;) {
        if (inner === undefined) {
          const result = source.step();
          if (result === undefined) return undefined;
          const { value } = result;
          try {
            inner = flattenable(mapper(value, index++), false);
          } catch (error) {
            throw abandon(source.iterator, error);
          }
        }
        try {
          const result = inner.step();
          if (result !== undefined) return going(result.value);
          inner = undefined;
        } catch (error) {
          throw abandon(source.iterator, error);
        }
      }
    }
    return new IteratorHelper(step, () => {
      try {
        if (inner !== undefined) close(inner.iterator);
      } catch (error) {
        throw abandon(source.iterator, error);
      }
      close(source.iterator);
    });
  },
};

// --- eager ones

// Runs `body(value, index)` for each value until it answers with true; then closes and answers with true.
function consume(source, body, index = 0) {
  for (; ; index++) {
    const result = source.step();
    if (result === undefined) return false;
    const { value } = result;
    let isOver;
    try {
      isOver = body(value, index);
    } catch (error) {
      throw abandon(source.iterator, error);
    }
    if (isOver === true) {
      close(source.iterator);
      return true;
    }
  }
}

const eager = {
  reduce(reducer /* , initialValue */) {
    const source = sourceFor(this, reducer, 'reducer');
    let total = arguments[1];
    let from = 0;
    if (arguments.length < 2) {
      const first = source.step();
      if (first === undefined) throw new TypeError('Reduce of a done iterator with no initial value');
      total = first.value;
      from = 1;
    }
    consume(
      source,
      (value, index) => {
        total = reducer(total, value, index);
      },
      from,
    );
    return total;
  },

  toArray() {
    needObject(this);
    const values = [];
    consume(new Source(this), (value, index) => {
      defineProperty(values, index, { __proto__: null, value, writable: true, configurable: true, enumerable: true });
    });
    return values;
  },

  forEach(procedure) {
    consume(sourceFor(this, procedure, 'callback'), (value, index) => {
      procedure(value, index);
    });
  },

  some(predicate) {
    return consume(sourceFor(this, predicate, 'predicate'), (value, index) => !!predicate(value, index));
  },

  every(predicate) {
    return !consume(sourceFor(this, predicate, 'predicate'), (value, index) => !predicate(value, index));
  },

  find(predicate) {
    let found;
    consume(sourceFor(this, predicate, 'predicate'), (value, index) => {
      if (!predicate(value, index)) return false;
      found = value;
      return true;
    });
    return found;
  },
};

// --- Iterator

function Iterator() {
  if (new.target === undefined || new.target === Iterator) throw new TypeError('Abstract class Iterator not directly constructable');
  fixPrototype(this, new.target, 'iterator', 'Iterator');
}

class WrapForValidIterator {
  #source;
  constructor(source) {
    this.#source = source;
  }
  next() {
    const { iterator, next } = this.#source;
    return apply(next, iterator, []);
  }
  return() {
    const { iterator } = this.#source;
    const method = methodOf(iterator, 'return');
    return method === undefined ? { value: undefined, done: true } : apply(method, iterator, []);
  }
}

const statics = {
  from(value) {
    const source = flattenable(value, true);
    return apply(isPrototypeOf, IteratorPrototype, [source.iterator]) ? source.iterator : new WrapForValidIterator(source);
  },

  concat(...items) {
    const methods = [];
    for (let i = 0; i < items.length; i++) {
      needObject(items[i]);
      const method = methodOf(items[i], kIterator);
      if (method === undefined) throw new TypeError(`argument ${i} is not iterable`);
      defineProperty(methods, i, { __proto__: null, value: method });
    }
    let at = 0;
    let inner;
    function step() {
      for (; inner !== undefined || at < items.length; inner = undefined) {
        if (inner === undefined) {
          const iterator = apply(methods[at], items[at], []);
          at++;
          if (!isObject(iterator)) throw new TypeError(`${show(iterator)} is not an object`);
          inner = new Source(iterator);
        }
        const result = inner.step();
        if (result !== undefined) return going(result.value);
      }
      return undefined;
    }
    return new IteratorHelper(step, (hasStarted) => {
      if (hasStarted) close(inner.iterator);
    });
  },
};
