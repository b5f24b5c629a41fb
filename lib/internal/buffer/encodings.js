// natives: buffer
// Buffer's table of encodings: its names, the id the native half
// uses, and the byte length of a string in it. The conversions themselves are
// native; this only chooses. Used by node/buffer.js and its helpers.
'use strict';

const { byteLengthUtf8 } = native('buffer');
const { kUtf8, kUtf16le, kLatin1, kAscii, kBase64, kHex, kBase64url } = native('buffer'); // ids of enum Encoding

function base64ByteLength(string, length) {
  let bytes = length;
  if (stringCharCodeAt.call(string, bytes - 1) === 0x3d) bytes--;
  if (bytes > 1 && stringCharCodeAt.call(string, bytes - 1) === 0x3d) bytes--;
  return Math.floor((bytes * 3) / 4);
}

function describe(id, name, slice, write, byteLength) {
  return { id, name, slice, write, byteLength };
}

const utf8 = describe(
  kUtf8,
  'utf8',
  (buffer, start, end) => buffer.utf8Slice(start, end),
  (buffer, string, offset, length) => buffer.utf8Write(string, offset, length),
  byteLengthUtf8,
);
const utf16le = describe(
  kUtf16le,
  'utf16le',
  (buffer, start, end) => buffer.ucs2Slice(start, end),
  (buffer, string, offset, length) => buffer.ucs2Write(string, offset, length),
  (string) => string.length * 2,
);
const latin1 = describe(
  kLatin1,
  'latin1',
  (buffer, start, end) => buffer.latin1Slice(start, end),
  (buffer, string, offset, length) => buffer.latin1Write(string, offset, length),
  (string) => string.length,
);
const ascii = describe(
  kAscii,
  'ascii',
  (buffer, start, end) => buffer.asciiSlice(start, end),
  (buffer, string, offset, length) => buffer.asciiWrite(string, offset, length),
  (string) => string.length,
);
const base64 = describe(
  kBase64,
  'base64',
  (buffer, start, end) => buffer.base64Slice(start, end),
  (buffer, string, offset, length) => buffer.base64Write(string, offset, length),
  (string) => base64ByteLength(string, string.length),
);
const hex = describe(
  kHex,
  'hex',
  (buffer, start, end) => buffer.hexSlice(start, end),
  (buffer, string, offset, length) => buffer.hexWrite(string, offset, length),
  (string) => string.length >>> 1,
);
const base64url = describe(
  kBase64url,
  'base64url',
  (buffer, start, end) => buffer.base64urlSlice(start, end),
  (buffer, string, offset, length) => buffer.base64urlWrite(string, offset, length),
  (string) => base64ByteLength(string, string.length),
);

const byName = new Map([
  ['utf8', utf8],
  ['utf-8', utf8],
  ['ucs2', utf16le],
  ['ucs-2', utf16le],
  ['utf16le', utf16le],
  ['utf-16le', utf16le],
  ['latin1', latin1],
  ['binary', latin1],
  ['ascii', ascii],
  ['base64', base64],
  ['hex', hex],
  ['base64url', base64url],
]);

// The encoding called `name` in any case, or undefined.
function findEncoding(name) {
  const found = byName.get(name);
  if (found !== undefined) return found;
  if (typeof name !== 'string') name = `${name}`;
  return name.length > 9 ? undefined : byName.get(stringToLowerCase.call(name));
}

// As Node's internal normalizeEncoding: nothing given means utf8.
function normalizeEncoding(name) {
  if (name == null || name === '') return 'utf8';
  const found = typeof name === 'string' ? findEncoding(name) : undefined;
  return found && found.name;
}

module.exports = { findEncoding, normalizeEncoding, utf8, kUtf8, kLatin1 };
