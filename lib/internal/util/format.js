// natives: util
// util.format: printf-like placeholders, the rest joined by spaces. console.log's formatter.
'use strict';

const engine = native('util');
const { inspect, inspectDefaultOptions } = require('internal/util/inspect');
const { builtInNames } = require('internal/util/inspect/names');
const { formatBigInt, formatNumber } = require('internal/util/inspect/strings');
const { stylizeNoColor } = require('internal/util/inspect/styles');

// Whether String(value) would only say "[object Object]" or the like.
function hasBuiltInToString(value) {
  const target = engine.getProxyDetails(value, false);
  if (target !== undefined) return target === null || hasBuiltInToString(target);
  const converters = [];
  if (typeof value.toString === 'function') arrayPush.call(converters, 'toString');
  if (typeof value[Symbol.toPrimitive] === 'function') arrayPush.call(converters, Symbol.toPrimitive);
  if (converters.length === 0) return true;

  let owner = value;
  while (!arraySome.call(converters, (name) => Object.hasOwn(owner, name))) owner = Object.getPrototypeOf(owner);
  if (owner === value) return false;
  const constructor = Object.getOwnPropertyDescriptor(owner, 'constructor')?.value;
  return typeof constructor === 'function' && builtInNames.has(constructor.name);
}

function isCircular(error) {
  if (error.name !== 'TypeError') return false;
  try {
    const loop = {};
    loop.loop = loop;
    JSON.stringify(loop);
  } catch (typical) {
    return stringSplit.call(error.message, '\n', 1)[0] === stringSplit.call(typical.message, '\n', 1)[0];
  }
}

function stringify(value) {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (isCircular(error)) return '[Circular]';
    throw error;
  }
}

function writeNumber(value, options, convert) {
  if (typeof value === 'symbol') return 'NaN';
  const separators = options?.numericSeparator ?? inspectDefaultOptions.numericSeparator;
  if (typeof value === 'bigint' && convert !== Number.parseFloat) return formatBigInt(stylizeNoColor, value, separators);
  return formatNumber(stylizeNoColor, convert(value), separators);
}

function writeString(value, options) {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return writeNumber(value, options, Number);
  if (typeof value !== 'object' || value === null || !hasBuiltInToString(value)) return String(value);
  return inspect(value, { ...options, compact: 3, colors: false, depth: 0 });
}

const placeholders = {
  __proto__: null,
  s: writeString,
  j: stringify,
  d: (value, options) => writeNumber(value, options, Number),
  i: (value, options) => writeNumber(value, options, Number.parseInt),
  f: (value, options) => writeNumber(value, options, Number.parseFloat),
  o: (value, options) => inspect(value, { ...options, showHidden: true, showProxy: true, depth: 4 }),
  O: (value, options) => inspect(value, options),
  c: () => '',
};

// Fills placeholders of args[0]; gives the text and how many arguments it used up.
function fill(args, options) {
  const template = args[0];
  let used = 1;
  let text = '';
  let from = 0;
  for (let at = stringIndexOf.call(template, '%'); at !== -1 && at < template.length - 1; at = stringIndexOf.call(template, '%', at)) {
    const letter = template[at + 1];
    if (letter === '%') {
      text += stringSlice.call(template, from, at + 1);
      from = at + 2;
    } else if (used < args.length && placeholders[letter] !== undefined) {
      text += stringSlice.call(template, from, at) + placeholders[letter](args[used++], options);
      from = at + 2;
    }
    at += 2;
  }
  // Untouched, the template counts as an ordinary first argument.
  return from === 0 ? { text: '', used: 0 } : { text: text + stringSlice.call(template, from), used };
}

function formatArguments(options, args) {
  let text = '';
  let next = 0;
  if (typeof args[0] === 'string') {
    if (args.length === 1) return args[0];
    if (stringIncludes.call(args[0], '%')) ({ text, used: next } = fill(args, options));
  }
  let gap = next === 0 ? '' : ' ';
  for (; next < args.length; next++) {
    const value = args[next];
    text += gap + (typeof value === 'string' ? value : inspect(value, options));
    gap = ' ';
  }
  return text;
}

function format(...args) {
  return formatArguments(undefined, args);
}

function formatWithOptions(inspectOptions, ...args) {
  const { kValidateObjectAllowArray, validateObject } = require('internal/util/validators');
  validateObject(inspectOptions, 'inspectOptions', kValidateObjectAllowArray);
  return formatArguments(inspectOptions, args);
}

module.exports = { format, formatArguments, formatWithOptions };
