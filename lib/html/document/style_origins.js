// natives: none
// Style sheets of other origins apply, and tell a page nothing of their rules
// (https://drafts.csswg.org/cssom/#concept-css-style-sheet-origin-clean-flag).
'use strict';

// Addresses of sheets that came without CORS from another origin, for all documents of the agent: a sheet that is taken from its document
// belongs to none.
const opaque = new Set();

// Notes the answer for a sheet. A response of another origin that is not declared a style sheet is none:
// https://html.spec.whatwg.org/#link-type-stylesheet:process-the-linked-resource; of its own origin a page may take anything.
function note(element, url, { type, headers }) {
  if (type === 'opaque') opaque.add(url);
  if (type === 'basic' || !/^(link|style)$/.test(element._localName)) return;
  const kind = headers.find((pair) => pair[0].toLowerCase() === 'content-type')?.[1] ?? '';
  if (!/^\s*text\/css\s*(;|$)/i.test(kind)) throw new Error(`${url} is not a style sheet, but '${kind}'`);
}

const isClean = (sheet) => !opaque.has(sheet.href);

const kMembers = ['cssRules', 'rules', 'insertRule', 'deleteRule', 'addRule', 'removeRule'];

// Puts the check before the members of a window's CSSStyleSheet.
function guard(window, CSSStyleSheet) {
  const { implForWrapper } = require('html/jsdom/pack').load('jsdom/lib/generated/idl/utils.js');
  const check = (wrapper, name) => {
    const sheet = implForWrapper(wrapper);
    if (sheet === null || sheet === undefined || isClean(sheet)) return;
    throw new window.DOMException(`Failed to read the '${name}' property from 'CSSStyleSheet': Cannot access rules`, 'SecurityError');
  };
  for (const name of each(kMembers)) {
    const descriptor = Object.getOwnPropertyDescriptor(CSSStyleSheet.prototype, name);
    if (descriptor === undefined) continue;
    const key = descriptor.get === undefined ? 'value' : 'get';
    const inner = descriptor[key];
    const checked = {
      [name](...args) {
        check(this, name);
        return Reflect.apply(inner, this, args);
      },
    }[name];
    Object.defineProperty(CSSStyleSheet.prototype, name, { __proto__: null, ...descriptor, [key]: checked });
  }
}

module.exports = { note, guard };
