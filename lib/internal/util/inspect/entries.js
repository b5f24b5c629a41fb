// natives: util
// The contents of built-in collections as a list of texts: arrays, typed arrays, sets, maps,
// their iterators, weak collections, array buffers, promises, module namespaces.
// Called by internal/util/inspect/core once it knows what a value is.
'use strict';

const engine = native('util');
const core = require('internal/util/inspect/core');
const { formatBigInt, formatNumber } = require('internal/util/inspect/strings');
const { reduceToSingleString } = require('internal/util/inspect/layout');

const more = (left) => `... ${left} more item${left > 1 ? 's' : ''}`;
const limitOf = (ctx, length) => Math.min(Math.max(0, ctx.maxArrayLength), length);
const holes = (ctx, count) => ctx.stylize(`<${count} empty item${count > 1 ? 's' : ''}>`, 'undefined');

// From the first hole on: walk the keys, write each gap as one part.
function formatSparse(ctx, value, depth, limit, output, from) {
  const keys = Object.keys(value);
  let index = from;
  for (let i = from; i < keys.length && output.length < limit; i++) {
    const key = keys[i];
    const number = +key;
    if (number > 2 ** 32 - 2) break;
    if (`${index}` !== key) {
      if (!regexpTest.call(/^(0|[1-9][0-9]*)$/, key)) break;
      arrayPush.call(output, holes(ctx, number - index));
      index = number;
      if (output.length === limit) break;
    }
    arrayPush.call(output, core.formatProperty(ctx, value, depth, key, core.kElement));
    index++;
  }
  const left = value.length - index;
  if (left > 0) arrayPush.call(output, output.length === limit ? more(left) : holes(ctx, left));
  return output;
}

function formatArray(ctx, value, depth) {
  const limit = limitOf(ctx, value.length);
  const output = [];
  for (let i = 0; i < limit; i++) {
    const descriptor = Object.getOwnPropertyDescriptor(value, i);
    if (descriptor === undefined) return formatSparse(ctx, value, depth, limit, output, i);
    arrayPush.call(output, core.formatProperty(ctx, value, depth, i, core.kElement, descriptor));
  }
  if (value.length > limit) arrayPush.call(output, more(value.length - limit));
  return output;
}

function formatTypedArray(ctx, value, length) {
  const limit = limitOf(ctx, length);
  const write = value.length > 0 && typeof value[0] === 'number' ? formatNumber : formatBigInt;
  const output = [];
  for (let i = 0; i < limit; i++) arrayPush.call(output, write(ctx.stylize, value[i], ctx.numericSeparator));
  if (value.length > limit) arrayPush.call(output, more(value.length - limit));
  return output;
}

// Runs `format` two columns deeper.
function indented(ctx, format) {
  ctx.indentationLvl += 2;
  const result = format();
  ctx.indentationLvl -= 2;
  return result;
}

function formatIterable(ctx, iterable, size, format) {
  const limit = limitOf(ctx, size);
  return indented(ctx, () => {
    const output = [];
    if (limit > 0) {
      for (const item of each(iterable)) {
        arrayPush.call(output, format(item));
        if (output.length >= limit) break;
      }
    }
    if (size > limit) arrayPush.call(output, more(size - limit));
    return output;
  });
}

function formatSet(ctx, values, size, depth) {
  return formatIterable(ctx, values, size, (value) => core.formatValue(ctx, value, depth));
}

function formatMap(ctx, entries, size, depth) {
  return formatIterable(
    ctx,
    entries,
    size,
    (entry) => `${core.formatValue(ctx, entry[0], depth)} => ${core.formatValue(ctx, entry[1], depth)}`,
  );
}

// `flat` holds values, or keys and values in turn.
function formatPreview(ctx, flat, step, format, sortIt) {
  const length = flat.length / step;
  const limit = limitOf(ctx, length);
  const output = indented(ctx, () => {
    const parts = [];
    for (let i = 0; i < limit; i++) arrayPush.call(parts, format(i * step));
    return parts;
  });
  if (sortIt && !ctx.sorted) arraySort.call(output);
  if (length > limit) arrayPush.call(output, more(length - limit));
  return output;
}

function formatWeakSet(ctx, value, depth) {
  const flat = engine.previewEntries(value);
  return formatPreview(ctx, flat, 1, (i) => core.formatValue(ctx, flat[i], depth), true);
}

function formatWeakMap(ctx, value, depth) {
  const flat = engine.previewEntries(value);
  return formatPreview(
    ctx,
    flat,
    2,
    (i) => `${core.formatValue(ctx, flat[i], depth)} => ${core.formatValue(ctx, flat[i + 1], depth)}`,
    true,
  );
}

// Gives the parts and whether the iterator yields entries.
function formatIterator(ctx, value, depth) {
  const [flat, isKeyValue] = each(engine.previewEntries(value, true));
  if (!isKeyValue) {
    return [formatPreview(ctx, flat, 1, (i) => core.formatValue(ctx, flat[i], depth), false), false];
  }
  return [
    formatPreview(
      ctx,
      flat,
      2,
      (i) => {
        const pair = [core.formatValue(ctx, flat[i], depth), core.formatValue(ctx, flat[i + 1], depth)];
        return reduceToSingleString(ctx, pair, '', '[', ']', true, depth);
      },
      false,
    ),
    true,
  ];
}

function formatArrayBuffer(ctx, value) {
  let bytes;
  try {
    bytes = new Uint8Array(value);
  } catch {
    return [ctx.stylize('(detached)', 'special')];
  }
  const limit = limitOf(ctx, bytes.length);
  const hex = [];
  for (let i = 0; i < limit; i++) arrayPush.call(hex, stringPadStart.call(numberToString.call(bytes[i], 16), 2, '0'));
  const left = bytes.length - ctx.maxArrayLength;
  const trailer = left > 0 ? ` ... ${left} more byte${left > 1 ? 's' : ''}` : '';
  return [`${ctx.stylize('[Uint8Contents]', 'special')}: <${arrayJoin.call(hex, ' ')}${trailer}>`];
}

function formatPromise(ctx, value, depth) {
  const [state, result] = each(engine.getPromiseDetails(value));
  if (state === engine.kPending) return [ctx.stylize('<pending>', 'special')];
  const shown = indented(ctx, () => core.formatValue(ctx, result, depth));
  return [state === engine.kRejected ? `${ctx.stylize('<rejected>', 'special')} ${shown}` : shown];
}

// A binding that is not initialised yet throws when read.
function formatNamespace(ctx, value, depth, keys) {
  return arrayMap.call(keys, (key) => {
    try {
      return core.formatProperty(ctx, value, depth, key, core.kObject);
    } catch {
      const empty = core.formatProperty(ctx, { [key]: '' }, depth, key, core.kObject);
      return stringSlice.call(empty, 0, stringLastIndexOf.call(empty, ' ') + 1) + ctx.stylize('<uninitialized>', 'special');
    }
  });
}

module.exports = {
  formatArray,
  formatArrayBuffer,
  formatIterator,
  formatMap,
  formatNamespace,
  formatPromise,
  formatSet,
  formatTypedArray,
  formatWeakMap,
  formatWeakSet,
};
