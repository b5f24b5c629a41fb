// natives: float16, util
// Float16Array: https://tc39.es/ecma262/#sec-typedarray-constructors, for one realm; see realm.js. The engine's own methods of typed arrays
// refuse these arrays, so the prototype has them all, over the methods of Array where those do the same.
'use strict';

const { create, isFloat16Array, length: lengthOf, isOutOfBounds, byteOffset: byteOffsetOf, buffer: bufferOf } = native('float16');

const kSize = 2;
const kMaxLength = 2 ** 31;

// Of the realm that this file is loaded in; the exported function sets them.
let ArrayBuffer;
let RangeError;
let TypeError;
let apply;
let construct;
let isView;
let iterator;
let list; // methods of Array.prototype
let prototype;
let species;
let Float16Array;

module.exports = (intrinsics) => {
  ({ ArrayBuffer, RangeError, TypeError, apply, construct, iterator, species } = intrinsics);
  const { Uint8Array, defineProperty, ownKeys, ownProperty, setPrototypeOf, toStringTag } = intrinsics;
  list = intrinsics.arrayMethods;
  ({ isView } = intrinsics.bufferMethods);
  Float16Array = makeConstructor();
  ({ prototype } = Float16Array);
  const TypedArray = intrinsics.getPrototypeOf(Uint8Array);
  setPrototypeOf(Float16Array, TypedArray);
  setPrototypeOf(prototype, TypedArray.prototype);
  const add = (target, from) => {
    for (const key of ownKeys(from)) defineProperty(target, key, { ...ownProperty(from, key), enumerable: false });
  };
  add(prototype, methods);
  for (const name of kListMethods) add(prototype, listMethod(name));
  add(prototype, { [iterator]: prototype.values });
  add(prototype, {
    get [toStringTag]() {
      return isFloat16Array(this) ? 'Float16Array' : undefined;
    },
  });
  add(Float16Array, statics);
  for (const target of [Float16Array, prototype]) {
    defineProperty(target, 'BYTES_PER_ELEMENT', { __proto__: null, value: kSize });
  }
  return { Float16Array };
};

// ---- making one ----

function makeConstructor() {
  return class Float16Array {
    constructor(first, byteOffset, length) {
      const target = new.target === Float16Array ? prototype : prototypeFor(new.target);
      return isObject(first) ? fromObject(target, first, byteOffset, length) : allocate(target, toIndex(first, 'typed array length'));
    }
  };
}

// https://tc39.es/ecma262/#sec-getprototypefromconstructor
function prototypeFor(newTarget) {
  const given = newTarget.prototype;
  return isObject(given) ? given : prototype;
}

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

function toWhole(value) {
  const number = +value;
  if (number !== number) return 0;
  return number === Infinity || number === -Infinity ? number : number - (number % 1) || 0;
}

function toIndex(value, what) {
  const whole = toWhole(value);
  if (!(whole >= 0 && whole <= 2 ** 53 - 1)) throw new RangeError(`Invalid ${what}: ${whole}`);
  return whole;
}

function allocate(target, length) {
  if (length > kMaxLength) throw new RangeError(`Invalid typed array length: ${length}`);
  return create(target, prototype, new ArrayBuffer(length * kSize), 0, length);
}

const isBuffer = (value) => native('util').isAnyArrayBuffer(value);

function fromObject(target, first, byteOffset, length) {
  if (isBuffer(first)) return fromBuffer(target, first, byteOffset, length);
  const values = isFloat16Array(first) ? checked(first) : valuesOf(first);
  const count = toWhole(values.length);
  const array = allocate(target, count > 0 ? count : 0);
  for (let i = 0; i < count; i++) array[i] = values[i];
  return array;
}

// The items of an iterable, or the object itself, which is read like an array.
function valuesOf(source) {
  const method = source[iterator];
  if (method === undefined || method === null) return source;
  if (typeof method !== 'function') throw new TypeError('Symbol.iterator is not a function');
  const values = [];
  const items = { [iterator]: () => apply(method, source, []) };
  for (const item of items) values[values.length] = item;
  return values;
}

