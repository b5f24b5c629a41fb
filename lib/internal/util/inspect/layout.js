// natives: none
// From the parts of an object to its text: on one line if it fits, many short array elements
// in columns, otherwise one part a line. Widths and thresholds are Node's, so that output is
// the same byte for byte.
'use strict';

const { getStringWidth, stripVTControlCharacters } = require('internal/util/inspect/width');

const kSeparator = 2; // ", "

// By concatenation, which shares the parts: deeply nested output is not copied level by level.
function join(parts, separator) {
  let text = '';
  for (let i = 0; i < parts.length; i++) text += i === 0 ? parts[i] : separator + parts[i];
  return text;
}

function columnCount(ctx, count, total, longest, average) {
  const cell = longest + kSeparator;
  const bias = Math.sqrt(cell - average);
  const biased = Math.max(cell - 3 - bias, 1);
  return Math.min(
    // A square, given that a character is about 2.5 times as high as wide.
    Math.round(Math.sqrt(2.5 * biased * count) / biased),
    Math.floor((ctx.breakLength - ctx.indentationLvl) / cell),
    ctx.compact * 4,
    15,
  );
}

// Numbers line up on the right, everything else on the left.
function alignsRight(parts, value) {
  if (value === undefined) return true;
  for (let i = 0; i < parts.length; i++) {
    if (typeof value[i] !== 'number' && typeof value[i] !== 'bigint') return false;
  }
  return true;
}

function layOutRow(parts, widths, columns, columnWidths, start, end, right) {
  let row = '';
  let i = start;
  for (; i < end - 1; i++) {
    // Colour codes take no column: pad by what they add to the length.
    const width = columnWidths[i - start] + parts[i].length - widths[i];
    row += right ? stringPadStart.call(`${parts[i]}, `, width) : stringPadEnd.call(`${parts[i]}, `, width);
  }
  if (!right) return row + parts[i];
  return row + stringPadStart.call(parts[i], columnWidths[i - start] + parts[i].length - widths[i] - kSeparator);
}

function groupArrayElements(ctx, parts, value) {
  const hasMore = ctx.maxArrayLength < parts.length;
  const count = hasMore ? parts.length - 1 : parts.length;
  const widths = [];
  let total = 0;
  let longest = 0;
  for (let i = 0; i < count; i++) {
    const width = getStringWidth(parts[i], ctx.colors);
    arrayPush.call(widths, width);
    total += width + kSeparator;
    if (width > longest) longest = width;
  }
  const cell = longest + kSeparator;
  // Three must fit on a line, and no element may dwarf the others.
  if (cell * 3 + ctx.indentationLvl >= ctx.breakLength || (total / cell <= 5 && longest > 6)) return parts;
  const columns = columnCount(ctx, count, total, longest, total / parts.length);
  if (columns <= 1) return parts;

  const columnWidths = [];
  for (let column = 0; column < columns; column++) {
    let width = 0;
    for (let i = column; i < count; i += columns) if (widths[i] > width) width = widths[i];
    arrayPush.call(columnWidths, width + kSeparator);
  }
  const right = alignsRight(parts, value);
  const rows = [];
  for (let i = 0; i < count; i += columns) {
    arrayPush.call(rows, layOutRow(parts, widths, columns, columnWidths, i, Math.min(i + columns, count), right));
  }
  if (hasMore) arrayPush.call(rows, parts[count]);
  return rows;
}

function fitsOnLine(ctx, parts, start, base) {
  let length = parts.length + start;
  if (length + parts.length > ctx.breakLength) return false;
  for (const part of each(parts)) {
    length += ctx.colors ? stripVTControlCharacters(part).length : part.length;
    if (length > ctx.breakLength) return false;
  }
  return base === '' || !stringIncludes.call(base, '\n');
}

// compact: true, the dense layout of old.
function joinDense(ctx, parts, base, open, close) {
  if (fitsOnLine(ctx, parts, 0, base)) {
    return `${open}${base ? ` ${base}` : ''} ${join(parts, ', ')} ${close}`;
  }
  const indentation = stringRepeat.call(' ', ctx.indentationLvl);
  const gap = base === '' && open.length === 1 ? ' ' : `${base ? ` ${base}` : ''}\n${indentation}  `;
  return `${open}${gap}${join(parts, `,\n${indentation}  `)} ${close}`;
}

function reduceToSingleString(ctx, parts, base, open, close, isList, depth, value) {
  if (ctx.compact === true) return joinDense(ctx, parts, base, open, close);
  const head = base ? `${base} ${open}` : open;
  if (typeof ctx.compact === 'number' && ctx.compact >= 1) {
    const count = parts.length;
    if (isList && count > 6) parts = groupArrayElements(ctx, parts, value);
    // Only the innermost `compact` levels go on one line, and grouped rows never do.
    if (ctx.currentDepth - depth < ctx.compact && count === parts.length) {
      const start = parts.length + ctx.indentationLvl + open.length + base.length + 10;
      if (fitsOnLine(ctx, parts, start, base)) {
        const line = join(parts, ', ');
        if (!stringIncludes.call(line, '\n')) return `${head} ${line} ${close}`;
      }
    }
  }
  const newline = `\n${stringRepeat.call(' ', ctx.indentationLvl)}`;
  return `${head}${newline}  ${join(parts, `,${newline}  `)}${newline}${close}`;
}

module.exports = { reduceToSingleString };
