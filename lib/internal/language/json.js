// natives: json, util
// JSON.rawJSON and JSON.isRawJSON, and those calls of JSON.stringify that the engine's cannot do once raw JSON was made:
// https://tc39.es/proposal-json-parse-with-source. The engine and native('json') do all others.
'use strict';

const kSpaces = '          ';
const kMaxLength = 2 ** 53 - 1;

const isObject = (value) => (typeof value === 'object' ? value !== null : typeof value === 'function');

// Of the realm that this file is loaded in; the exported function sets them.
let SyntaxError;
let TypeError;
let apply;
let enginesParse;
let enginesStringify;
let floor;
let freeze;
let isArray;
let keysOf;
let isRaw;
let makeRaw;
let setOwn;
let slice;
let types; // native('util')
let valuesOf; // boolean(object) and bigint(object)

module.exports = (intrinsics) => {
  ({ SyntaxError, TypeError, apply, floor } = intrinsics);
  ({ freeze, isArray, keysOf, slice, valuesOf } = intrinsics.json);
  ({ parse: enginesParse, stringify: enginesStringify } = intrinsics.json);
  types = intrinsics.native('util');
  ({ isRaw, makeRaw, setOwn } = intrinsics.native('json'));
  return { ...functions, stringify };
};

const functions = {
  rawJSON(text) {
    const json = `${text}`;
    const ends = json === '' ? [''] : [json[0], json[json.length - 1]];
    if (ends[0] === '' || isWhite(ends[0]) || isWhite(ends[1])) throw new SyntaxError('Invalid value for JSON.rawJSON');
    if (ends[0] === '{' || ends[0] === '[') throw new SyntaxError('Invalid value for JSON.rawJSON');
    enginesParse(json);
    return freeze(makeRaw(json));
  },

  isRawJSON(value) {
    return isRaw(value);
  },
};

const isWhite = (character) => character === ' ' || character === '\n' || character === '\r' || character === '\t';

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
    if (isRaw(value)) return value.rawJSON;
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
