// natives: json
// Parts of the language that this build of the engine lacks, for one realm: the program's and every vm context's. Runs in the realm
// it is for, before anything else does, and takes what it needs of the language then: what a program or a context's object puts in
// its place later changes nothing here. The well-known symbols come at once, everything else loads when first used. Each of the
// other files here exports a function that makes its part of the language from `intrinsics`.
'use strict';

const {
  ArrayBuffer,
  Atomics,
  DataView,
  Date,
  Error,
  JSON,
  Map,
  Math,
  Object,
  Promise,
  RangeError,
  ReferenceError,
  RegExp,
  Symbol,
  SyntaxError,
  TypeError,
  Uint8Array,
  WeakMap,
} = globalThis;
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf } = Object;
const { apply, construct } = Reflect;
const { abs, floor, log2, sign } = Math;

const IteratorPrototype = getPrototypeOf(getPrototypeOf([][Symbol.iterator]()));
const AsyncIteratorPrototype = getPrototypeOf(getPrototypeOf(async function* () {}).prototype);

const kArrayMethods = [
  'at',
  'copyWithin',
  'entries',
  'every',
  'filter',
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
  'slice',
  'some',
  'sort',
  'toLocaleString',
  'values',
];
const arrayMethods = methodsOf(globalThis.Array.prototype);

const kInsertions = ['getOrInsert', 'getOrInsertComputed'];

// `load` runs another file in this realm; `addLazyValues` is src/modules/runtime.cpp's. `symbols` and `realms` are the same for all
// realms: the well-known symbols, and how to find a realm's prototypes from its Object.prototype or Error.prototype.
module.exports = function addLanguage({ load, addLazyValues, hasFile, symbols, realms, native }) {
  addSymbols(symbols);
  const intrinsics = {
    __proto__: null,
    ArrayBuffer,
    Error,
    IteratorPrototype,
    Map,
    RangeError,
    ReferenceError,
    SyntaxError,
    TypeError,
    Uint8Array,
    apply,
    construct,
    defineProperty,
    fixPrototype,
    native,
    getPrototypeOf,
    setPrototypeOf,
    abs,
    floor,
    log2,
    sign,
    isPrototypeOf: Object.prototype.isPrototypeOf,
    load,
    ownKeys: Reflect.ownKeys,
    ownProperty: getOwnPropertyDescriptor,
    iterator: Symbol.iterator,
    species: Symbol.species,
    toStringTag: Symbol.toStringTag,
    arrayMethods,
    ...symbols,
    bufferMethods: bufferMethods(),
    mapMethods: [Map.prototype.has, Map.prototype.get, Map.prototype.set],
    json: jsonParts(),
    weakMapMethods: [WeakMap.prototype.has, WeakMap.prototype.get, WeakMap.prototype.set, WeakMap.prototype.delete],
  };
  const loaded = { __proto__: null };
  const from = (file) => (loaded[file] ??= load(`internal/language/${file}`)(intrinsics));

  // An object that `new` makes for a constructor of another realm without a prototype of its own gets that realm's prototype.
  realms.set(Object.prototype, prototypeOf);
  realms.set(Error.prototype, prototypeOf);
  function prototypeOf(file, name) {
    return from(file)[name].prototype;
  }
  function fixPrototype(object, newTarget, file, name) {
    const prototype = getPrototypeOf(object);
    const realm = realms.get(prototype);
    if (realm === undefined || getOwnPropertyDescriptor(newTarget, 'prototype')?.value === prototype) return;
    setPrototypeOf(object, realm(file, name));
  }

  const add = (target, file, names) => addLazyValues(target, names, (name) => from(file)[name], false, true);

  addJson(native('json'), from, add);
  add(Promise, 'small', ['try']);
  add(Promise, 'promise_keyed', ['allKeyed', 'allSettledKeyed']);
  add(Error, 'small', ['isError']);
  add(RegExp, 'small', ['escape']);
  add(Math, 'small', ['f16round']);
  add(Math, 'sum_precise', ['sumPrecise']);
  if (typeof Atomics === 'object') add(Atomics, 'small', ['pause']);
  addLazyValues(Map.prototype, kInsertions, (name) => from('small').map[name], false, true);
  addLazyValues(WeakMap.prototype, kInsertions, (name) => from('small').weakMap[name], false, true);
  addLazyValues(Map, ['groupBy'], (name) => from('small')[name], false, false); // the engine's calls back with three arguments
  addBuffers(addLazyValues, (name) => from('buffers')[name]);
  add(Uint8Array, 'bytes', ['fromBase64', 'fromHex']);
  add(Uint8Array.prototype, 'bytes', ['toBase64', 'setFromBase64', 'toHex', 'setFromHex']);
  add(IteratorPrototype, 'iterator', ['reduce', 'toArray', 'forEach', 'some', 'every', 'find', 'map', 'filter', 'take', 'drop', 'flatMap']);
  add(IteratorPrototype, 'iterator', ['chunks', 'windows', 'includes', 'join']);
  if (!('Iterator' in globalThis)) addIteratorAccessors(symbols, () => from('iterator').Iterator);
  addDisposers(symbols);
  add(globalThis, 'iterator', ['Iterator']);
  if (!('Float16Array' in globalThis)) add(globalThis, 'float16', ['Float16Array']);
  addTemporal(load, addLazyValues, hasFile);
  add(globalThis, 'disposable', ['SuppressedError', 'DisposableStack', 'AsyncDisposableStack']);
};

