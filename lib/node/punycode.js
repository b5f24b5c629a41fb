// natives: none
// node:punycode (deprecated): RFC 3492, and host names with it. No mapping of characters:
// that is url.domainToASCII's job.
'use strict';

if (!require('internal/buffer/caller').isCalledFromNodeModules()) {
  process.emitWarning('The `punycode` module is deprecated. Please use a userland alternative instead.', 'DeprecationWarning', 'DEP0040');
}

const kMax = 0x7fffffff;
const kBase = 36;
const kThresholdMin = 1;
const kThresholdMax = 26;
const kSkew = 38;
const kDamp = 700;
const kInitialBias = 72;
const kInitialCode = 128;

const kErrors = {
  overflow: 'Overflow: input needs wider integers to process',
  'not-basic': 'Illegal input >= 0x80 (not a basic code point)',
  'invalid-input': 'Invalid input',
};
const fail = (kind) => {
  throw new RangeError(kErrors[kind]);
};

const threshold = (k, bias) => Math.min(Math.max(k - bias, kThresholdMin), kThresholdMax);

// RFC 3492, section 6.1
function adapt(delta, count, isFirst) {
  let rest = isFirst ? Math.floor(delta / kDamp) : delta >> 1;
  rest += Math.floor(rest / count);
  let k = 0;
  for (; rest > ((kBase - kThresholdMin) * kThresholdMax) >> 1; k += kBase) rest = Math.floor(rest / (kBase - kThresholdMin));
  return Math.floor(k + ((kBase - kThresholdMin + 1) * rest) / (rest + kSkew));
}

function digitOf(code) {
  if (code >= 48 && code < 58) return code - 22;
  if (code >= 65 && code < 91) return code - 65;
  if (code >= 97 && code < 123) return code - 97;
  return kBase;
}

const characterOf = (digit) => String.fromCharCode(digit < 26 ? digit + 97 : digit + 22);

// Section 6.2
function decode(input) {
  const output = [];
  const delimiter = Math.max(stringLastIndexOf.call(input, '-'), 0);
  for (let i = 0; i < delimiter; i++) {
    if (stringCharCodeAt.call(input, i) >= 0x80) fail('not-basic');
    arrayPush.call(output, stringCharCodeAt.call(input, i));
  }
  let code = kInitialCode;
  let bias = kInitialBias;
  let position = 0;
  for (let at = delimiter > 0 ? delimiter + 1 : 0; at < input.length; ) {
    const before = position;
    let weight = 1;
    for (let k = kBase; ; k += kBase) {
      if (at >= input.length) fail('invalid-input');
      const digit = digitOf(stringCharCodeAt.call(input, at++));
      if (digit >= kBase) fail('invalid-input');
      if (digit > Math.floor((kMax - position) / weight)) fail('overflow');
      position += digit * weight;
      const limit = threshold(k, bias);
      if (digit < limit) break;
      if (weight > Math.floor(kMax / (kBase - limit))) fail('overflow');
      weight *= kBase - limit;
    }
    const count = output.length + 1;
    bias = adapt(position - before, count, before === 0);
    if (Math.floor(position / count) > kMax - code) fail('overflow');
    code += Math.floor(position / count);
    position %= count;
    arraySplice.call(output, position++, 0, code);
  }
  return String.fromCodePoint(...each(output));
}

function encodeDelta(delta, bias) {
  let text = '';
  let rest = delta;
  for (let k = kBase; ; k += kBase) {
    const limit = threshold(k, bias);
    if (rest < limit) return text + characterOf(rest);
    text += characterOf(limit + ((rest - limit) % (kBase - limit)));
    rest = Math.floor((rest - limit) / (kBase - limit));
  }
}

// Section 6.3
function encode(text) {
  const input = ucs2decode(text);
  const basic = arrayFilter.call(input, (code) => code < 0x80);
  let output = String.fromCharCode(...each(basic));
  let handled = basic.length;
  if (handled > 0) output += '-';
  let code = kInitialCode;
  let delta = 0;
  let bias = kInitialBias;
  while (handled < input.length) {
    let next = kMax;
    for (const candidate of each(input)) if (candidate >= code && candidate < next) next = candidate;
    if (next - code > Math.floor((kMax - delta) / (handled + 1))) fail('overflow');
    delta += (next - code) * (handled + 1);
    code = next;
    for (const current of each(input)) {
      if (current < code && ++delta > kMax) fail('overflow');
      if (current !== code) continue;
      output += encodeDelta(delta, bias);
      bias = adapt(delta, handled + 1, handled === basic.length);
      delta = 0;
      handled++;
    }
    delta++;
    code++;
  }
  return output;
}

function ucs2decode(text) {
  const codes = [];
  for (const character of each(`${text}`)) arrayPush.call(codes, stringCodePointAt.call(character, 0));
  return codes;
}

// Applies `convert` to the labels of a host name; the part before an @ stays as it is.
function mapLabels(domain, convert) {
  const at = stringIndexOf.call(domain, '@');
  const head = at === -1 ? '' : stringSlice.call(domain, 0, at + 1);
  const host = at === -1 ? domain : stringSplit.call(stringSlice.call(domain, at + 1), '@')[0];
  return head + arrayJoin.call(arrayMap.call(stringSplit.call(replaceMatches(host, /[\u3002\uFF0E\uFF61]/g, '.'), '.'), convert), '.');
}

module.exports = {
  version: '2.1.0',
  ucs2: { decode: ucs2decode, encode: (codes) => String.fromCodePoint(...each(codes)) },
  decode,
  encode,
  toASCII: (input) => mapLabels(input, (label) => (regexpTest.call(/[^\0-\x7F]/, label) ? `xn--${encode(label)}` : label)),
  toUnicode: (input) =>
    mapLabels(input, (label) => (regexpTest.call(/^xn--/, label) ? decode(stringToLowerCase.call(stringSlice.call(label, 4))) : label)),
};
