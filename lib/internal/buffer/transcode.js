// natives: buffer
// buffer.transcode, isUtf8 and isAscii: whole-buffer questions and conversions
// that need no Buffer method. Loaded by node/buffer.js on first use.
'use strict';

const binding = native('buffer');
const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_STATE },
} = require('internal/errors/coded');
const { findEncoding } = require('internal/buffer/encodings');
const { isUint8Array, isTypedArray, isAnyArrayBuffer } = require('internal/buffer/create');

// Encodings transcode knows; a name outside them is an illegal argument.
const kTranscodable = new Set(['utf8', 'utf16le', 'latin1', 'ascii']);

function illegalArgument() {
  const error = new Error('Unable to transcode Buffer [U_ILLEGAL_ARGUMENT_ERROR]');
  error.code = 'U_ILLEGAL_ARGUMENT_ERROR';
  error.errno = 1;
  return error;
}

// Characters the target lacks become question marks, one for each code point.
function substitute(text, limit) {
  let out = '';
  for (const character of each(text)) out += stringCodePointAt.call(character, 0) < limit ? character : '?';
  return out;
}

function transcode(source, fromEncoding, toEncoding) {
  if (!isUint8Array(source)) {
    throw new ERR_INVALID_ARG_TYPE('source', ['Buffer', 'Uint8Array'], source);
  }
  if (source.length === 0) return binding.allocUnsafe(0);
  const from = findEncoding(fromEncoding),
    to = findEncoding(toEncoding);
  if (!from || !to || !kTranscodable.has(from.name) || !kTranscodable.has(to.name)) {
    throw illegalArgument();
  }
  const decode = { utf8: 'utf8Slice', utf16le: 'ucs2Slice', latin1: 'latin1Slice', ascii: 'latin1Slice' };
  let text = call2(binding[decode[from.name]], source, 0, source.length);
  if (from.name === 'ascii') text = replaceMatches(text, /[\x80-\xff]/g, '\ufffd');
  if (to.name === 'latin1') text = substitute(text, 0x100);
  else if (to.name === 'ascii') text = substitute(text, 0x80);
  return binding.fromString(text, to.id);
}

// A view on a detached buffer cannot be made; that is how one is recognised.
function bytesOf(input) {
  if (!isTypedArray(input) && !isAnyArrayBuffer(input)) {
    throw new ERR_INVALID_ARG_TYPE('input', ['ArrayBuffer', 'Buffer', 'TypedArray'], input);
  }
  try {
    if (isTypedArray(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
    return new Uint8Array(input);
  } catch {
    throw new ERR_INVALID_STATE('Cannot validate on a detached buffer');
  }
}

function isUtf8(input) {
  return binding.isUtf8(bytesOf(input));
}

function isAscii(input) {
  return binding.isAscii(bytesOf(input));
}

module.exports = { transcode, isUtf8, isAscii };
