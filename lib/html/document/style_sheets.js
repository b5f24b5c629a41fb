// natives: none
// adoptedStyleSheets of documents and shadow roots (https://drafts.csswg.org/cssom/#dom-documentorshadowroot-adoptedstylesheets): sheets
// that code has constructed, after those of elements. The sheets of a shadow root are for the elements in it.
'use strict';

const pack = require('html/jsdom/pack');
const { patch } = require('html/jsdom/patches');

const adopted = new WeakMap(); // document or shadow root → { list: sheets, proxy }
const adopters = new WeakMap(); // sheet's inner side → documents that have it
const constructed = new WeakMap(); // sheet's inner side → the document that it was constructed for

const implOf = (wrapper) => pack.load('jsdom/lib/generated/idl/utils.js').implForWrapper(wrapper);

// An observable array: what is put into it is checked, and every change is one of the styles.
function create(window, root) {
  const document = root.ownerDocument ?? root;
  const list = new window.Array();
  const changed = () => implOf(document)._clearStyleCache();
  const check = (sheet) => {
    if (!(sheet instanceof window.CSSStyleSheet)) throw new window.TypeError("Failed to convert value to 'CSSStyleSheet'.");
    const impl = implOf(sheet);
    if (constructed.get(impl) !== window)
      throw new window.DOMException("Can't adopt non-constructed stylesheets, or those of another document.", 'NotAllowedError');
    if (!adopters.has(impl)) adopters.set(impl, new Set());
    adopters.get(impl).add(document);
  };
  const isIndex = (key) => typeof key === 'string' && /^\d+$/.test(key);
  const proxy = new Proxy(list, {
    __proto__: null,
    defineProperty(target, key, descriptor) {
      if (isIndex(key)) check(descriptor.value);
      const isDone = Reflect.defineProperty(target, key, descriptor);
      changed();
      return isDone;
    },
    deleteProperty(target, key) {
      const isDone = Reflect.deleteProperty(target, key);
      changed();
      return isDone;
    },
  });
  return { list, proxy };
}

function listOf(window, root) {
  if (!adopted.has(root)) adopted.set(root, create(window, root));
  return adopted.get(root);
}

// On Document.prototype or ShadowRoot.prototype.
function install(window, prototype) {
  Object.defineProperty(prototype, 'adoptedStyleSheets', {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      return listOf(window, this).proxy;
    },
    set(sheets) {
      const { proxy } = listOf(window, this);
      const given = [...each(sheets)];
      const before = [...each(proxy)];
      proxy.length = 0;
      try {
        for (const sheet of each(given)) proxy[proxy.length] = sheet;
      } catch (error) {
        proxy.length = 0;
        for (const sheet of each(before)) proxy[proxy.length] = sheet;
        throw error;
      }
    },
  });
}

// jsdom's side: what the sheets of an element are, and whose styles change with a sheet.
function extend() {
  const { wrapperForImpl } = pack.load('jsdom/lib/generated/idl/utils.js');
  patch(
    'document: sheets for an element',
    () =>
      function (element) {
        const { _list: own } = this.styleSheets;
        const root = element.getRootNode?.();
        const more = root === undefined || root === null ? undefined : adopted.get(wrapperForImpl(root));
        return more === undefined ? own : [...each(own), ...each(more.list.filter((sheet) => !sheet.disabled).map(implOf))];
      },
  );
  patch(
    'sheet: changed',
    (invalidate) =>
      function () {
        Reflect.apply(invalidate, this, []);
        for (const adopter of each(adopters.get(this) ?? [])) implOf(adopter)._clearStyleCache();
      },
  );
}

// A sheet that code makes: its options, and whose it is.
function constructible(window) {
  const Base = window.CSSStyleSheet;
  const Made = new Proxy(Base, {
    __proto__: null,
    construct(target, args, newTarget) {
      const made = Reflect.construct(target, args, newTarget === Made ? target : newTarget);
      constructed.set(implOf(made), window);
      return made;
    },
  });
  Object.defineProperty(Base.prototype, 'constructor', { __proto__: null, value: Made, writable: true, configurable: true });
  return Made;
}

module.exports = { install, extend, constructible };