function fromBuffer(target, buffer, byteOffset, length) {
  const offset = toIndex(byteOffset, 'offset');
  if (offset % kSize !== 0) throw new RangeError('start offset of Float16Array should be a multiple of 2');
  const count = length === undefined ? undefined : toIndex(length, 'typed array length');
  if (buffer.detached) throw new TypeError('Cannot perform Construct on a detached ArrayBuffer');
  const bytes = buffer.byteLength;
  if (count !== undefined) {
    if (offset + count * kSize > bytes) throw new RangeError(`Invalid typed array length: ${count}`);
    return create(target, prototype, buffer, offset, count);
  }
  if (offset > bytes) throw new RangeError(`Start offset ${offset} is outside the bounds of the buffer`);
  if (buffer.resizable === true || buffer.growable === true) return create(target, prototype, buffer, offset, undefined);
  if (bytes % kSize !== 0) throw new RangeError('byte length of Float16Array should be a multiple of 2');
  return create(target, prototype, buffer, offset, (bytes - offset) / kSize);
}

function checked(array) {
  if (!isFloat16Array(array)) throw new TypeError('this is not a typed array.');
  if (isOutOfBounds(array)) throw new TypeError('Cannot perform this operation on a detached ArrayBuffer');
  return array;
}

// A typed array that `Constructor` makes, with room for `length` elements.
function makeWith(Constructor, args, length) {
  const made = construct(Constructor, args);
  if (isFloat16Array(made)) checked(made);
  else if (!isView(made) || native('util').isDataView(made)) throw new TypeError('this is not a typed array.');
  if (length !== undefined && made.length < length) throw new TypeError('The typed array made is too short');
  return made;
}

function speciesOf(array) {
  const { constructor } = array;
  if (constructor === undefined) return Float16Array;
  if (!isObject(constructor)) throw new TypeError('object.constructor is not an object');
  const found = constructor[species];
  return found === undefined || found === null ? Float16Array : found;
}

// An index that may count from the end, within 0 and `length`.
function within(value, length, otherwise) {
  if (value === undefined) return otherwise;
  const whole = toWhole(value);
  return whole < 0 ? (length + whole > 0 ? length + whole : 0) : whole < length ? whole : length;
}

// ---- its functions ----

const statics = {
  of(...items) {
    const made = makeWith(this, [items.length], items.length);
    for (let i = 0; i < items.length; i++) made[i] = items[i];
    return made;
  },

  from(source, map = undefined, self = undefined) {
    if (map !== undefined && typeof map !== 'function') throw new TypeError(`${typeof map} is not a function`);
    if (source === undefined || source === null) throw new TypeError(`${source} is not iterable`);
    const values = valuesOf(source);
    const length = toWhole(values.length);
    const count = length > 0 ? length : 0;
    const made = makeWith(this, [count], count);
    for (let i = 0; i < count; i++) made[i] = map === undefined ? values[i] : apply(map, self, [values[i], i]);
    return made;
  },
};
Object.defineProperty(statics.from, 'length', { __proto__: null, value: 1 });
Object.defineProperty(statics.of, 'length', { __proto__: null, value: 0 });

// Methods that do what Array's do with an object of that length.
const kListMethods = [
  'at',
  'copyWithin',
  'entries',
  'every',
  'find',
  'findIndex',
  'findLast',
  'findLastIndex',
  'forEach',
  'includes',
  'indexOf',
  'join',
  'keys',
  'lastIndexOf',
  'reduce',
  'reduceRight',
  'reverse',
  'some',
  'toLocaleString',
  'values',
];

function listMethod(name) {
  const method = list[name];
  const made = {
    [name](...args) {
      return apply(method, checked(this), args);
    },
  };
  Object.defineProperty(made[name], 'length', { __proto__: null, value: method.length });
  return made;
}

function compareNumbers(a, b) {
  if (a !== a || b !== b) return a === a ? -1 : b === b ? 1 : 0;
  if (a < b) return -1;
  if (a > b) return 1;
  return a === 0 && b === 0 ? (1 / a > 0 ? 1 : 0) - (1 / b > 0 ? 1 : 0) : 0;
}

function sorted(array, compare) {
  const values = apply(list.slice, array, []);
  const byNumber =
    compare === undefined
      ? compareNumbers
      : (a, b) => {
          const order = +compare(a, b);
          return order !== order ? 0 : order;
        };
  return apply(list.sort, values, [byNumber]);
}

