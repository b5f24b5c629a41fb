// natives: float16, napi, util
// The inspector's recursion: formatValue (any value), formatRaw (an object: what it is, then
// its contents and properties, then the layout) and formatProperty. What a value is called,
// how collections, errors, strings and lines are written is in the sibling files, which call
// back into this one; so the exports stand before the requires.
'use strict';

const kObject = 0;
const kElement = 1;
Object.assign(exports, { formatProperty, formatValue, kElement, kObject, setPlatformFormat });

const engine = native('util');
const types = require('internal/util/types');
const names = require('internal/util/inspect/names');
const entries = require('internal/util/inspect/entries');
const errors = require('internal/util/inspect/errors');
const { escapeAll, formatNumber, formatPrimitive, quote } = require('internal/util/inspect/strings');
const { reduceToSingleString } = require('internal/util/inspect/layout');
const { getStringWidth } = require('internal/util/inspect/width');

const kCustom = Symbol.for('nodejs.util.inspect.custom');
const hasInstance = Function.prototype[Symbol.hasInstance];
const kMaxOutput = 2 ** 27;

const tooDeep = (ctx, depth) => depth > ctx.depth && ctx.depth !== null;

// --- any value

// In pages: how objects of the document are shown (html/document/inspecting): (value, format(inner value)) → text, or undefined.
// A custom function is called only if mayAsk(function): it is handed util.inspect.
let platformFormat;
let mayAsk;
function setPlatformFormat(format, mayAskCustom) {
  platformFormat = format;
  mayAsk = mayAskCustom;
}

function formatValue(ctx, value, depth, insideTypedArray) {
  if (value === null) return ctx.stylize('null', 'null');
  // An object may claim to be undefined (document.all does).
  if (typeof value !== 'object' && typeof value !== 'function' && (typeof value !== 'undefined' || value === undefined)) {
    return formatPrimitive(ctx.stylize, value, ctx);
  }

  const original = value;
  let proxies = 0;
  const proxy = engine.getProxyDetails(value, !!ctx.showProxy);
  if (proxy !== undefined) {
    if (ctx.showProxy) return formatProxy(ctx, proxy, depth);
    for (let target = proxy; target !== undefined; target = engine.getProxyDetails(value, false)) {
      if (target === null) return wrapProxies(ctx, ctx.stylize('<Revoked Proxy>', 'special'), proxies);
      value = target;
      proxies++;
    }
  }
  const platform = platformFormat?.(original, (inner) => formatValue(ctx, inner, depth));
  if (platform !== undefined) return stringReplaceAll.call(platform, '\n', `\n${stringRepeat.call(' ', ctx.indentationLvl)}`);
  if (ctx.customInspect) {
    const custom = value[kCustom];
    if (
      typeof custom === 'function' &&
      custom !== ctx.inspect &&
      (mayAsk === undefined || mayAsk(custom)) &&
      Object.getOwnPropertyDescriptor(value, 'constructor')?.value?.prototype !== value
    ) {
      const shown = formatCustom(ctx, custom, original, depth, proxies);
      if (shown !== undefined) return shown;
    }
  }
  if (arrayIncludes.call(ctx.seen, value)) return formatCircular(ctx, value);
  return wrapProxies(ctx, formatRaw(ctx, value, depth, insideTypedArray), proxies);
}

function wrapProxies(ctx, shown, proxies) {
  for (let i = 0; i < proxies; i++) shown = `${ctx.stylize('Proxy(', 'special')}${shown}${ctx.stylize(')', 'special')}`;
  return shown;
}

function formatProxy(ctx, proxy, depth) {
  if (proxy[0] === null) return ctx.stylize('<Revoked Proxy>', 'special');
  if (tooDeep(ctx, depth)) return ctx.stylize('Proxy [Array]', 'special');
  ctx.indentationLvl += 2;
  const parts = [formatValue(ctx, proxy[0], depth + 1), formatValue(ctx, proxy[1], depth + 1)];
  ctx.indentationLvl -= 2;
  return reduceToSingleString(ctx, parts, '', 'Proxy [', ']', true, depth + 1);
}

