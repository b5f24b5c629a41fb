// natives: none
// PNG (https://www.w3.org/TR/png-3/) to pixels and back: four bytes a pixel, row after row. Chunks that change colours (gAMA, iCCP) are
// passed over; checksums are zlib's business.
'use strict';

const kSignature = [137, 80, 78, 71, 13, 10, 26, 10];
const kMostPixels = 1 << 26; // of an image that asks for more nothing is made
const kChannels = { __proto__: null, 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }; // by colour type
// Passes of an interlaced image: first column and row, distance of columns and rows.
const kPasses = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
];

const isPng = (bytes) => bytes.length > 32 && kSignature.every((byte, i) => bytes[i] === byte);

// { width, height, depth, kind, isInterlaced, palette, alpha, parts }; throws when it is no image.
function chunksOf(bytes) {
  const head = { palette: undefined, alpha: undefined, parts: [] };
  for (let at = kSignature.length; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.latin1Slice(at + 4, at + 8);
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (body.length < length) throw new Error('the image ends early');
    if (name === 'IHDR') {
      head.width = body.readUInt32BE(0);
      head.height = body.readUInt32BE(4);
      head.depth = body[8];
      head.kind = body[9];
      head.isInterlaced = body[12] === 1;
    } else if (name === 'PLTE') head.palette = body;
    else if (name === 'tRNS') head.alpha = body;
    else if (name === 'IDAT') head.parts.push(body);
    else if (name === 'IEND') break;
    at += length + 12;
  }
  const isKnown = kChannels[head.kind] !== undefined && [1, 2, 4, 8, 16].includes(head.depth);
  if (!isKnown || head.width === 0 || head.height === 0 || head.width * head.height > kMostPixels) throw new Error('no image');
  return head;
}

const paeth = (a, b, c) => {
  const p = a + b - c;
  const pa = Math.abs(p - a);
  const pb = Math.abs(p - b);
  const pc = Math.abs(p - c);
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
};

// https://www.w3.org/TR/png-3/#9Filters, in place: `size` bytes at `at`, the row above at `above` or none (-1).
function unfilter(data, type, at, above, size, step) {
  for (let i = 0; i < size; i++) {
    const a = i >= step ? data[at + i - step] : 0;
    const b = above >= 0 ? data[above + i] : 0;
    if (type === 1) data[at + i] += a;
    else if (type === 2) data[at + i] += b;
    else if (type === 3) data[at + i] += (a + b) >> 1;
    else if (type === 4) data[at + i] += paeth(a, b, above >= 0 && i >= step ? data[above + i - step] : 0);
  }
}

// Sample `index` of a row at `at`, as 0 to 255; of a palette its number.
function sample(data, at, index, { depth, kind }) {
  if (depth === 8) return data[at + index];
  if (depth === 16) return data[at + index * 2];
  const bits = index * depth;
  const value = (data[at + (bits >> 3)] >> (8 - depth - (bits & 7))) & ((1 << depth) - 1);
  return kind === 3 ? value : Math.round((value * 255) / ((1 << depth) - 1));
}

// The samples' own number, which tRNS names.
const rawSample = (data, at, index, { depth }) =>
  depth === 16 ? (data[at + index * 2] << 8) | data[at + index * 2 + 1] : sample(data, at, index, { depth, kind: 3 });

function putPixel(to, place, data, at, column, head) {
  const { kind, palette, alpha } = head;
  const first = column * kChannels[kind];
  const value = (channel) => sample(data, at, first + channel, head);
  if (kind === 3) {
    const index = value(0);
    for (let i = 0; i < 3; i++) to[place + i] = palette?.[index * 3 + i] ?? 0;
    to[place + 3] = alpha?.[index] ?? 255;
    return;
  }
  const isGrey = kind === 0 || kind === 4;
  for (let i = 0; i < 3; i++) to[place + i] = value(isGrey ? 0 : i);
  to[place + 3] = kind === 4 ? value(1) : kind === 6 ? value(3) : 255;
  if (alpha === undefined || kind > 2) return;
  const isNamed = (channel) => rawSample(data, at, first + channel, head) === alpha.readUInt16BE(channel * 2);
  if (isNamed(0) && (kind === 0 || (isNamed(1) && isNamed(2)))) to[place + 3] = 0;
}

// { width, height, data }; throws when it cannot be decoded.
function decode(bytes) {
  const head = chunksOf(bytes);
  const { Buffer } = require('internal/buffer/buffer');
  const bits = kChannels[head.kind] * head.depth;
  const rows = head.isInterlaced ? kPasses : [[0, 0, 1, 1]];
  const most = Math.ceil((head.width * bits) / 8 + 1) * head.height * 2 + 64;
  const data = require('internal/zlib/zlib').inflateSync(Buffer.concat(head.parts), { maxOutputLength: most });
  const to = new Uint8ClampedArray(head.width * head.height * 4);
  let at = 0;
  for (const [x, y, dx, dy] of eachEntry(rows)) {
    const columns = Math.ceil((head.width - x) / dx);
    if (columns <= 0) continue;
    const size = Math.ceil((columns * bits) / 8);
    let above = -1;
    for (let row = y; row < head.height; row += dy) {
      const type = data[at++];
      if (at + size > data.length) throw new Error('the image ends early');
      unfilter(data, type, at, above, size, Math.max(1, bits >> 3));
      for (let i = 0; i < columns; i++) putPixel(to, (row * head.width + x + i * dx) * 4, data, at, i, head);
      above = at;
      at += size;
    }
  }
  return { width: head.width, height: head.height, data: to };
}

function chunk(name, body) {
  const { Buffer } = require('internal/buffer/buffer');
  const bytes = Buffer.alloc(body.length + 12);
  bytes.writeUInt32BE(body.length, 0);
  bytes.latin1Write(name, 4);
  bytes.set(body, 8);
  bytes.writeUInt32BE(require('internal/zlib/zlib').crc32(bytes.subarray(4, body.length + 8)), body.length + 8);
  return bytes;
}

// The file of some pixels, as a Buffer.
function encode({ width, height, data }) {
  const { Buffer } = require('internal/buffer/buffer');
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const rows = Buffer.alloc((width * 4 + 1) * height);
  for (let row = 0; row < height; row++) rows.set(data.subarray(row * width * 4, (row + 1) * width * 4), row * (width * 4 + 1) + 1);
  const body = require('internal/zlib/zlib').deflateSync(rows);
  return Buffer.concat([Buffer.from(kSignature), chunk('IHDR', head), chunk('IDAT', body), chunk('IEND', Buffer.alloc(0))]);
}

module.exports = { isPng, decode, encode };
