// natives: util
//
// Values as the protocol shows them (Runtime.RemoteObject): primitives by value, objects by an id that a session keeps, with a description,
// a class and, where asked for, a preview of a few properties. Nothing here calls a program's getter.

'use strict';

const { getConstructorName, getPromiseDetails, getProxyDetails } = native('util');
const types = require('internal/util/types');
const { withoutOwnFrames } = require('internal/inspector/stack');

const kPreviewProperties = 5,
  kPreviewIndexes = 100,
  kPreviewText = 100;

function describeSymbol(value) {
  return symbolToString.call(value);
}

function unserializable(value) {
  if (typeof value === 'bigint') return `${bigintToString.call(value)}n`;
  if (typeof value !== 'number') return undefined;
  if (value !== value) return 'NaN';
  if (Object.is(value, -0)) return '-0';
  if (value === Infinity || value === -Infinity) return value > 0 ? 'Infinity' : '-Infinity';
  return undefined;
}

// The value without running code of the program: undefined for accessors and proxies.
function dataProperty(object, key) {
  for (let holder = object; holder !== null && holder !== undefined && !types.isProxy(holder); holder = Object.getPrototypeOf(holder)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(holder, key);
    if (descriptor !== undefined) return descriptor.value;
  }
  return undefined;
}

function classNameOf(object) {
  if (types.isProxy(object)) return typeof object === 'function' ? 'Function' : 'Object';
  if (typeof object === 'function') return 'Function';
  if (object === globalThis) return 'global';
  for (let holder = object; holder !== null && !types.isProxy(holder); holder = Object.getPrototypeOf(holder)) {
    const maker = Reflect.getOwnPropertyDescriptor(holder, 'constructor')?.value;
    if (typeof maker !== 'function') continue;
    const name = Reflect.getOwnPropertyDescriptor(maker, 'name')?.value;
    if (typeof name === 'string' && name !== '') return name;
  }
  return getConstructorName(object) || 'Object';
}

const kSubtypes = [
  [Array.isArray, 'array'],
  [types.isRegExp, 'regexp'],
  [types.isDate, 'date'],
  [types.isMap, 'map'],
  [types.isSet, 'set'],
  [types.isWeakMap, 'weakmap'],
  [types.isWeakSet, 'weakset'],
  [types.isMapIterator, 'iterator'],
  [types.isSetIterator, 'iterator'],
  [types.isGeneratorObject, 'generator'],
  [types.isNativeError, 'error'],
  [types.isPromise, 'promise'],
  [types.isTypedArray, 'typedarray'],
  [types.isAnyArrayBuffer, 'arraybuffer'],
  [types.isDataView, 'dataview'],
  [types.isArgumentsObject, 'array'],
];

function subtypeOf(object) {
  if (types.isProxy(object)) return 'proxy';
  for (const [is, name] of eachEntry(kSubtypes)) {
    if (is(object)) return name;
  }
  return undefined;
}

function describeFunction(object) {
  try {
    return functionToString.call(object);
  } catch {
    return 'function () { [native code] }';
  }
}

const lengthOf = (object) => Reflect.getOwnPropertyDescriptor(object, 'length')?.value ?? 0;
const getter = (prototype, name) => Reflect.getOwnPropertyDescriptor(prototype, name).get;
const typedLength = getter(Object.getPrototypeOf(Uint8Array.prototype), 'length');
const mapSize = getter(Map.prototype, 'size'),
  setSize = getter(Set.prototype, 'size');
const bufferLength = getter(ArrayBuffer.prototype, 'byteLength'),
  sharedLength = getter(SharedArrayBuffer.prototype, 'byteLength');

const regexpGetter = (name) => getter(RegExp.prototype, name);
const regexpSource = regexpGetter('source');
// Letters of the flags, each with the getter that tells of it: `flags` itself asks the object, whose own getters may be the program's.
const regexpFlags = [
  ['d', regexpGetter('hasIndices')],
  ['g', regexpGetter('global')],
  ['i', regexpGetter('ignoreCase')],
  ['m', regexpGetter('multiline')],
  ['s', regexpGetter('dotAll')],
  ['u', regexpGetter('unicode')],
  ['v', regexpGetter('unicodeSets')],
  ['y', regexpGetter('sticky')],
];

function flagsOf(object) {
  let flags = '';
  for (const [letter, isSet] of eachEntry(regexpFlags)) {
    if (call0(isSet, object)) flags += letter;
  }
  return flags;
}