function needComparison(compare) {
  if (compare !== undefined && typeof compare !== 'function') {
    throw new TypeError('The comparison function must be either a function or undefined');
  }
}

function copyOf(values, length) {
  const copy = allocate(prototype, length);
  for (let i = 0; i < length; i++) copy[i] = values[i];
  return copy;
}

const needFunction = (callback) => {
  if (typeof callback !== 'function') throw new TypeError(`${typeof callback} is not a function`);
};

const methods = {
  get buffer() {
    if (!isFloat16Array(this)) throw new TypeError('Receiver should be a typed array view');
    return bufferOf(this);
  },
  get byteLength() {
    if (!isFloat16Array(this)) throw new TypeError('Receiver should be a typed array view');
    return lengthOf(this) * kSize;
  },
  get byteOffset() {
    if (!isFloat16Array(this)) throw new TypeError('Receiver should be a typed array view');
    return byteOffsetOf(this);
  },
  get length() {
    if (!isFloat16Array(this)) throw new TypeError('Receiver should be a typed array view');
    return lengthOf(this);
  },

  fill(value, start = undefined, end = undefined) {
    const length = lengthOf(checked(this));
    const number = +value;
    const from = within(start, length, 0);
    const to = within(end, length, length);
    const now = lengthOf(checked(this));
    for (let i = from; i < to && i < now; i++) this[i] = number;
    return this;
  },

  filter(callback, self = undefined) {
    checked(this);
    needFunction(callback);
    const kept = apply(list.filter, this, [callback, self]);
    const made = makeWith(speciesOf(this), [kept.length], kept.length);
    for (let i = 0; i < kept.length; i++) made[i] = kept[i];
    return made;
  },

  map(callback, self = undefined) {
    const length = lengthOf(checked(this));
    needFunction(callback);
    const made = makeWith(speciesOf(this), [length], length);
    for (let i = 0; i < length; i++) made[i] = apply(callback, self, [this[i], i, this]);
    return made;
  },

  set(source, offset = undefined) {
    if (!isFloat16Array(this)) throw new TypeError('Receiver should be a typed array view');
    const start = toWhole(offset);
    if (start < 0) throw new RangeError('Offset should not be negative');
    checked(this);
    const given = isFloat16Array(source) ? apply(list.slice, checked(source), []) : source;
    if (given === undefined || given === null) throw new TypeError('Cannot convert undefined or null to object');
    const length = toWhole(given.length);
    const count = length > 0 ? length : 0;
    if (start + count > lengthOf(this)) throw new RangeError('Range consisting of offset and length are out of bounds');
    for (let i = 0; i < count; i++) this[start + i] = given[i];
  },

  slice(start, end) {
    const length = lengthOf(checked(this));
    const from = within(start, length, 0);
    const to = within(end, length, length);
    const count = to > from ? to - from : 0;
    const made = makeWith(speciesOf(this), [count], count);
    if (count > 0) checked(this);
    for (let i = 0; i < count && from + i < lengthOf(this); i++) made[i] = this[from + i];
    return made;
  },

  sort(compare) {
    needComparison(compare);
    const values = sorted(checked(this), compare);
    for (let i = 0; i < values.length; i++) this[i] = values[i];
    return this;
  },

  subarray(start, end) {
    if (!isFloat16Array(this)) throw new TypeError('Receiver should be a typed array view');
    const length = lengthOf(this);
    const from = within(start, length, 0);
    const to = within(end, length, length);
    const count = to > from ? to - from : 0;
    return makeWith(speciesOf(this), [bufferOf(this), byteOffsetOf(this) + from * kSize, count]);
  },

  toReversed() {
    const length = lengthOf(checked(this));
    return copyOf(apply(list.reverse, apply(list.slice, this, []), []), length);
  },

  toSorted(compare) {
    needComparison(compare);
    const length = lengthOf(checked(this));
    return copyOf(sorted(this, compare), length);
  },

  with(index, value) {
    const length = lengthOf(checked(this));
    const whole = toWhole(index);
    const at = whole < 0 ? length + whole : whole;
    const number = +value;
    if (!(at >= 0 && at < lengthOf(this))) throw new RangeError('Invalid typed array index');
    const copy = copyOf(this, length);
    copy[at] = number;
    return copy;
  },
};
Object.defineProperty(methods.fill, 'length', { __proto__: null, value: 1 });
