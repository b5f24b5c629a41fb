// natives: json, util
// JSON.rawJSON and JSON.isRawJSON, JSON.parse with a reviver, whose third argument holds the source of a primitive, and JSON.stringify
// where raw JSON was made: https://tc39.es/proposal-json-parse-with-source. The engine does all other calls (native('json')).
'use strict';

const kSpaces = '          ';
const kMaxLength = 2 ** 53 - 1;

const isObject = (value) => (typeof value === 'object' ? value !== null : typeof value === 'function');

// Of the realm that this file is loaded in; the exported function sets them.
let SyntaxError;
let TypeError;
let apply;
let deleteProperty;
let enginesParse;
let enginesStringify;
let floor;
let freeze;
let isArray;
let isSame;
let keysOf;
let ownProperty;
let rawWasMade;
let setOwn;
let raws; // get(object) and set(object, true), of all realms
let slice;
let types; // native('util')
let valuesOf; // boolean(object) and bigint(object)

module.exports = (intrinsics) => {
  ({ SyntaxError, TypeError, apply, floor, ownProperty } = intrinsics);
  ({ deleteProperty, freeze, isArray, isSame, keysOf, raws, slice, valuesOf } = intrinsics.json);
  ({ parse: enginesParse, stringify: enginesStringify } = intrinsics.json);
  types = intrinsics.native('util');
  ({ rawWasMade, setOwn } = intrinsics.native('json'));
  return { ...functions, parse, stringify };
};

const functions = {
  rawJSON(text) {
    const json = `${text}`;
    const ends = json === '' ? [''] : [json[0], json[json.length - 1]];
    if (ends[0] === '' || isWhite(ends[0]) || isWhite(ends[1])) throw new SyntaxError('Invalid value for JSON.rawJSON');
    if (ends[0] === '{' || ends[0] === '[') throw new SyntaxError('Invalid value for JSON.rawJSON');
    enginesParse(json);
    const raw = { __proto__: null, rawJSON: json };
    raws.set(raw, true);
    rawWasMade();
    return freeze(raw);
  },

  isRawJSON(value) {
    return isObject(value) && raws.get(value) === true;
  },
};

const isWhite = (character) => character === ' ' || character === '\n' || character === '\r' || character === '\t';

// Walks a text that the engine has accepted beside the value it made. Each value has a record: the value, its source if it is a primitive,
// and the records inside. Of keys that come twice the last counts, as the engine's value has it.
class Reader {
  #text;
  #at = 0;

  constructor(text) {
    this.#text = text;
  }

  #skipWhite() {
    const text = this.#text;
    let at = this.#at;
    while (isWhite(text[at])) at++;
    this.#at = at;
  }

  read(value) {
    this.#skipWhite();
    const first = this.#text[this.#at];
    if (first === '{') return this.#object(value);
    return first === '[' ? this.#array(value) : { value, source: this.#token(), inner: undefined };
  }

  // The source of a primitive, or of a key.
  #token() {
    const text = this.#text;
    const start = this.#at;
    let at = start;
    if (text[at] === '"') {
      for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++;
      at++;
    } else {
      while (at < text.length && !isEnd(text[at])) at++;
    }
    this.#at = at;
    return apply(slice, text, [start, at]);
  }

  // Whether another item follows; steps over the comma or the end.
  #hasMore(end) {
    this.#skipWhite();
    if (this.#text[this.#at] === ',') this.#at++;
    this.#skipWhite();
    if (this.#text[this.#at] !== end) return true;
    this.#at++;
    return false;
  }

  #array(value) {
    const inner = { __proto__: null };
    this.#at++;
    for (let index = 0; this.#hasMore(']'); index++) inner[index] = this.read(value?.[index]);
    return { value, source: undefined, inner };
  }

  #object(value) {
    const inner = { __proto__: null };
    this.#at++;
    while (this.#hasMore('}')) {
      const key = enginesParse(this.#token());
      this.#skipWhite();
      this.#at++; // the colon
      inner[key] = this.read(ownValue(value, key));
    }
    return { value, source: undefined, inner };
  }
}

const isEnd = (character) => character === ',' || character === ']' || character === '}' || isWhite(character);

// The engine's value may have a key `__proto__`.
function ownValue(object, key) {
  if (object === undefined || object === null) return undefined; // of a key that comes again
  return key === '__proto__' ? ownProperty(object, key)?.value : object[key];
}

function parse(text, reviver) {
  const json = `${text}`;
  const value = enginesParse(json);
  return internalize({ '': value }, '', reviver, new Reader(json).read(value));
}

// https://tc39.es/ecma262/#sec-internalizejsonproperty
function internalize(holder, name, reviver, record) {
  const value = holder[name];
  const isAsRead = record !== undefined && isSame(record.value, value);
  const inner = isAsRead ? record.inner : undefined;
  const context = isAsRead && inner === undefined ? { source: record.source } : {};
  if (isObject(value)) {
    if (isArray(value)) {
      const length = toLength(value.length);
      for (let index = 0; index < length; index++) revive(value, `${index}`, reviver, inner);
    } else {
      const keys = keysOf(value);
      for (let index = 0; index < keys.length; index++) revive(value, keys[index], reviver, inner);
    }
  }
  return apply(reviver, holder, [name, value, context]);
}

