// natives: none
// innerText (https://html.spec.whatwg.org/#the-innertext-idl-attribute) without a layout: elements are taken for blocks or hidden by their
// names, their `hidden` attribute and their own style, not by style sheets.
'use strict';

const kHidden = new Set('area base datalist head link meta noembed noframes noscript param rp script style template title'.split(' '));
const kBlocks = new Set(
  (
    'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 ' +
    'h6 header hgroup hr html legend li listing main menu nav ol optgroup option p plaintext pre search section summary table ul xmp'
  ).split(' '),
);
const kPreserving = new Set(['pre', 'textarea', 'listing', 'plaintext', 'xmp']);
const kElement = 1;
const kText = 3;

const isHidden = (element) =>
  kHidden.has(element._localName) ||
  element.hasAttributeNS(null, 'hidden') ||
  (element.hasAttributeNS(null, 'style') && element.style?.getPropertyValue('display') === 'none');

// Pieces of a rendered text: strings, and numbers, which are line breaks that the text needs there at least.
class Pieces {
  list = [];
  #isAtSpace = true; // a space would be the second, or stand at the beginning of a line
  #endsWithSpace = false; // the last piece does, which goes at the end of a line

  text(data, isPreserved) {
    if (isPreserved) {
      if (data !== '') this.list.push(data);
      this.#isAtSpace = this.#endsWithSpace = false;
      return;
    }
    let text = data.replace(/[ \t\n\r\f]+/g, ' ');
    if (this.#isAtSpace && text.startsWith(' ')) text = text.slice(1);
    if (text === '') return;
    this.list.push(text);
    this.#isAtSpace = this.#endsWithSpace = text.endsWith(' ');
  }
  #trim() {
    if (this.#endsWithSpace) this.list.push(this.list.pop().slice(0, -1));
    this.#endsWithSpace = false;
  }
  lines(count) {
    this.#trim();
    this.list.push(count);
    this.#isAtSpace = true;
  }
  character(text) {
    this.#trim();
    this.list.push(text);
    this.#isAtSpace = true;
  }
  // Required breaks at both ends go, of several beside each other the most counts.
  toText() {
    this.#trim();
    let text = '';
    let breaks = 0;
    for (const piece of each(this.list)) {
      if (typeof piece === 'number') {
        breaks = Math.max(breaks, piece);
      } else if (piece !== '') {
        if (text !== '') text += '\n'.repeat(breaks);
        breaks = 0;
        text += piece;
      }
    }
    return text;
  }
}

function collect(node, pieces, isPreserved) {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.nodeType === kText) pieces.text(child._data, isPreserved);
    else if (child.nodeType === kElement && !isHidden(child)) collectElement(child, pieces, isPreserved);
  }
}

function collectElement(element, pieces, isPreserved) {
  const name = element._localName;
  if (name === 'br') return pieces.character('\n');
  const breaks = name === 'p' ? 2 : kBlocks.has(name) ? 1 : 0;
  if (breaks > 0) pieces.lines(breaks);
  collect(element, pieces, isPreserved || kPreserving.has(name));
  if ((name === 'td' || name === 'th') && hasNext(element, ['td', 'th'])) pieces.character('\t');
  if (name === 'tr' && hasNext(element, ['tr'])) pieces.character('\n');
  if (breaks > 0) pieces.lines(breaks);
  return undefined;
}

function hasNext(element, names) {
  for (let at = element.nextSibling; at !== null; at = at.nextSibling) if (names.includes(at._localName)) return true;
  return false;
}

function get(element) {
  if (!element.isConnected || isHidden(element)) return element.textContent;
  const pieces = new Pieces();
  collect(element, pieces, kPreserving.has(element._localName));
  return pieces.toText();
}

// https://html.spec.whatwg.org/#rendered-text-fragment: line breaks become elements.
function fragmentOf(document, text) {
  const fragment = document.createDocumentFragment(); // jsdom's own document and nodes
  const lines = text.split(/\r\n|\r|\n/);
  for (let i = 0; i < lines.length; i++) {
    if (i > 0) fragment._append(document.createElement('br'));
    if (lines[i] !== '') fragment._append(document.createTextNode(lines[i]));
  }
  return fragment;
}

function install(window) {
  const { implForWrapper } = require('html/jsdom/pack').load('jsdom/lib/generated/idl/utils.js');
  const implOf = (element) => {
    const impl = implForWrapper(element);
    if (impl?.nodeType !== kElement) throw new window.TypeError('Illegal invocation');
    return impl;
  };
  Object.defineProperty(window.HTMLElement.prototype, 'innerText', {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      return get(implOf(this));
    },
    set(value) {
      const impl = implOf(this);
      const text = value === null ? '' : `${value}`;
      impl._replaceAll(fragmentOf(impl._ownerDocument, text));
    },
  });
}

module.exports = { install };