// Values that the language's own getters tell of an object, by kind, in the order in which they are shown.
const inherited = (prototype, names) => arrayMap.call(names, (name) => [name, getter(prototype, name)]);
const kInherited = {
  __proto__: null,
  regexp: inherited(RegExp.prototype, ['dotAll', 'flags', 'global', 'hasIndices', 'ignoreCase']),
  typedarray: inherited(Object.getPrototypeOf(Uint8Array.prototype), ['buffer', 'byteLength', 'byteOffset', 'length', Symbol.toStringTag]),
  dataview: inherited(DataView.prototype, ['buffer', 'byteLength', 'byteOffset']),
  arraybuffer: inherited(ArrayBuffer.prototype, ['byteLength', 'maxByteLength', 'resizable', 'detached']),
  sharedbuffer: inherited(SharedArrayBuffer.prototype, ['byteLength', 'maxByteLength', 'growable']),
};

function inheritedValue(object, key, read) {
  if (key === 'flags') return flagsOf(object);
  try {
    return call0(read, object);
  } catch {
    return undefined; // the buffer of a view is gone
  }
}

function describeError(object, className) {
  const stack = dataProperty(object, 'stack');
  if (typeof stack === 'string' && stack !== '') return withoutOwnFrames(stack);
  const message = dataProperty(object, 'message');
  return typeof message === 'string' && message !== '' ? `${className}: ${message}` : className;
}

function describeObject(object, subtype, className) {
  switch (subtype) {
    case 'proxy':
      return `Proxy(${classNameOf(getProxyDetails(object, false) ?? {})})`;
    case 'array':
      return `${className === 'Object' ? 'Arguments' : className}(${lengthOf(object)})`;
    case 'typedarray':
      return `${className}(${call0(typedLength, object)})`;
    case 'map':
      return `${className}(${call0(mapSize, object)})`;
    case 'set':
      return `${className}(${call0(setSize, object)})`;
    case 'arraybuffer':
      return `${className}(${call0(types.isSharedArrayBuffer(object) ? sharedLength : bufferLength, object)})`;
    case 'regexp':
      return `/${call0(regexpSource, object)}/${flagsOf(object)}`;
    case 'date':
      return dateToString.call(object);
    case 'error':
      return describeError(object, className);
    default:
      return className;
  }
}

function previewValue(value) {
  const type = typeof value;
  if (value === null) return { type: 'object', subtype: 'null', value: 'null' };
  if (type === 'string') return { type, value: value.length > kPreviewText ? `${stringSlice.call(value, 0, kPreviewText)}…` : value };
  if (type === 'symbol') return { type, value: describeSymbol(value) };
  if (type === 'function') return { type, value: '' };
  if (type !== 'object') return { type, value: unserializable(value) ?? String(value) };
  const subtype = subtypeOf(value);
  const result = { type, value: describeObject(value, subtype, classNameOf(value)) };
  if (subtype !== undefined) result.subtype = subtype;
  return result;
}

// For entries of maps and sets: a preview of one level less.
function entryPreview(value) {
  if (value !== null && typeof value === 'object') return preview(value, false);
  const { type, subtype, value: text } = previewValue(value);
  return { type, ...(subtype !== undefined && { subtype }), description: text, overflow: false, properties: [] };
}

const mapForEach = Map.prototype.forEach,
  setForEach = Set.prototype.forEach;

// Keys and values of a map in turn, or the values of a set.
function itemsOf(object) {
  const items = [];
  if (types.isMap(object)) call1(mapForEach, object, (value, key) => arrayPush.call(items, key, value));
  else call1(setForEach, object, (value) => arrayPush.call(items, value));
  return items;
}

function previewedEntries(object, subtype) {
  if (subtype !== 'map' && subtype !== 'set') return undefined;
  const items = itemsOf(object);
  const entries = [];
  const step = subtype === 'map' ? 2 : 1;
  for (let i = 0; i < items.length && entries.length < kPreviewProperties; i += step) {
    arrayPush.call(
      entries,
      step === 2 ? { key: entryPreview(items[i]), value: entryPreview(items[i + 1]) } : { value: entryPreview(items[i]) },
    );
  }
  return { entries, overflow: items.length > kPreviewProperties * step };
}

const isIndex = (key) => typeof key === 'string' && String(key >>> 0) === key;

function primitiveOf(object) {
  if (types.isNumberObject(object)) return numberValueOf.call(object);
  if (types.isStringObject(object)) return stringValueOf.call(object);
  if (types.isBooleanObject(object)) return booleanValueOf.call(object);
  return types.isBigIntObject(object) ? bigintValueOf.call(object) : symbolValueOf.call(object);
}