function formatCircular(ctx, value) {
  ctx.circular ??= new Map();
  let index = ctx.circular.get(value);
  if (index === undefined) ctx.circular.set(value, (index = ctx.circular.size + 1));
  return ctx.stylize(`[Circular *${index}]`, 'special');
}

// undefined when the method returned its own object: then it is shown as usual.
function formatCustom(ctx, custom, object, depth, proxies) {
  const left = ctx.depth === null ? null : ctx.depth - depth;
  const foreign = proxies !== 0 || !call1(hasInstance, program.Object, object);
  const result = call3(custom, object, left, userOptions(ctx, foreign), ctx.inspect);
  if (result === object) return undefined;
  if (typeof result !== 'string') return formatValue(ctx, result, depth);
  return stringReplaceAll.call(result, '\n', `\n${stringRepeat.call(' ', ctx.indentationLvl)}`);
}

function userOptions(ctx, foreign) {
  const options = {
    stylize: ctx.stylize,
    showHidden: ctx.showHidden,
    depth: ctx.depth,
    colors: ctx.colors,
    customInspect: ctx.customInspect,
    showProxy: ctx.showProxy,
    maxArrayLength: ctx.maxArrayLength,
    maxStringLength: ctx.maxStringLength,
    breakLength: ctx.breakLength,
    compact: ctx.compact,
    sorted: ctx.sorted,
    getters: ctx.getters,
    numericSeparator: ctx.numericSeparator,
    ...ctx.userOptions,
  };
  if (!foreign) return options;
  // An object of another realm gets nothing of ours that it could walk back from.
  Object.setPrototypeOf(options, null);
  for (const key of each(Object.keys(options))) {
    const type = typeof options[key];
    if ((type === 'object' || type === 'function') && options[key] !== null) delete options[key];
  }
  options.stylize = Object.setPrototypeOf((value, flavour) => {
    try {
      return `${ctx.stylize(value, flavour)}`;
    } catch {
      return value;
    }
  }, null);
  return options;
}

// --- an object

// Fields for formatRaw to fill in: `base` comes before the braces, `parts()` gives the contents,
// `extra` names getters shown as [name]; `done` is the whole text when nothing else follows.
class Shape {
  base = '';
  open = '{';
  close = '}';
  isList = false;
  keys = null;
  extra = null;
  parts = null;
  done = undefined;
}

function getKeys(value, showHidden) {
  const symbols = Object.getOwnPropertySymbols(value);
  if (showHidden) {
    const keys = Object.getOwnPropertyNames(value);
    return symbols.length === 0 ? keys : arrayConcat.call(keys, symbols);
  }
  let keys;
  try {
    keys = Object.keys(value);
  } catch {
    // A module namespace with a binding that is not initialised yet.
    keys = Object.getOwnPropertyNames(value);
  }
  for (const symbol of each(symbols)) {
    if (objectPropertyIsEnumerable.call(value, symbol)) arrayPush.call(keys, symbol);
  }
  return keys;
}

const setSize = Object.getOwnPropertyDescriptor(Set.prototype, 'size').get;
const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, 'size').get;
const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);
const typedArrayLength = Object.getOwnPropertyDescriptor(TypedArrayPrototype, 'length').get;
const typedArrayTag = Object.getOwnPropertyDescriptor(TypedArrayPrototype, Symbol.toStringTag).get;

function shapeArray(shape, ctx, value, { constructor, tag, bare }) {
  const prefix = constructor !== 'Array' || tag !== '' ? names.getPrefix(constructor, tag, 'Array', `(${value.length})`) : '';
  shape.keys = engine.getOwnNonIndexProperties(value, ctx.showHidden ? 0 : engine.kOnlyEnumerable);
  shape.open = `${prefix}[`;
  shape.close = ']';
  shape.isList = true;
  shape.parts = (depth) => entries.formatArray(ctx, value, depth);
  if (value.length === 0 && bare(shape.keys)) shape.done = `${shape.open}]`;
}

