// natives: util
// The inspector's name for a value: the constructor's name found on the prototype chain, the
// prefix with size and toStringTag, "[Function: f]", "[class A extends B]", "[Number: 3]".
'use strict';

const engine = native('util');
const core = require('internal/util/inspect/core');
const types = require('internal/util/types');
const { formatPrimitive } = require('internal/util/inspect/strings');
const { stylizeNoColor } = require('internal/util/inspect/styles');

const builtInNames = new Set([
  'AggregateError',
  'Array',
  'ArrayBuffer',
  'AsyncDisposableStack',
  'Atomics',
  'BigInt',
  'BigInt64Array',
  'BigUint64Array',
  'Boolean',
  'DataView',
  'Date',
  'DisposableStack',
  'Error',
  'EvalError',
  'FinalizationRegistry',
  'Float16Array',
  'Float32Array',
  'Float64Array',
  'Function',
  'Infinity',
  'Int16Array',
  'Int32Array',
  'Int8Array',
  'Intl',
  'Iterator',
  'JSON',
  'Map',
  'Math',
  'NaN',
  'Number',
  'Object',
  'Promise',
  'Proxy',
  'RangeError',
  'ReferenceError',
  'Reflect',
  'RegExp',
  'Set',
  'SharedArrayBuffer',
  'String',
  'SuppressedError',
  'Symbol',
  'SyntaxError',
  'TypeError',
  'URIError',
  'Uint16Array',
  'Uint32Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'WeakMap',
  'WeakRef',
  'WeakSet',
  'WebAssembly',
]);

// Found by identity, in case somebody tampered with their `constructor`.
const wellKnown = new Map(
  arrayMap.call(
    [
      program.Array,
      program.ArrayBuffer,
      Function,
      program.Map,
      program.Set,
      program.Object,
      Object.getPrototypeOf(Uint8Array),
      RegExp,
      program.Date,
      DataView,
      Error,
      AggregateError,
      RangeError,
      TypeError,
      Boolean,
      program.Number,
      program.String,
      program.Promise,
      program.WeakMap,
      program.WeakSet,
    ],
    (constructor) => [constructor.prototype, { name: constructor.name, constructor }],
  ),
);

const hasInstance = Function.prototype[Symbol.hasInstance];

function isInstance(object, constructor) {
  try {
    return object instanceof constructor;
  } catch {
    return false;
  }
}

// User-defined properties of up to three prototypes, shown with showHidden.
function addPrototypeProperties(ctx, main, object, depth, output) {
  const above = new Set();
  let keys = [];
  for (let layer = 0; layer < 3; layer++) {
    if (layer !== 0 || main === object) {
      object = Object.getPrototypeOf(object);
      if (object === null) return;
      const constructor = Object.getOwnPropertyDescriptor(object, 'constructor')?.value;
      if (typeof constructor === 'function' && builtInNames.has(constructor.name)) return;
    }
    for (const key of each(keys)) above.add(key);
    keys = Reflect.ownKeys(object);
    arrayPush.call(ctx.seen, main);
    for (const key of each(keys)) {
      if (key === 'constructor' || Object.hasOwn(main, key) || above.has(key)) continue;
      const descriptor = Object.getOwnPropertyDescriptor(object, key);
      if (typeof descriptor.value === 'function') continue;
      const shown = core.formatProperty(ctx, object, depth, key, core.kObject, descriptor, main);
      arrayPush.call(output, ctx.colors ? `\u001b[2m${shown}\u001b[22m` : shown);
    }
    arrayPop.call(ctx.seen);
  }
}

// The name a prototype itself gives, if it may speak for `value`.
function nameFrom(object, value) {
  const known = wellKnown.get(object);
  if (known !== undefined && call1(hasInstance, known.constructor, value)) return { name: known.name, builtIn: true };
  const constructor = Object.getOwnPropertyDescriptor(object, 'constructor')?.value;
  if (typeof constructor === 'function' && constructor.name !== '' && isInstance(value, constructor)) {
    return { name: String(constructor.name), builtIn: builtInNames.has(constructor.name) };
  }
  return undefined;
}

// null for an object without prototype. `protoProps` collects properties of prototypes.
function getConstructorName(value, ctx, depth, protoProps) {
  let firstProto;
  for (let object = value; object !== null && object !== undefined; ) {
    const found = nameFrom(object, value);
    if (found !== undefined) {
      if (protoProps !== undefined && (firstProto !== object || !found.builtIn)) {
        addPrototypeProperties(ctx, value, firstProto || value, depth, protoProps);
      }
      return found.name;
    }
    object = Object.getPrototypeOf(object);
    if (firstProto === undefined) firstProto = object;
  }
  if (firstProto === null) return null;

  const name = engine.getConstructorName(value);
  if (depth > ctx.depth && ctx.depth !== null) return `${name} <Complex prototype>`;
  const inner = getConstructorName(firstProto, ctx, depth + 1, protoProps);
  if (inner !== null) return `${name} <${inner}>`;
  const { inspect } = require('internal/util/inspect');
  return `${name} <${inspect(firstProto, { ...ctx, customInspect: false, depth: -1 })}>`;
}

