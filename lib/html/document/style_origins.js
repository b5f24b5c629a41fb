// natives: none
// Style sheets of other origins apply, and tell a page nothing of their rules
// (https://drafts.csswg.org/cssom/#concept-css-style-sheet-origin-clean-flag).
'use strict';

const opaque = new WeakMap(); // jsdom's Document → addresses of sheets that came without CORS from another origin

function note(element, url, { type }) {
  if (type !== 'opaque') return;
  const document = element._ownerDocument;
  if (!opaque.has(document)) opaque.set(document, new Set());
  opaque.get(document).add(url);
}

// The document whose sheet it is: that of the element at the end of its imports.
function documentOf(sheet) {
  let at = sheet;
  while (at.ownerRule?.parentStyleSheet) at = at.ownerRule.parentStyleSheet;
  return at.ownerNode?._ownerDocument;
}

function isClean(sheet) {
  const urls = opaque.get(documentOf(sheet));
  return urls === undefined || !urls.has(sheet.href);
}

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