function shapeSet(shape, ctx, value, { constructor, tag, bare }) {
  const size = call0(setSize, value);
  const prefix = names.getPrefix(constructor, tag, 'Set', `(${size})`);
  shape.keys = getKeys(value, ctx.showHidden);
  const values = constructor !== null ? value : call0(Set.prototype.values, value);
  shape.parts = (depth) => entries.formatSet(ctx, values, size, depth);
  shape.open = `${prefix}{`;
  if (size === 0 && bare(shape.keys)) shape.done = `${prefix}{}`;
}

function shapeMap(shape, ctx, value, { constructor, tag, bare }) {
  const size = call0(mapSize, value);
  const prefix = names.getPrefix(constructor, tag, 'Map', `(${size})`);
  shape.keys = getKeys(value, ctx.showHidden);
  const pairs = constructor !== null ? value : call0(Map.prototype.entries, value);
  shape.parts = (depth) => entries.formatMap(ctx, pairs, size, depth);
  shape.open = `${prefix}{`;
  if (size === 0 && bare(shape.keys)) shape.done = `${prefix}{}`;
}

function shapeTypedArray(shape, ctx, value, { constructor, tag }) {
  shape.keys = engine.getOwnNonIndexProperties(value, ctx.showHidden ? 0 : engine.kOnlyEnumerable);
  const fallback = constructor === null ? (call0(typedArrayTag, value) ?? 'Float16Array') : '';
  const readable = constructor === null ? new program[fallback](value) : value;
  const size = types.isFloat16Array(value) ? native('float16').length(value) : call0(typedArrayLength, value);
  shape.open = `${names.getPrefix(constructor, tag, fallback, `(${size})`)}[`;
  shape.close = ']';
  shape.isList = true;
  shape.parts = () => entries.formatTypedArray(ctx, readable, size);
  if (ctx.showHidden) {
    shape.extra = ['BYTES_PER_ELEMENT', 'length', 'byteLength', 'byteOffset', 'buffer'];
    shape.insideTypedArray = true;
  } else if (value.length === 0 && shape.keys.length === 0) {
    shape.done = `${shape.open}]`;
  }
}

function shapeIterator(shape, ctx, value, kind, tag) {
  const own = `${kind} Iterator`;
  const shownTag = tag === own ? tag : `${tag === '' ? '' : `${tag}] [`}${own}`;
  shape.keys = getKeys(value, ctx.showHidden);
  shape.open = `[${shownTag}] {`;
  shape.parts = (depth) => {
    const [parts, isKeyValue] = each(entries.formatIterator(ctx, value, depth));
    if (isKeyValue) shape.open = replaceMatches(shape.open, / Iterator\] \{$/, ' Entries] {');
    return parts;
  };
}

function shapeIterable(shape, ctx, value, info) {
  if (Array.isArray(value)) shapeArray(shape, ctx, value, info);
  else if (types.isSet(value)) shapeSet(shape, ctx, value, info);
  else if (types.isMap(value)) shapeMap(shape, ctx, value, info);
  else if (types.isTypedArray(value)) shapeTypedArray(shape, ctx, value, info);
  else if (types.isMapIterator(value)) shapeIterator(shape, ctx, value, 'Map', info.tag);
  else if (types.isSetIterator(value)) shapeIterator(shape, ctx, value, 'Set', info.tag);
  else return false;
  return true;
}

function shapeDate(shape, ctx, value, { constructor, tag, bare }) {
  const time = dateGetTime.call(value);
  shape.base = Number.isNaN(time) ? dateToString.call(value) : dateToISOString.call(value);
  const prefix = names.getPrefix(constructor, tag, 'Date');
  if (prefix !== 'Date ') shape.base = `${prefix}${shape.base}`;
  if (bare(shape.keys)) shape.done = ctx.stylize(shape.base, 'date');
}

function shapeRegExp(shape, ctx, value, { constructor, tag, bare, depth }) {
  const text = regexpToString.call(constructor !== null ? value : new RegExp(value));
  const prefix = names.getPrefix(constructor, tag, 'RegExp');
  shape.base = ctx.stylize(prefix === 'RegExp ' ? text : `${prefix}${text}`, 'regexp');
  if (bare(shape.keys) || tooDeep(ctx, depth)) shape.done = shape.base;
}