function previewedProperties(object, subtype) {
  const properties = [];
  let named = 0,
    indexed = 0;
  const isList = subtype === 'array' || subtype === 'typedarray';
  if (subtype === 'promise') {
    const details = getPromiseDetails(object);
    const state = details[0],
      result = details[1];
    arrayPush.call(properties, { name: '[[PromiseState]]', type: 'string', value: ['pending', 'fulfilled', 'rejected'][state] });
    if (state !== 0) arrayPush.call(properties, { name: '[[PromiseResult]]', ...previewValue(result) });
  }
  if (subtype === 'map' || subtype === 'set') {
    const size = call0(subtype === 'map' ? mapSize : setSize, object);
    arrayPush.call(properties, { name: 'size', ...previewValue(size) });
  }
  if (types.isBoxedPrimitive(object)) {
    arrayPush.call(properties, { name: '[[PrimitiveValue]]', ...previewValue(primitiveOf(object)) });
    return { properties, overflow: false };
  }
  for (const key of each(Reflect.ownKeys(object))) {
    if (isList && key === 'length') continue;
    const descriptor = Reflect.getOwnPropertyDescriptor(object, key);
    if (descriptor === undefined || !descriptor.enumerable) continue;
    const index = isList && isIndex(key);
    if (index ? indexed >= kPreviewIndexes : named >= kPreviewProperties) return { properties, overflow: true };
    if (index) indexed++;
    else named++;
    const name = typeof key === 'symbol' ? describeSymbol(key) : key;
    arrayPush.call(properties, 'value' in descriptor ? { name, ...previewValue(descriptor.value) } : { name, type: 'accessor' });
  }
  return { properties, overflow: addInherited(object, subtype, properties, named) };
}

// → whether there are too many.
function addInherited(object, subtype, properties, named) {
  const add = (key, value) => {
    if (named++ >= kPreviewProperties) return;
    arrayPush.call(properties, { name: typeof key === 'symbol' ? describeSymbol(key) : key, ...previewValue(value) });
  };
  if (subtype === 'regexp') add('lastIndex', dataProperty(object, 'lastIndex'));
  const list = kInherited[types.isSharedArrayBuffer(object) ? 'sharedbuffer' : subtype] ?? [];
  for (let i = 0; i < list.length; i++) {
    const { 0: key, 1: read } = list[i];
    if (Reflect.getOwnPropertyDescriptor(object, key) === undefined) add(key, inheritedValue(object, key, read));
  }
  return named > kPreviewProperties;
}

function preview(object, hasEntries = true) {
  if (typeof object === 'function') return { type: 'function', description: describeFunction(object), overflow: false, properties: [] };
  const subtype = subtypeOf(object);
  const target = subtype === 'proxy' ? (getProxyDetails(object, false) ?? {}) : object;
  const description = describeObject(object, subtype, classNameOf(object));
  const { properties, overflow } = types.isProxy(target) ? { properties: [], overflow: false } : previewedProperties(target, subtype);
  const entries = hasEntries ? previewedEntries(object, subtype) : undefined;
  const result = {
    type: 'object',
    ...(subtype !== undefined && { subtype }),
    description,
    overflow: overflow || entries?.overflow === true,
    properties,
  };
  if (entries !== undefined) result.entries = entries.entries;
  return result;
}

// `keep(value)` → objectId. Options: { generatePreview }.
function toRemoteObject(value, keep, options) {
  const type = typeof value;
  if (value === undefined) return { type };
  if (value === null) return { type, subtype: 'null', value: null };
  const text = unserializable(value);
  if (text !== undefined) return { type, unserializableValue: text, description: text };
  if (type === 'number') return { type, value, description: String(value) };
  if (type === 'string' || type === 'boolean') return { type, value };
  if (type === 'symbol') return { type, description: describeSymbol(value), objectId: keep(value) };
  const className = classNameOf(value);
  if (type === 'function') return { type, className, description: describeFunction(value), objectId: keep(value) };
  const subtype = subtypeOf(value);
  const result = {
    type,
    ...(subtype !== undefined && { subtype }),
    className,
    description: describeObject(value, subtype, className),
    objectId: keep(value),
  };
  if (options?.generatePreview) result.preview = preview(value);
  return result;
}

// As JSON, without toJSON() and getters; undefined properties are left out. Throws for what is too deep or goes round.
function toPlainValue(value, depth = 0) {
  if (depth > 1000) throw new RangeError('Object reference chain is too long');
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return unserializable(value) === undefined ? value : null;
  if (typeof value !== 'object' && typeof value !== 'function') return undefined;
  if (Array.isArray(value)) {
    const list = [];
    for (let i = 0; i < value.length; i++) arrayPush.call(list, toPlainValue(value[i], depth + 1) ?? null);
    return list;
  }
  const result = {};
  for (const key of each(Object.keys(value))) {
    const plain = toPlainValue(value[key], depth + 1);
    if (plain !== undefined) result[key] = plain;
  }
  return result;
}

function byValue(value) {
  const type = typeof value;
  if (
    value === undefined ||
    value === null ||
    unserializable(value) !== undefined ||
    type === 'symbol' ||
    (type !== 'object' && type !== 'function')
  ) {
    return toRemoteObject(value, () => undefined);
  }
  return { type, value: toPlainValue(value) };
}

module.exports = { byValue, dataProperty, describeSymbol, itemsOf, toRemoteObject };
