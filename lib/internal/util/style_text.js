// natives: none
// util.styleText: text between colour codes. A colour that the text itself closes is opened
// again after that, so that nested styles come out right.
'use strict';

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE },
} = require('internal/errors/coded');
const { validateBoolean, validateObject, validateOneOf, validateString } = require('internal/util/validators');
const { colors } = require('internal/util/inspect/styles');

const kHex = /^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;
const sgr = (code) => `\u001b[${code}m`;

function hexStyle(hex) {
  if (!regexpTest.call(kHex, hex)) {
    throw new ERR_INVALID_ARG_VALUE('format', hex, 'must be a valid hex color (#RGB or #RRGGBB)');
  }
  const digits = hex.length === 4 ? replaceMatches(stringSlice.call(hex, 1), /./g, '$&$&') : stringSlice.call(hex, 1);
  const rgb = arrayMap.call([0, 2, 4], (at) => Number.parseInt(stringSlice.call(digits, at, at + 2), 16));
  return { open: sgr(`38;2;${arrayJoin.call(rgb, ';')}`), close: sgr(39), keepClose: false };
}

function styleOf(name) {
  if (typeof name === 'string' && name[0] === '#') return hexStyle(name);
  const pair = colors[name];
  if (!pair) validateOneOf(name, 'format', Object.getOwnPropertyNames(colors));
  // Bold and dim share a closing code: it must stay, or it would end only one of them.
  return { open: sgr(pair[0]), close: sgr(pair[1]), keepClose: pair[0] === 1 || pair[0] === 2 };
}

function reopen(text, { open, close, keepClose }) {
  const again = keepClose ? close + open : open;
  let result = '';
  let from = 0;
  for (let at = stringIndexOf.call(text, close); at !== -1 && at + close.length < text.length; at = stringIndexOf.call(text, close, from)) {
    result += stringSlice.call(text, from, at) + again;
    from = at + close.length;
  }
  return from === 0 ? text : result + stringSlice.call(text, from);
}

function isStream(value) {
  return (
    value !== null &&
    typeof value === 'object' &&
    (typeof value.pipe === 'function' ||
      typeof value.write === 'function' ||
      typeof value.on === 'function' ||
      typeof value.getReader === 'function' ||
      typeof value.getWriter === 'function')
  );
}

function styleText(format, text, options) {
  validateString(text, 'text');
  if (options !== undefined) validateObject(options, 'options');
  const validateStream = options?.validateStream ?? true;
  validateBoolean(validateStream, 'options.validateStream');
  let plain = false;
  if (validateStream) {
    const stream = options?.stream ?? process.stdout;
    if (!isStream(stream)) {
      throw new ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
    }
    plain = !require('internal/util/colors').shouldColorize(stream);
  }
  let open = '';
  let close = '';
  let inside = text;
  for (const name of each(Array.isArray(format) ? format : [format])) {
    if (name === 'none') continue;
    const style = styleOf(name);
    open += style.open;
    close = style.close + close;
    inside = reopen(inside, style);
  }
  return plain ? text : `${open}${inside}${close}`;
}

module.exports = { styleText };