function shapeArrayBuffer(shape, ctx, value, { constructor, tag, bare }, insideTypedArray) {
  const prefix = names.getPrefix(constructor, tag, types.isArrayBuffer(value) ? 'ArrayBuffer' : 'SharedArrayBuffer');
  if (insideTypedArray === undefined) {
    shape.parts = () => entries.formatArrayBuffer(ctx, value);
  } else if (bare(shape.keys)) {
    shape.done = `${prefix}{ [byteLength]: ${formatNumber(ctx.stylize, value.byteLength, false)} }`;
  }
  shape.open = `${prefix}{`;
  shape.extra = ['byteLength'];
}

function shapePlain(shape, value, { constructor, tag, bare }) {
  if (types.isArgumentsObject(value)) shape.open = '[Arguments] {';
  else if (tag !== '') shape.open = `${names.getPrefix(constructor, tag, 'Object')}{`;
  if (bare(shape.keys)) shape.done = `${shape.open}}`;
}

function shapeWeak(shape, ctx, value, { constructor, tag }, kind, showAll) {
  shape.open = `${names.getPrefix(constructor, tag, kind)}{`;
  shape.parts = ctx.showHidden ? (depth) => showAll(ctx, value, depth) : () => [ctx.stylize('<items unknown>', 'special')];
}

function shapeNamespace(shape, ctx, value, { constructor, tag }) {
  shape.open = `${names.getPrefix(constructor, tag, 'Module')}{`;
  const { keys } = shape;
  shape.keys = [];
  shape.parts = (depth) => entries.formatNamespace(ctx, value, depth, keys);
}

function isUrl(value) {
  return typeof value.href === 'string' && value instanceof requireLater('internal/url/url_class').URL;
}

function shapeOther(shape, ctx, value, info) {
  const { constructor, tag, bare } = info;
  if (isUrl(value) && !tooDeep(ctx, info.depth)) {
    shape.base = value.href;
    if (bare(shape.keys)) shape.done = shape.base;
    return;
  }
  const prefix = names.getObjectPrefix(value, constructor, tag);
  if (bare(shape.keys)) {
    shape.done = types.isExternal(value) ? ctx.stylize(`[External: ${native('napi').externalAddress(value)}]`, 'special') : `${prefix}{}`;
  }
  shape.open = `${prefix}{`;
}

function shapeObject(shape, ctx, value, info, insideTypedArray) {
  const { constructor, tag, bare } = info;
  shape.keys = getKeys(value, ctx.showHidden);
  if (typeof value === 'function') {
    shape.base = names.getFunctionBase(ctx, value, constructor, tag);
    if (bare(shape.keys)) shape.done = ctx.stylize(shape.base, 'special');
  } else if (constructor === 'Object') {
    shapePlain(shape, value, info);
  } else if (types.isRegExp(value)) {
    shapeRegExp(shape, ctx, value, info);
  } else if (types.isDate(value)) {
    shapeDate(shape, ctx, value, info);
  } else if (errors.isError(value)) {
    shape.base = errors.formatError(value, constructor, tag, ctx, shape.keys);
    if (bare(shape.keys)) shape.done = shape.base;
  } else if (types.isAnyArrayBuffer(value)) {
    shapeArrayBuffer(shape, ctx, value, info, insideTypedArray);
  } else if (types.isDataView(value)) {
    shape.open = `${names.getPrefix(constructor, tag, 'DataView')}{`;
    shape.extra = ['byteLength', 'byteOffset', 'buffer'];
  } else if (types.isPromise(value)) {
    shape.open = `${names.getPrefix(constructor, tag, 'Promise')}{`;
    shape.parts = (depth) => entries.formatPromise(ctx, value, depth);
  } else if (types.isWeakSet(value)) {
    shapeWeak(shape, ctx, value, info, 'WeakSet', entries.formatWeakSet);
  } else if (types.isWeakMap(value)) {
    shapeWeak(shape, ctx, value, info, 'WeakMap', entries.formatWeakMap);
  } else if (types.isModuleNamespaceObject(value)) {
    shapeNamespace(shape, ctx, value, info);
  } else if (types.isBoxedPrimitive(value)) {
    shape.base = names.getBoxedBase(value, ctx, shape.keys, constructor, tag);
    if (bare(shape.keys)) shape.done = shape.base;
  } else {
    shapeOther(shape, ctx, value, info);
  }
}

