// natives: none
// Headers (https://fetch.spec.whatwg.org/#headers-class): a case-insensitive multimap kept in order of lower-case names.
'use strict';

const { codes: { ERR_INVALID_THIS, ERR_MISSING_ARGS } } = require('internal/errors/coded');
const { enumerable, stringTag } = require('web/event');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

function checkName(name) {
  name = `${name}`;
  if (!kToken.test(name)) throw new TypeError(`Headers.append: ${name} is an invalid header name.`);
  return name.toLowerCase();
}

function checkValue(value) {
  value = `${value}`.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
  if (/[\0\r\n]|[^\0-\xff]/.test(value)) throw new TypeError(`Headers.append: ${value} is an invalid header value.`);
  return value;
}

let mapOf;

class Headers {
  #map = new Map();  // lower-case name → values

  constructor(init = undefined) {
    if (init === undefined) return;
    if (init === null || typeof init !== 'object') {
      throw new TypeError('Headers constructor: init given is not an object or a sequence of pairs.');
    }
    const pairs = typeof init[Symbol.iterator] === 'function' ? init : Object.entries(init);
    for (const pair of each(pairs)) {
      const both = [...each(pair)];
      if (both.length !== 2) throw new TypeError('Headers constructor: each header must be a name/value pair.');
      this.append(both[0], both[1]);
    }
  }

  static {
    mapOf = (headers) => {
      if (typeof headers !== 'object' || headers === null || !(#map in headers)) throw new ERR_INVALID_THIS('Headers');
      return headers.#map;
    };
  }

  append(name, value) {
    const map = mapOf(this);
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('name', 'value');
    const key = checkName(name);
    const values = map.get(key);
    if (values === undefined) map.set(key, [checkValue(value)]);
    else values.push(checkValue(value));
  }

  delete(name) {
    const map = mapOf(this);
    if (arguments.length < 1) throw new ERR_MISSING_ARGS('name');
    map.delete(checkName(name));
  }

  get(name) {
    const map = mapOf(this);
    if (arguments.length < 1) throw new ERR_MISSING_ARGS('name');
    return map.get(checkName(name))?.join(', ') ?? null;
  }

  getSetCookie() {
    return [...(each(mapOf(this).get('set-cookie') ?? []))];
  }

  has(name) {
    const map = mapOf(this);
    if (arguments.length < 1) throw new ERR_MISSING_ARGS('name');
    return map.has(checkName(name));
  }

  set(name, value) {
    const map = mapOf(this);
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('name', 'value');
    map.set(checkName(name), [checkValue(value)]);
  }

  // Sorted by name, as the Standard iterates; each Set-Cookie stands alone.
  *entries() {
    const map = mapOf(this);
    for (const name of each([...each(map.keys())].sort())) {
      const values = map.get(name);
      if (name === 'set-cookie') for (const value of each(values)) yield [name, value];
      else yield [name, values.join(', ')];
    }
  }

  *keys() {
    for (const [name] of eachEntry(this.entries())) yield name;
  }

  *values() {
    for (const [, value] of eachEntry(this.entries())) yield value;
  }

  forEach(callback, thisArg = undefined) {
    if (typeof callback !== 'function') throw new TypeError("Failed to execute 'forEach' on 'Headers': parameter 1 is not of type 'Function'.");
    for (const [name, value] of eachEntry(this.entries())) callback.call(thisArg, value, name, this);
  }

  [kInspect](depth, options) {
    const { inspect } = require('internal/util/inspect');
    return `Headers ${inspect(Object.fromEntries(each(this.entries())), options)}`;
  }
}

enumerable(Headers.prototype, [
  'append', 'delete', 'get', 'getSetCookie', 'has', 'set', 'entries', 'keys', 'values', 'forEach',
]);
stringTag(Headers, 'Headers');
Object.defineProperty(Headers.prototype, Symbol.iterator, {
  configurable: true, enumerable: false, writable: true, value: Headers.prototype.entries,
});

module.exports = { Headers };