// Temporal is a package's (npm, embedded), loaded when it is first touched; it defines itself, and an Intl.DateTimeFormat that formats its
// objects too.
function addTemporal(load, addLazyValues, hasFile) {
  const { prototype } = Date;
  let isLoaded = false;
  const loaded = (target, name) => {
    if (!hasFile('internal/language/temporal_polyfill')) return undefined;
    if (!isLoaded) {
      isLoaded = true;
      // It looks whether Temporal is there, which must not load it again.
      delete globalThis.Temporal;
      delete prototype.toTemporalInstant;
      load('internal/language/temporal_polyfill');
    }
    return getOwnPropertyDescriptor(target, name).value;
  };
  addLazyValues(globalThis, ['Temporal'], (name) => loaded(globalThis, name), false, true);
  addLazyValues(prototype, ['toTemporalInstant'], (name) => loaded(prototype, name), false, true);
}

function addSymbols(symbols) {
  for (const name of ['dispose', 'asyncDispose']) {
    symbols[name] ??= Symbol[name] ?? Symbol(`Symbol.${name}`);
    if (name in Symbol) continue;
    defineProperty(Symbol, name, {
      __proto__: null,
      value: symbols[name],
      writable: false,
      configurable: false,
      enumerable: false,
    });
  }
}

// As they are before any program runs.
function methodsOf(prototype) {
  const methods = {};
  for (let i = 0; i < kArrayMethods.length; i++) methods[kArrayMethods[i]] = prototype[kArrayMethods[i]];
  return methods;
}

// Methods of binary data as they are before any program runs.
function bufferMethods() {
  const getter = (name) => getOwnPropertyDescriptor(ArrayBuffer.prototype, name)?.get;
  const { getUint16, setUint16 } = DataView.prototype;
  const { transfer } = ArrayBuffer.prototype;
  const { set } = Uint8Array.prototype;
  return {
    getByteLength: getter('byteLength'),
    getMaxByteLength: getter('maxByteLength'),
    getResizable: getter('resizable'),
    getUint16,
    isView: ArrayBuffer.isView,
    set,
    setUint16,
    transfer,
  };
}

// Functions of the language that json.js needs, as they are before any program runs.
function jsonParts() {
  const { parse, stringify } = JSON;
  return {
    freeze: Object.freeze,
    isArray: globalThis.Array.isArray,
    keysOf: Object.keys,
    parse,
    slice: globalThis.String.prototype.slice,
    stringify,
    valuesOf: { boolean: globalThis.Boolean.prototype.valueOf, bigint: globalThis.BigInt.prototype.valueOf },
  };
}

// The engine's functions, but for calls that they cannot do.
function addJson({ makeParse, makeStringify }, from, add) {
  const { parse, stringify } = JSON;
  const functions = {
    parse: makeParse(parse),
    stringify: makeStringify(stringify, (value, replacer, space) => from('json').stringify(value, replacer, space)),
  };
  for (const name of ['parse', 'stringify']) {
    defineProperty(JSON, name, { __proto__: null, value: functions[name], writable: true, configurable: true, enumerable: false });
  }
  add(JSON, 'json', ['rawJSON', 'isRawJSON']);
}

function addBuffers(addLazyValues, get) {
  addLazyValues(ArrayBuffer.prototype, ['transferToFixedLength'], get, false, true);
  addLazyValues(ArrayBuffer.prototype, ['transfer'], get, false, false); // the engine's makes no resizable buffers
  addLazyValues(DataView.prototype, ['getFloat16', 'setFloat16'], get, false, true);
  if (!('detached' in ArrayBuffer.prototype)) addDetached(() => get('isDetached'));
}

function addDetached(getTest) {
  const accessor = {
    get detached() {
      return getTest()(this);
    },
  };
  const { get } = getOwnPropertyDescriptor(accessor, 'detached');
  defineProperty(ArrayBuffer.prototype, 'detached', { __proto__: null, get, set: undefined, configurable: true, enumerable: false });
}

// https://tc39.es/ecma262/#sec-iterator.prototype.constructor: accessors that take a write on an inheriting object as its own.
function addIteratorAccessors(symbols, getIterator) {
  function write(object, key, value) {
    if (object === null || (typeof object !== 'object' && typeof object !== 'function')) throw new TypeError('not an object');
    if (object === IteratorPrototype) throw new TypeError(`Cannot assign to this property of Iterator.prototype`);
    if (getOwnPropertyDescriptor(object, key) === undefined) {
      defineProperty(object, key, { __proto__: null, value, writable: true, configurable: true, enumerable: true });
    } else {
      object[key] = value;
    }
  }
  const accessors = {
    get constructor() {
      return getIterator();
    },
    set constructor(value) {
      write(this, 'constructor', value);
    },
    get [Symbol.toStringTag]() {
      return 'Iterator';
    },
    set [Symbol.toStringTag](value) {
      write(this, Symbol.toStringTag, value);
    },
  };
  for (const key of ['constructor', Symbol.toStringTag]) {
    const { get, set } = getOwnPropertyDescriptor(accessors, key);
    defineProperty(IteratorPrototype, key, { __proto__: null, get, set, configurable: true, enumerable: false });
  }
}

function addDisposers({ dispose, asyncDispose }) {
  async function callReturn(iterator) {
    const method = iterator.return;
    if (method !== undefined && method !== null) await apply(method, iterator, [undefined]);
  }
  const methods = {
    [dispose]() {
      const method = this.return;
      if (method !== undefined && method !== null) apply(method, this, []);
    },
    [asyncDispose]() {
      return callReturn(this);
    },
  };
  for (const [target, key] of [
    [IteratorPrototype, dispose],
    [AsyncIteratorPrototype, asyncDispose],
  ]) {
    if (key in target) continue;
    defineProperty(target, key, { __proto__: null, value: methods[key], writable: true, configurable: true, enumerable: false });
  }
}