// "Foo(2) [bar] ", always with a space at its end.
function getPrefix(constructor, tag, fallback, size = '') {
  if (constructor === null) {
    const shownTag = tag !== '' && fallback !== tag ? `[${tag}] ` : '';
    return `[${fallback}${size}: null prototype] ${shownTag}`;
  }
  if (tag === '') return `${constructor}${size} `;
  // A tag that is the name, with dots before it or not, stands for both.
  const dot = stringLastIndexOf.call(tag, '.');
  const last = dot >= 1 ? stringSlice.call(tag, dot + 1) : tag;
  return constructor === last ? `${tag}${size} ` : `${constructor}${size} [${tag}] `;
}

function getObjectPrefix(value, constructor, tag) {
  let fallback = '';
  if (constructor === null) {
    fallback = engine.getConstructorName(value);
    if (fallback === tag) fallback = 'Object';
  }
  return getPrefix(constructor, tag, fallback);
}

function getClassBase(value, constructor, tag) {
  const name = (Object.hasOwn(value, 'name') && value.name) || '(anonymous)';
  let base = `class ${name}`;
  if (constructor !== 'Function' && constructor !== null) base += ` [${constructor}]`;
  if (tag !== '' && constructor !== tag) base += ` [${tag}]`;
  if (constructor === null) {
    base += ' extends [null prototype]';
  } else {
    const superName = Object.getPrototypeOf(value).name;
    if (superName) base += ` extends ${superName}`;
  }
  return `[${base}]`;
}

const kClassHead = /^\s+[^(]*?\s*{/;
const kComments = /\/\/.*?\n|\/\*(?:.|\n)*?\*\//g;

function looksLikeClass(source) {
  if (!stringStartsWith.call(source, 'class') || !stringEndsWith.call(source, '}')) return false;
  const rest = stringSlice.call(source, 5, -1);
  const brace = stringIndexOf.call(rest, '{');
  if (brace === -1) return false;
  return !stringIncludes.call(stringSlice.call(rest, 0, brace), '(') || regexpTest.call(kClassHead, replaceMatches(rest, kComments, ''));
}

function getFunctionBase(ctx, value, constructor, tag) {
  if (looksLikeClass(functionToString.call(value))) return getClassBase(value, constructor, tag);
  let type = 'Function';
  if (types.isGeneratorFunction(value)) type = `Generator${type}`;
  if (types.isAsyncFunction(value)) type = `Async${type}`;
  let base = `[${type}${constructor === null ? ' (null prototype)' : ''}`;
  if (value.name === '') base += ' (anonymous)';
  else base += `: ${typeof value.name === 'string' ? value.name : core.formatValue(ctx, value.name)}`;
  base += ']';
  if (constructor !== type && constructor !== null) base += ` ${constructor}`;
  if (tag !== '' && constructor !== tag) base += ` [${tag}]`;
  return base;
}

function unbox(value) {
  if (types.isNumberObject(value)) return ['Number', numberValueOf.call(value)];
  if (types.isStringObject(value)) return ['String', stringValueOf.call(value)];
  if (types.isBooleanObject(value)) return ['Boolean', booleanValueOf.call(value)];
  if (types.isBigIntObject(value)) return ['BigInt', bigintValueOf.call(value)];
  return ['Symbol', symbolValueOf.call(value)];
}

function getBoxedBase(value, ctx, keys, constructor, tag) {
  const [type, primitive] = each(unbox(value));
  // A string object's characters are its first keys: the text already shows them.
  if (type === 'String') arraySplice.call(keys, 0, value.length);
  let base = `[${type}`;
  if (type !== constructor) base += constructor === null ? ' (null prototype)' : ` (${constructor})`;
  base += `: ${formatPrimitive(stylizeNoColor, primitive, ctx)}]`;
  if (tag !== '' && tag !== constructor) base += ` [${tag}]`;
  if (keys.length !== 0 || ctx.stylize === stylizeNoColor) return base;
  return ctx.stylize(base, stringToLowerCase.call(type));
}

module.exports = {
  builtInNames,
  getBoxedBase,
  getConstructorName,
  getFunctionBase,
  getObjectPrefix,
  getPrefix,
};
