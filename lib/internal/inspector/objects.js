// natives: inspector, util
//
// The objects that one session of the protocol refers to by id, in groups, and Runtime.getProperties over them.

'use strict';

const binding = native('inspector');
const { getPromiseDetails, getProxyDetails } = native('util');
const { byValue, describeSymbol, itemsOf, toRemoteObject } = require('internal/inspector/remote_object');
const { ProtocolError } = require('internal/inspector/protocol_error');
const types = require('internal/util/types');

const isIndex = (key) => typeof key === 'string' && String(key >>> 0) === key;

// Scopes of a stopped frame under one id: their variables are its properties.
class ScopeParts {
  constructor(parts) {
    this.parts = parts;
  }
}

class ObjectStore {
  #prefix;
  #next = 1;
  #values = new Map(); // id → { value, group }

  constructor(prefix) {
    this.#prefix = prefix;
  }

  keep(value, group) {
    const id = `${this.#prefix}.1.${this.#next++}`;
    this.#values.set(id, { value, group });
    return id;
  }

  get(id) {
    const held = this.#values.get(id);
    if (held === undefined) throw new ProtocolError(-32000, 'Could not find object with given id');
    return held.value;
  }

  groupOf(id) {
    return this.#values.get(id)?.group;
  }
  release(id) {
    this.#values.delete(id);
  }

  releaseGroup(group) {
    for (const [id, held] of eachEntry(Array.from(this.#values))) {
      if (held.group === group) this.#values.delete(id);
    }
  }

  remote(value, group, options) {
    if (options?.returnByValue) {
      try {
        return byValue(value);
      } catch {
        throw new ProtocolError(-32000, 'Object reference chain is too long');
      }
    }
    return toRemoteObject(value, (object) => this.keep(object, group), options);
  }

  // The value that a CallArgument stands for.
  argument(given) {
    if (given === null || typeof given !== 'object') return undefined;
    if (given.objectId !== undefined) return this.get(given.objectId);
    if (given.unserializableValue !== undefined) return unserialized(String(given.unserializableValue));
    return given.value;
  }
}

function unserialized(text) {
  switch (text) {
    case 'NaN':
      return NaN;
    case 'Infinity':
      return Infinity;
    case '-Infinity':
      return -Infinity;
    case '-0':
      return -0;
    default:
      if (regexpTest.call(/^-?\d+n$/, text)) return BigInt(stringSlice.call(text, 0, -1));
      throw new ProtocolError(-32000, "Couldn't parse value object in call argument");
  }
}

function descriptorOf(store, group, object, key, isOwn, options) {
  const found = Reflect.getOwnPropertyDescriptor(object, key);
  if (found === undefined) return undefined;
  const isSymbol = typeof key === 'symbol';
  const result = { name: isSymbol ? describeSymbol(key) : key };
  if ('value' in found) {
    result.value = store.remote(found.value, group, options);
    result.writable = found.writable;
  } else {
    result.get = store.remote(found.get, group);
    result.set = store.remote(found.set, group);
  }
  result.configurable = found.configurable;
  result.enumerable = found.enumerable;
  result.isOwn = isOwn;
  if (isSymbol) result.symbol = store.remote(key, group);
  return result;
}

function scopeProperties(store, group, { parts }, options) {
  const result = [];
  const seen = new Set();
  for (const part of each(parts)) {
    for (const name of each(Object.getOwnPropertyNames(part))) {
      if (seen.has(name) || name === 'this') continue;
      seen.add(name);
      let value,
        hasValue = true;
      try {
        value = part[name];
      } catch {
        // in its temporal dead zone
        hasValue = false;
      }
      const property = { name, configurable: true, enumerable: true, isOwn: true };
      if (hasValue) {
        property.value = store.remote(value, group, options);
        property.writable = true;
      }
      arrayPush.call(result, property);
    }
  }
  return { result };
}

function propertiesOf(store, id, params) {
  const object = store.get(id);
  const group = store.groupOf(id);
  const options = { generatePreview: params.generatePreview === true };
  if (object instanceof ScopeParts) return scopeProperties(store, group, object, options);
  if (object === null || (typeof object !== 'object' && typeof object !== 'function'))
    throw new ProtocolError(-32000, 'Value with given id is not an object');
  const result = [];
  const seen = new Set();
  for (let holder = object; holder !== null && holder !== undefined; holder = params.ownProperties ? null : Object.getPrototypeOf(holder)) {
    for (const key of each(Reflect.ownKeys(holder))) {
      if (seen.has(key) || (params.nonIndexedPropertiesOnly && isIndex(key))) continue;
      seen.add(key);
      const descriptor = descriptorOf(store, group, holder, key, holder === object, options);
      if (descriptor === undefined || (params.accessorPropertiesOnly && 'value' in descriptor)) continue;
      arrayPush.call(result, descriptor);
    }
  }
  const answer = { result };
  const internal = params.accessorPropertiesOnly ? [] : internalProperties(store, group, object, options);
  if (internal.length > 0) answer.internalProperties = internal;
  return answer;
}

function internalProperties(store, group, object, options) {
  const list = [];
  const add = (name, value) => arrayPush.call(list, { name, value: store.remote(value, group, options) });
  if (types.isProxy(object)) {
    const details = getProxyDetails(object, true) ?? [null, null];
    add('[[Handler]]', details[1]);
    add('[[Target]]', details[0]);
    add('[[IsRevoked]]', details[0] === null);
    return list;
  }
  add('[[Prototype]]', Object.getPrototypeOf(object));
  if (types.isPromise(object)) {
    const details = getPromiseDetails(object);
    add('[[PromiseState]]', ['pending', 'fulfilled', 'rejected'][details[0]]);
    add('[[PromiseResult]]', details[1]);
  } else if (types.isMap(object) || types.isSet(object)) {
    add('[[Entries]]', entriesOf(object));
  } else if (types.isBoxedPrimitive(object)) {
    add('[[PrimitiveValue]]', object.valueOf());
  } else if (typeof object === 'function') {
    addPlace(list, binding.functionPlace(object));
  }
  return list;
}

function addPlace(list, place) {
  if (place === undefined) return;
  const value = { scriptId: String(place[0]), lineNumber: place[1], columnNumber: place[2] };
  const described = { type: 'object', subtype: 'internal#location', value, description: 'Object' };
  arrayUnshift.call(list, { name: '[[FunctionLocation]]', value: described });
}

function entriesOf(object) {
  const items = itemsOf(object);
  const entries = [];
  const step = types.isMap(object) ? 2 : 1;
  for (let i = 0; i < items.length; i += step) {
    arrayPush.call(entries, step === 2 ? { __proto__: null, key: items[i], value: items[i + 1] } : { __proto__: null, value: items[i] });
  }
  return entries;
}

module.exports = { ObjectStore, ScopeParts, propertiesOf };
