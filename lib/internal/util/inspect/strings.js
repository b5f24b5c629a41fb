// natives: none
// How the inspector writes primitives: strings in the quotes that need least escaping,
// numbers with optional separators, symbols, bigints.
'use strict';

const kMinLineLength = 16;
// A surrogate pair is matched whole (and kept); what is left of surrogates is lone.
const kPairOr = '[\\ud800-\\udbff][\\udc00-\\udfff]|';
const kUnsafe = new RegExp(`${kPairOr}[\\x00-\\x1f'\\\\\\x7f-\\x9f\\ud800-\\udfff]`, 'g');
const kUnsafeButQuote = new RegExp(`${kPairOr}[\\x00-\\x1f\\\\\\x7f-\\x9f\\ud800-\\udfff]`, 'g');
const kPlain = /^[\x20-\x26\x28-\x5b\x5d-\x7e\xa0-\ud7ff\ue000-\uffff]*$/;

const kShort = new Map([
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ["'", "\\'"],
  ['\\', '\\\\'],
]);

function escapeCharacter(character) {
  if (character.length === 2) return character;
  const short = kShort.get(character);
  if (short !== undefined) return short;
  const code = stringCharCodeAt.call(character, 0);
  return code < 0x100
    ? `\\x${stringPadStart.call(stringToUpperCase.call(numberToString.call(code, 16)), 2, '0')}`
    : `\\u${numberToString.call(code, 16)}`;
}

const escapeAll = (text) => replaceMatches(text, kUnsafe, escapeCharacter);

function quote(text) {
  if (regexpTest.call(kPlain, text)) return `'${text}'`;
  if (stringIncludes.call(text, "'")) {
    if (!stringIncludes.call(text, '"')) return `"${replaceMatches(text, kUnsafeButQuote, escapeCharacter)}"`;
    if (!stringIncludes.call(text, '`') && !stringIncludes.call(text, '${'))
      return `\`${replaceMatches(text, kUnsafeButQuote, escapeCharacter)}\``;
  }
  return `'${escapeAll(text)}'`;
}

function separateInteger(digits) {
  const sign = digits[0] === '-' ? '-' : '';
  return sign + replaceMatches(stringSlice.call(digits, sign.length), /\B(?=(\d{3})+$)/g, '_');
}

function separateFraction(digits) {
  return replaceMatches(digits, /\d{3}(?=\d)/g, '$&_');
}

function formatNumber(stylize, number, separators) {
  if (Object.is(number, -0)) return stylize('-0', 'number');
  const text = `${number}`;
  if (!separators || !Number.isFinite(number) || stringIncludes.call(text, 'e')) return stylize(text, 'number');
  const point = stringIndexOf.call(text, '.');
  if (point === -1) return stylize(separateInteger(text), 'number');
  return stylize(`${separateInteger(stringSlice.call(text, 0, point))}.${separateFraction(stringSlice.call(text, point + 1))}`, 'number');
}

function formatBigInt(stylize, bigint, separators) {
  const text = `${bigint}`;
  return stylize(`${separators ? separateInteger(text) : text}n`, 'bigint');
}

function formatString(stylize, text, ctx) {
  let trailer = '';
  if (text.length > ctx.maxStringLength) {
    const left = text.length - ctx.maxStringLength;
    text = stringSlice.call(text, 0, ctx.maxStringLength);
    trailer = `... ${left} more character${left > 1 ? 's' : ''}`;
  }
  if (ctx.compact !== true && text.length > kMinLineLength && text.length > ctx.breakLength - ctx.indentationLvl - 4) {
    const lines = arrayMap.call(regexpSplit.call(/(?<=\n)/, text), (line) => stylize(quote(line), 'string'));
    return arrayJoin.call(lines, ` +\n${stringRepeat.call(' ', ctx.indentationLvl + 2)}`) + trailer;
  }
  return stylize(quote(text), 'string') + trailer;
}

function formatPrimitive(stylize, value, ctx) {
  switch (typeof value) {
    case 'string':
      return formatString(stylize, value, ctx);
    case 'number':
      return formatNumber(stylize, value, ctx.numericSeparator);
    case 'bigint':
      return formatBigInt(stylize, value, ctx.numericSeparator);
    case 'boolean':
      return stylize(`${value}`, 'boolean');
    case 'undefined':
      return stylize('undefined', 'undefined');
    default:
      return stylize(symbolToString.call(value), 'symbol');
  }
}

module.exports = { escapeAll, formatBigInt, formatNumber, formatPrimitive, quote };