// Symbol.toStringTag, unless it is shown among the properties anyway.
function getTag(ctx, value) {
  let tag;
  try {
    tag = value[Symbol.toStringTag];
  } catch {
    return '';
  }
  if (typeof tag !== 'string' || tag === '') return '';
  const listed = ctx.showHidden ? Object.hasOwn(value, Symbol.toStringTag) : objectPropertyIsEnumerable.call(value, Symbol.toStringTag);
  return listed ? '' : tag;
}

function formatRaw(ctx, value, depth, insideTypedArray) {
  let protoProps = ctx.showHidden && !tooDeep(ctx, depth) ? [] : undefined;
  const constructor = names.getConstructorName(value, ctx, depth, protoProps);
  if (protoProps?.length === 0) protoProps = undefined;
  const info = {
    constructor,
    depth,
    tag: getTag(ctx, value),
    bare: (keys) => keys.length === 0 && protoProps === undefined,
  };
  const shape = new Shape();
  const isCollection = (Symbol.iterator in value || constructor === null) && shapeIterable(shape, ctx, value, info);
  if (!isCollection) shapeObject(shape, ctx, value, info, insideTypedArray);
  if (shape.done !== undefined) return shape.done;

  if (tooDeep(ctx, depth)) {
    const name = stringSlice.call(names.getObjectPrefix(value, constructor, info.tag), 0, -1);
    return ctx.stylize(constructor === null ? name : `[${name}]`, 'special');
  }
  const parts = formatParts(ctx, value, depth + 1, shape, protoProps, insideTypedArray);
  if (typeof parts === 'string') {
    const name = stringSlice.call(names.getObjectPrefix(value, constructor, info.tag), 0, -1);
    return ctx.stylize(`[${name}: Inspection interrupted prematurely. Maximum call stack size exceeded.]`, 'special');
  }
  return assemble(ctx, value, depth + 1, shape, parts);
}

// The contents, the extra getters, the properties, in that order; 'overflow' when the stack
// ran out below.
function formatParts(ctx, value, depth, shape, protoProps, insideTypedArray) {
  arrayPush.call(ctx.seen, value);
  ctx.currentDepth = depth;
  const indentation = ctx.indentationLvl;
  try {
    const parts = shape.parts === null ? [] : shape.parts(depth);
    const inTypedArray = shape.insideTypedArray ?? insideTypedArray;
    if (shape.extra !== null) {
      for (const key of each(shape.extra)) arrayPush.call(parts, formatExtra(ctx, value, depth, key, inTypedArray));
    }
    for (const key of each(shape.keys)) {
      arrayPush.call(parts, formatProperty(ctx, value, depth, key, kObject, undefined, value, shape.isList));
    }
    if (protoProps !== undefined) arrayPush.call(parts, ...each(protoProps));
    arrayPop.call(ctx.seen);
    return parts;
  } catch (error) {
    if (!require('internal/errors/coded').isStackOverflowError(error)) throw error;
    arrayPop.call(ctx.seen);
    ctx.indentationLvl = indentation;
    return 'overflow';
  }
}

function formatExtra(ctx, value, depth, key, insideTypedArray) {
  let content;
  try {
    content = value[key];
  } catch {
    // A detached DataView. Node indents what follows by two more; so do we.
    content = value.buffer[key];
    ctx.indentationLvl += 2;
  }
  ctx.indentationLvl += 2;
  const shown = formatValue(ctx, content, depth, insideTypedArray);
  ctx.indentationLvl -= 2;
  return `${ctx.stylize(`[${key}]`, 'string')}: ${shown}`;
}

