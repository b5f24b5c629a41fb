// natives: none
// Uint8Array to and from base64 and hexadecimal text,
// https://tc39.es/proposal-arraybuffer-base64, for engines that lack it.
'use strict';

const kAlphabets = {
  base64: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  base64url: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
};

const typedArrayTag = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;

function needBytes(value) {
  if (typedArrayTag.call(value) !== 'Uint8Array') throw new TypeError('the receiver is not a Uint8Array');
}

function needText(text) {
  if (typeof text !== 'string') throw new TypeError('expected input to be a string');
}

function alphabetOf(options) {
  const name = options?.alphabet ?? 'base64';
  if (kAlphabets[name] === undefined) throw new TypeError('expected alphabet to be either "base64" or "base64url"');
  return kAlphabets[name];
}

function toBase64(options) {
  needBytes(this);
  const alphabet = alphabetOf(options);
  let out = '';
  for (let i = 0; i < this.length; i += 3) {
    const left = this.length - i;
    const bits = this[i] << 16 | (left > 1 ? this[i + 1] << 8 : 0) | (left > 2 ? this[i + 2] : 0);
    out += alphabet[bits >> 18] + alphabet[bits >> 12 & 63];
    if (left > 1) out += alphabet[bits >> 6 & 63];
    if (left > 2) out += alphabet[bits & 63];
    else if (!options?.omitPadding) out += left > 1 ? '=' : '==';
  }
  return out;
}

// Bytes of a chunk of two or three digits; strictly, the bits left over must be zero.
function readPartial(chunk, isStrict) {
  const bits = chunk.reduce((total, digit) => total << 6 | digit, 0);
  const spare = chunk.length === 2 ? 4 : 2;
  if (isStrict && (bits & (1 << spare) - 1) !== 0) throw new SyntaxError('Incorrect base64 trailing bits');
  const value = bits >> spare;
  return chunk.length === 2 ? [value] : [value >> 8, value & 255];
}

function finishBase64(chunk, padding, mode) {
  if (chunk.length === 0) {
    if (padding > 0) throw new SyntaxError('Invalid base64 padding');
    return [];
  }
  const whole = chunk.length + padding === 4;
  if (chunk.length === 1 || (padding > 0 && !whole)) {
    if (padding === 0 && mode === 'stop-before-partial') return [];
    throw new SyntaxError('Invalid base64 string');
  }
  if (padding === 0 && mode === 'stop-before-partial') return [];
  if (padding === 0 && mode === 'strict') throw new SyntaxError('Missing base64 padding');
  return readPartial(chunk, mode === 'strict');
}

function decodeBase64(text, options, room = Infinity) {
  needText(text);
  const alphabet = alphabetOf(options);
  const mode = options?.lastChunkHandling ?? 'loose';
  if (!['loose', 'strict', 'stop-before-partial'].includes(mode)) throw new TypeError('invalid lastChunkHandling');
  const bytes = [];
  let chunk = [];
  let padding = 0;
  let read = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (/[\t\n\f\r ]/.test(character)) continue;
    if (character === '=') {
      if (++padding > 2 || chunk.length < 2) throw new SyntaxError('Invalid base64 padding');
      continue;
    }
    const digit = alphabet.indexOf(character);
    if (digit === -1 || padding > 0) throw new SyntaxError(`Found a character that cannot be part of a valid base64 string.`);
    chunk.push(digit);
    if (chunk.length < 4) continue;
    if (bytes.length + 3 > room) return { bytes, read };
    const bits = chunk[0] << 18 | chunk[1] << 12 | chunk[2] << 6 | chunk[3];
    bytes.push(bits >> 16, bits >> 8 & 255, bits & 255);
    chunk = [];
    read = i + 1;
  }
  const rest = finishBase64(chunk, padding, mode);
  if (bytes.length + rest.length > room) return { bytes, read };
  if (rest.length > 0 || chunk.length === 0) read = text.length;
  bytes.push(...rest);
  return { bytes, read };
}

function decodeHex(text, room = Infinity) {
  needText(text);
  if (text.length % 2 !== 0) throw new SyntaxError('string should be an even number of characters');
  const bytes = [];
  for (let i = 0; i < text.length && bytes.length < room; i += 2) {
    const pair = text.slice(i, i + 2);
    if (!/^[0-9a-fA-F]{2}$/.test(pair)) throw new SyntaxError('string should only contain hex characters');
    bytes.push(Number.parseInt(pair, 16));
  }
  return { bytes, read: bytes.length * 2 };
}

function put(target, { bytes, read }) {
  target.set(bytes);
  return { read, written: bytes.length };
}

module.exports = {
  toBase64,
  fromBase64: (text, options) => Uint8Array.from(decodeBase64(text, options).bytes),
  fromHex: (text) => Uint8Array.from(decodeHex(text).bytes),
  setFromBase64(text, options) {
    needBytes(this);
    return put(this, decodeBase64(text, options, this.length));
  },
  setFromHex(text) {
    needBytes(this);
    return put(this, decodeHex(text, this.length));
  },
  toHex() {
    needBytes(this);
    let out = '';
    for (const byte of this) out += byte.toString(16).padStart(2, '0');
    return out;
  },
};
