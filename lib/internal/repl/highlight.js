// natives: none
// Colours of the line that is being typed: each token gets the colour that inspect() gives to such a value. Acorn (npm, embedded) reads the
// tokens; what it refuses, a string without its end among them, keeps the terminal's colour.
'use strict';

const { stylizeWithColor } = require('internal/util/inspect/styles');

const kStyleOfLabel = {
  __proto__: null,
  num: 'number',
  string: 'string',
  template: 'string',
  '`': 'string',
  regexp: 'regexp',
  true: 'boolean',
  false: 'boolean',
  null: 'null',
  import: 'module',
  export: 'module',
};
const kStyleOfName = { __proto__: null, undefined: 'undefined', NaN: 'number', Infinity: 'number', Symbol: 'symbol', Date: 'date' };

function styleOf({ type, value }) {
  if (type.label === 'name') return kStyleOfName[value];
  return kStyleOfLabel[type.label] ?? (type.keyword === undefined ? undefined : 'special');
}

function highlight(text) {
  let result = '';
  let end = 0;
  function add(from, to, style) {
    const token = stringSlice.call(text, from, to);
    result += stringSlice.call(text, end, from) + (style === undefined ? token : stylizeWithColor(token, style));
    end = to;
  }
  const tokens = require('acorn').tokenizer(text, {
    ecmaVersion: 'latest',
    allowHashBang: true,
    onComment: (isBlock, comment, from, to) => add(from, to, 'undefined'),
  });
  try {
    for (let token = tokens.getToken(); token.type.label !== 'eof'; token = tokens.getToken()) add(token.start, token.end, styleOf(token));
  } catch {
    // not finished yet
  }
  return result + stringSlice.call(text, end);
}

module.exports = { highlight };