function sortParts(ctx, shape, parts) {
  const compare = ctx.sorted === true ? undefined : ctx.sorted;
  if (!shape.isList) {
    arraySort.call(parts, compare);
  } else if (shape.keys.length > 1) {
    const at = parts.length - shape.keys.length;
    arrayPush.call(parts, ...each(arraySort.call(arraySplice.call(parts, at), compare)));
  }
}

function assemble(ctx, value, depth, shape, parts) {
  const index = ctx.circular?.get(value);
  if (index !== undefined) {
    const reference = ctx.stylize(`<ref *${index}>`, 'special');
    if (ctx.compact === true) shape.open = `${reference} ${shape.open}`;
    else shape.base = shape.base === '' ? reference : `${reference} ${shape.base}`;
  }
  if (ctx.sorted) sortParts(ctx, shape, parts);
  const text = reduceToSingleString(ctx, parts, shape.base, shape.open, shape.close, shape.isList, depth, value);
  // Enormous output: from here on show only names.
  const total = (ctx.budget[ctx.indentationLvl] || 0) + text.length;
  ctx.budget[ctx.indentationLvl] = total;
  if (total > kMaxOutput) ctx.depth = -1;
  return text;
}

// --- a property

function formatGetter(ctx, descriptor, object, depth) {
  const label = descriptor.set !== undefined ? 'Getter/Setter' : 'Getter';
  const special = (text) => ctx.stylize(text, 'special');
  const wanted =
    ctx.getters === true ||
    (ctx.getters === 'get' && descriptor.set === undefined) ||
    (ctx.getters === 'set' && descriptor.set !== undefined);
  if (!wanted) return special(`[${label}]`);
  ctx.indentationLvl += 2;
  let shown;
  try {
    const value = call0(descriptor.get, object);
    if (value === null) shown = `${special(`[${label}:`)} ${ctx.stylize('null', 'null')}${special(']')}`;
    else if (typeof value === 'object') shown = `${special(`[${label}]`)} ${formatValue(ctx, value, depth)}`;
    else shown = `${special(`[${label}:`)} ${formatPrimitive(ctx.stylize, value, ctx)}${special(']')}`;
  } catch (error) {
    shown = `${special(`[${label}:`)} <Inspection threw (${formatValue(ctx, error, depth)})>${special(']')}`;
  }
  ctx.indentationLvl -= 2;
  return shown;
}

function formatKey(ctx, key) {
  if (typeof key === 'symbol') return ctx.stylize(escapeAll(symbolToString.call(key)), 'symbol');
  if (key === '__proto__') return "['__proto__']";
  if (regexpTest.call(/^[a-zA-Z_][a-zA-Z_0-9]*$/, key)) return ctx.stylize(key, 'name');
  return ctx.stylize(quote(key), 'string');
}

function formatProperty(ctx, value, depth, key, kind, descriptor, original = value, inList = false) {
  descriptor ??= Object.getOwnPropertyDescriptor(value, key) ?? { value: value[key], writable: true, enumerable: true, configurable: true };
  let gap = ' ';
  let shown;
  if (descriptor.value !== undefined) {
    const indent = ctx.compact !== true || kind !== kObject || inList ? 2 : 3;
    ctx.indentationLvl += indent;
    shown = formatValue(ctx, descriptor.value, depth);
    if (indent === 3 && ctx.breakLength < getStringWidth(shown, ctx.colors)) {
      gap = `\n${stringRepeat.call(' ', ctx.indentationLvl)}`;
    }
    ctx.indentationLvl -= indent;
  } else if (descriptor.get !== undefined) {
    shown = formatGetter(ctx, descriptor, original, depth);
  } else if (descriptor.set !== undefined) {
    shown = ctx.stylize('[Setter]', 'special');
  } else {
    shown = ctx.stylize('undefined', 'undefined');
  }
  if (kind === kElement) return shown;
  const name = formatKey(ctx, key);
  return `${descriptor.enumerable === false ? `[${name}]` : name}:${gap}${shown}`;
}
