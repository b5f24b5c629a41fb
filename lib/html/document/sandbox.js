// natives: none
// Sandboxing: https://html.spec.whatwg.org/#sandboxing. Flags say what a document may not do; it has them from the `sandbox` attribute of
// its frame, from the header of its answer, and from the document around it or the one that opened it. This file parses and keeps them;
// the parts that they concern ask here. A document whose origin is taken away runs in an agent of its own (html/document/frames).
'use strict';

const hidden = require('html/jsdom/hidden');
const pack = require('html/jsdom/pack');

// https://html.spec.whatwg.org/#parse-a-sandboxing-directive: flag → keywords that lift it. Pointers, orientation, presentation and custom
// protocols do not exist here.
const kLiftedBy = {
  __proto__: null,
  navigation: [],
  domain: [],
  popups: ['allow-popups'],
  top: ['allow-top-navigation'],
  origin: ['allow-same-origin'],
  forms: ['allow-forms'],
  scripts: ['allow-scripts'],
  modals: ['allow-modals'],
  downloads: ['allow-downloads'],
  'kept by popups': ['allow-popups-to-escape-sandbox'],
};
const kFlags = Object.keys(kLiftedBy);
// https://html.spec.whatwg.org/#attr-iframe-sandbox: the attribute's supported tokens
const kTokens = [
  'allow-downloads',
  'allow-forms',
  'allow-modals',
  'allow-orientation-lock',
  'allow-pointer-lock',
  'allow-popups',
  'allow-popups-to-escape-sandbox',
  'allow-presentation',
  'allow-same-origin',
  'allow-scripts',
  'allow-top-navigation',
  'allow-top-navigation-by-user-activation',
  'allow-top-navigation-to-custom-protocols',
];
const kNone = Object.freeze([]);

function parse(text) {
  const words = text
    .toLowerCase()
    .split(/[\t\n\f\r ]+/)
    .filter((word) => word !== '');
  return kFlags.filter((flag) => !kLiftedBy[flag].some((word) => words.includes(word)));
}

const union = (first, second) => kFlags.filter((flag) => first.includes(flag) || second.includes(flag));

// https://w3c.github.io/webappsec-csp/#directive-sandbox: of the header alone; the first of each policy counts.
function ofHeaders(headers) {
  let flags = kNone;
  for (const [name, value] of eachEntry(headers)) {
    if (name !== 'content-security-policy') continue;
    for (const policy of each(value.split(','))) {
      const directive = policy
        .split(';')
        .map((text) => text.trim())
        .find((text) => /^sandbox(\s|$)/i.test(text));
      if (directive !== undefined) flags = union(flags, parse(directive.slice('sandbox'.length)));
    }
  }
  return flags;
}

const documents = new WeakMap(); // jsdom's Document → { flags; given: those of them that its window keeps when it navigates }
const flagsOf = (document) => documents.get(document)?.flags ?? kNone;
const givenTo = (document) => documents.get(document)?.given ?? kNone;
const has = (document, flag) => flagsOf(document).includes(flag);

// https://html.spec.whatwg.org/#determining-the-creation-sandboxing-flags of what a frame presents
function flagsFor(frame) {
  const text = frame._localName === 'iframe' ? frame.getAttributeNS(null, 'sandbox') : null;
  const around = flagsOf(frame._ownerDocument);
  return text === null ? around : union(around, parse(text));
}
// and of a window that a document opens.
const flagsForOpened = (document) => (has(document, 'kept by popups') ? flagsOf(document) : kNone);

// Of a window that has just been made, before anything of it is used.
function apply(global, flags, given = flags) {
  if (flags.length === 0) return;
  const document = global[hidden._document];
  documents.set(document, { flags, given });
  if (flags.includes('origin')) document[hidden._origin] = global[hidden._origin] = 'null';
  if (flags.includes('scripts')) {
    global[hidden._settings] = { ...global[hidden._settings], runScripts: 'outside-only' };
    if (document._parseOptions !== undefined) document._parseOptions = { ...document._parseOptions, scriptingEnabled: false };
  }
}

const isAround = (outer, inner) => {
  for (let at = inner._parentDocument; at; at = at._parentDocument) if (at === outer) return true;
  return false;
};

// https://html.spec.whatwg.org/#allowed-to-navigate of two documents of this agent. `isOpener`: the target is a window that it has opened
// itself, "its one permitted sandboxed navigator".
function mayNavigate(source, target, isOpener = false) {
  if (source === target || isAround(source, target)) return true;
  const isTop = !target._parentDocument;
  if (isAround(target, source)) return !isTop || mayNavigateTop(source);
  return (isTop && isOpener) || !has(source, 'navigation');
}
// There is no user whose activation could count: what a page clicks (rondo.input) is its own doing.
const mayNavigateTop = (source) => !has(source, 'top');

const lists = new WeakMap(); // jsdom's iframe element → its DOMTokenList
// The attribute has changed.
function changed(frame) {
  const list = lists.get(frame);
  if (list !== undefined) pack.load('jsdom/lib/generated/idl/utils.js').implForWrapper(list).attrModified();
}

// HTMLIFrameElement.sandbox: https://html.spec.whatwg.org/#dom-iframe-sandbox
function install(window, implOf) {
  const { prototype } = window.HTMLIFrameElement;
  const listOf = (element) => {
    const impl = implOf(element);
    if (impl?._localName !== 'iframe') throw new window.TypeError('Illegal invocation');
    if (!lists.has(impl)) {
      const { create } = pack.load('jsdom/lib/generated/idl/DOMTokenList.js');
      const supportedTokens = new Set(kTokens);
      lists.set(impl, create(impl._globalObject, [], { element: impl, attributeLocalName: 'sandbox', supportedTokens }));
    }
    return lists.get(impl);
  };
  Object.defineProperty(prototype, 'sandbox', {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      return listOf(this);
    },
    set(text) {
      listOf(this).value = text;
    },
  });
}

module.exports = {
  union,
  ofHeaders,
  givenTo,
  has,
  flagsFor,
  flagsForOpened,
  apply,
  mayNavigate,
  mayNavigateTop,
  install,
  changed,
};