function revive(object, key, reviver, inner) {
  const value = internalize(object, key, reviver, inner?.[key]);
  if (value === undefined) deleteProperty(object, key);
  else setOwn(object, key, value);
}

function toLength(value) {
  const number = +value;
  if (!(number > 0)) return 0;
  return number > kMaxLength ? kMaxLength : floor(number);
}

// https://tc39.es/ecma262/#sec-json.stringify
function stringify(value, replacer, space) {
  const state = { call: undefined, keys: undefined, gap: '', indent: '', outer: undefined };
  if (typeof replacer === 'function') state.call = replacer;
  else if (isObject(replacer) && isArray(replacer)) state.keys = listedKeys(replacer);
  state.gap = gapOf(space);
  return serialize(state, '', { '': value });
}

function listedKeys(list) {
  const keys = [];
  const seen = { __proto__: null };
  const length = toLength(list.length);
  for (let index = 0; index < length; index++) {
    const item = list[index];
    const isName = typeof item === 'string' || typeof item === 'number' || types.isNumberObject(item) || types.isStringObject(item);
    if (!isName) continue;
    const key = `${item}`;
    if (seen[key]) continue;
    seen[key] = true;
    setOwn(keys, keys.length, key);
  }
  return keys;
}

function gapOf(space) {
  let value = space;
  if (types.isNumberObject(value)) value = +value;
  else if (types.isStringObject(value)) value = `${value}`;
  if (typeof value === 'number') {
    const count = value >= 10 ? 10 : value >= 1 ? floor(value) : 0;
    return apply(slice, kSpaces, [0, count]);
  }
  return typeof value === 'string' ? apply(slice, value, [0, 10]) : '';
}

// https://tc39.es/ecma262/#sec-serializejsonproperty
function serialize(state, key, holder) {
  let value = holder[key];
  if (isObject(value) || typeof value === 'bigint') {
    const { toJSON } = value;
    if (typeof toJSON === 'function') value = apply(toJSON, value, [key]);
  }
  if (state.call !== undefined) value = apply(state.call, holder, [key, value]);
  if (isObject(value)) {
    if (raws.get(value) === true) return value.rawJSON;
    value = unboxed(value);
  }
  switch (typeof value) {
    case 'string':
      return enginesStringify(value);
    case 'number':
      return value - value === 0 ? `${value}` : 'null';
    case 'boolean':
      return value ? 'true' : 'false';
    case 'bigint':
      throw new TypeError('Do not know how to serialize a BigInt');
    case 'object':
      if (value === null) return 'null';
      return serializeStructure(state, value);
    default:
      return undefined;
  }
}

function unboxed(object) {
  if (!types.isBoxedPrimitive(object)) return object;
  if (types.isNumberObject(object)) return +object;
  if (types.isStringObject(object)) return `${object}`;
  if (types.isBooleanObject(object)) return apply(valuesOf.boolean, object, []);
  return types.isBigIntObject(object) ? apply(valuesOf.bigint, object, []) : object; // a symbol's is an object like others
}

// https://tc39.es/ecma262/#sec-serializejsonobject, https://tc39.es/ecma262/#sec-serializejsonarray
function serializeStructure(state, value) {
  const { outer, indent, gap } = state;
  for (let around = outer; around !== undefined; around = around.outer) {
    if (around.value === value) throw new TypeError('Converting circular structure to JSON');
  }
  state.outer = { value, outer };
  state.indent = indent + gap;
  const text = isArray(value) ? items(state, value) : members(state, value);
  state.indent = indent;
  state.outer = outer;
  return text;
}

function members(state, object) {
  const keys = state.keys ?? keysOf(object);
  const colon = state.gap === '' ? ':' : ': ';
  let text = '';
  for (let index = 0; index < keys.length; index++) {
    const member = serialize(state, keys[index], object);
    if (member !== undefined) text += separated(state, text) + enginesStringify(keys[index]) + colon + member;
  }
  return enclosed(state, '{', text, '}');
}

function items(state, array) {
  const length = toLength(array.length);
  let text = '';
  for (let index = 0; index < length; index++) text += separated(state, text) + (serialize(state, `${index}`, array) ?? 'null');
  return enclosed(state, '[', text, ']');
}

const separated = ({ gap, indent }, before) => (before === '' ? '' : gap === '' ? ',' : `,\n${indent}`);

function enclosed({ gap, indent }, open, text, close) {
  if (text === '' || gap === '') return open + text + close;
  return `${open}\n${indent}${text}\n${apply(slice, indent, [0, indent.length - gap.length])}${close}`;
}
