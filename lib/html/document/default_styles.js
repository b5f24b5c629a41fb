// natives: none
// The browser's own style sheet, which every computed style begins with: its rules are read one by one, each when an element first comes
// that its selector may match. To read all of it takes longer than to show a small page.
'use strict';

const pack = require('html/jsdom/pack');

const kRules = 'jsdom/lib/jsdom/living/css/CSSStyleRule-impl.js';
const kParser = 'jsdom/lib/jsdom/living/css/helpers/css-parser.js';

// The rules at the top of a sheet: [text before the brace, text of the block]. The sheet has no strings with braces.
function split(text) {
  const plain = text.replace(/\/\*[^]*?\*\//g, '');
  const found = [];
  let depth = 0;
  let begin = 0;
  let open = 0;
  for (let i = 0; i < plain.length; i++) {
    if (plain[i] === '{' && depth++ === 0) open = i;
    if (plain[i] !== '}' || --depth > 0) continue;
    found.push([plain.slice(begin, open).trim(), plain.slice(open + 1, i)]);
    begin = i + 1;
  }
  return found;
}

// As the package that jsdom has for selectors tells them; undefined: it has to be asked.
function subjectsOf(selector) {
  const names = selector.split(/\s*,\s*/);
  if (!names.every((name) => /^[a-z][a-z0-9]*$/.test(name))) return undefined;
  return names.map((tag) => ({ id: null, className: null, tag, attr: null }));
}

// A rule as computed styles use it; `parse` reads the text of one.
function ruleOf(prototype, selectorText, block, parse) {
  let style;
  return Object.create(prototype, {
    selectorText: { __proto__: null, value: selectorText },
    _selectorSubjects: { __proto__: null, value: subjectsOf(selectorText), writable: true },
    style: {
      __proto__: null,
      get() {
        style ??= parse(`${selectorText} {${block}}`)[0].style;
        return style;
      },
    },
  });
}

function parseDefault(text, globalObject) {
  const { prototype } = pack.load(kRules).implementation;
  const parse = (css) => pack.load(kParser).parseStyleSheet(css, globalObject).cssRules._list;
  const list = [];
  for (const [head, block] of eachEntry(split(text))) {
    if (head.startsWith('@') || block.includes('{')) list.push(...each(parse(`${head} {${block}}`)));
    else list.push(ruleOf(prototype, head, block, parse));
  }
  return { cssRules: { _list: list } };
}

module.exports = { parseDefault };
