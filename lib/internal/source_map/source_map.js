// natives: none
//
// module.SourceMap: a source map (ECMA-426) read once into a sorted table of
// mappings, and searched by place in the generated text. The maps of files are
// kept by cache.js.

'use strict';

const kDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
let digitValues;

// Fields of one segment, as differences to those before: base 64, five bits a digit, the lowest bit is the sign.
function decodeSegment(text) {
  if (digitValues === undefined) {
    digitValues = new Map();
    for (let i = 0; i < kDigits.length; i++) digitValues.set(kDigits[i], i);
  }
  const fields = [];
  let value = 0;
  let shift = 0;
  for (const character of each(text)) {
    const digit = digitValues.get(character) ?? 0;
    value |= (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    const magnitude = value >>> 1;
    arrayPush.call(fields, value & 1 ? (magnitude === 0 ? -0x80000000 : -magnitude) : magnitude);
    value = 0;
    shift = 0;
  }
  return fields;
}

// A mapping: [generated line, generated column, source, original line, original column, name], places zero-based.
function readMappings(map, firstLine, firstColumn, into) {
  let line = firstLine;
  let column = firstColumn;
  let source = 0;
  let originalLine = 0;
  let originalColumn = 0;
  let name = 0;
  arrayForEach.call(stringSplit.call(map.mappings, ';'), (group, i) => {
    if (i > 0) {
      line++;
      column = 0;
    }
    if (group === '') return;
    for (const segment of each(stringSplit.call(group, ','))) {
      if (segment === '') continue;
      const fields = decodeSegment(segment);
      column += fields[0];
      if (fields.length === 1) {
        arrayPush.call(into, [line, column]);
        continue;
      }
      source += fields[1];
      originalLine += fields[2];
      originalColumn += fields[3];
      if (fields.length > 4) name += fields[4];
      arrayPush.call(into, [
        line,
        column,
        map.sources[source],
        originalLine,
        originalColumn,
        fields.length > 4 ? map.names?.[name] : undefined,
      ]);
    }
  });
}

// A copy that a program may change without changing the map.
function copyOf(payload) {
  require('internal/util/validators').validateObject(payload, 'payload');
  const copy = { ...payload };
  for (const name in copy) {
    if (Array.isArray(copy[name])) copy[name] = arraySlice.call(copy[name]);
  }
  return copy;
}

class SourceMap {
  #payload;
  #mappings = [];
  #lineLengths;

  constructor(payload, { lineLengths } = {}) {
    this.#payload = copyOf(payload);
    if (this.#payload.sections) {
      for (const { map, offset } of each(this.#payload.sections)) readMappings(map, offset.line, offset.column, this.#mappings);
    } else {
      readMappings(this.#payload, 0, 0, this.#mappings);
    }
    arraySort.call(this.#mappings, (a, b) => a[0] - b[0] || a[1] - b[1]);
    if (Array.isArray(lineLengths) && lineLengths.length > 0) this.#lineLengths = lineLengths;
  }

  get payload() {
    return copyOf(this.#payload);
  }
  get lineLengths() {
    return this.#lineLengths === undefined ? undefined : arraySlice.call(this.#lineLengths);
  }

  // The last mapping at or before a place; {} before the first.
  findEntry(lineOffset, columnOffset) {
    let low = 0;
    let high = this.#mappings.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const [line, column] = each(this.#mappings[middle]);
      if (lineOffset < line || (lineOffset === line && columnOffset < column)) high = middle;
      else low = middle + 1;
    }
    if (low === 0) return {};
    const [generatedLine, generatedColumn, originalSource, originalLine, originalColumn, name] = each(this.#mappings[low - 1]);
    return { generatedLine, generatedColumn, originalSource, originalLine, originalColumn, name };
  }

  // The same with one-based places, and the place itself instead of its range's start.
  findOrigin(lineNumber, columnNumber) {
    const range = this.findEntry(lineNumber - 1, columnNumber - 1);
    if (range.originalSource === undefined || range.originalLine === undefined || range.originalColumn === undefined) return {};
    return {
      name: range.name,
      fileName: range.originalSource,
      lineNumber: range.originalLine + lineNumber - range.generatedLine,
      columnNumber: range.originalColumn + columnNumber - range.generatedColumn,
    };
  }
}

module.exports = { SourceMap };
