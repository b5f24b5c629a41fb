// natives: bytes
// Uint8Array to and from base64 and hexadecimal text, https://tc39.es/proposal-arraybuffer-base64. Checks and errors are here, the
// work is native('bytes').
'use strict';

const kModes = { __proto__: null, loose: 0, strict: 1, 'stop-before-partial': 2 };

// Of the realm that this file is loaded in; the exported function sets them.
let SyntaxError;
let TypeError;
let Uint8Array;
let decodeBase64;
let decodeHex;
let encodeBase64;
let encodeHex;
let lengthOf;

module.exports = (intrinsics) => {
  ({ SyntaxError, TypeError, Uint8Array } = intrinsics);
  ({ decodeBase64, decodeHex, encodeBase64, encodeHex, lengthOf } = intrinsics.native('bytes'));
  return methods;
};

function needBytes(value) {
  if (lengthOf(value) === undefined) throw new TypeError('the receiver is not a Uint8Array');
}

function needMemory(bytes) {
  if (lengthOf(bytes) < 0) throw new TypeError('Cannot perform the operation on a detached ArrayBuffer');
}

function needText(text) {
  if (typeof text !== 'string') throw new TypeError('expected input to be a string');
}

function needOptions(options) {
  if (options === undefined) return { __proto__: null };
  if (options === null || (typeof options !== 'object' && typeof options !== 'function')) throw new TypeError('options must be an object');
  return options;
}

function isForUrl(options) {
  const { alphabet = 'base64' } = options;
  if (alphabet !== 'base64' && alphabet !== 'base64url') throw new TypeError('expected alphabet to be either "base64" or "base64url"');
  return alphabet === 'base64url';
}

function modeOf(options) {
  const { lastChunkHandling = 'loose' } = options;
  const mode = typeof lastChunkHandling === 'string' ? kModes[lastChunkHandling] : undefined;
  if (mode === undefined) throw new TypeError('expected lastChunkHandling to be either "loose", "strict", or "stop-before-partial"');
  return mode;
}

function failBase64() {
  throw new SyntaxError('Found a character that cannot be part of a valid base64 string.');
}
function failHex() {
  throw new SyntaxError('Input string must contain hex characters in even length');
}

// A decoder's answer is [isValid, characters read, bytes written]; given the constructor, it makes the array.
function made(answer, fail) {
  if (!answer[0]) fail();
  return answer[2];
}

const methods = {
  fromBase64(text /* , options */) {
    needText(text);
    const options = needOptions(arguments[1]);
    return made(decodeBase64(text, isForUrl(options), modeOf(options), Uint8Array), failBase64);
  },

  fromHex(text) {
    needText(text);
    return made(decodeHex(text, Uint8Array), failHex);
  },

  toBase64(/* options */) {
    needBytes(this);
    const options = needOptions(arguments[0]);
    const forUrl = isForUrl(options);
    const omitPadding = !!options.omitPadding;
    needMemory(this);
    return encodeBase64(this, forUrl, omitPadding);
  },

  toHex() {
    needBytes(this);
    needMemory(this);
    return encodeHex(this);
  },

  setFromBase64(text /* , options */) {
    needBytes(this);
    needText(text);
    const options = needOptions(arguments[1]);
    const forUrl = isForUrl(options);
    const mode = modeOf(options);
    needMemory(this);
    const result = decodeBase64(text, forUrl, mode, this);
    if (!result[0]) failBase64();
    return { read: result[1], written: result[2] };
  },

  setFromHex(text) {
    needBytes(this);
    needText(text);
    needMemory(this);
    const result = decodeHex(text, this);
    if (!result[0]) failHex();
    return { read: result[1], written: result[2] };
  },
};
