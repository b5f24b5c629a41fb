// natives: none
// Elements as properties of their window, by id or name (https://html.spec.whatwg.org/#named-access-on-the-window-object), in the place of
// jsdom's file for it. The engine allows no exotic object in the prototype chain of a global, so the named properties object is a plain one
// whose accessors come and go with the elements.
'use strict';

const hidden = require('html/jsdom/hidden');
const pack = require('html/jsdom/pack');

const kHtml = 'http://www.w3.org/1999/xhtml';
const kWithName = ['embed', 'form', 'frame', 'iframe', 'img', 'object'];

const windows = new WeakMap(); // window → { properties, elements: Map<name, Set<element>> }

const attribute = (element, name) => element.getAttributeNS(null, name);
const isFrame = (element) => element._localName === 'iframe' || element._localName === 'frame';

// In the order of the tree.
const sorted = (set) => [...each(set)].toSorted((a, b) => (a._compareTreePosition(b) & 2 ? 1 : -1));

function valueOf(window, elements, name) {
  const list = sorted(elements.get(name));
  const frame = list.find((element) => isFrame(element) && element.contentWindow !== null && attribute(element, 'name') === name);
  if (frame !== undefined) return frame.contentWindow._globalProxy ?? frame.contentWindow;
  const { wrapperForImpl } = pack.load('jsdom/lib/generated/idl/utils.js');
  if (list.length === 1) return wrapperForImpl(list[0]);
  return pack.load('jsdom/lib/generated/idl/HTMLCollection.js').create(window, [], {
    element: window[hidden._document],
    query: () => sorted(elements.get(name) ?? []),
  });
}

function add(window, name, element) {
  const { properties, elements } = windows.get(window);
  if (elements.has(name)) {
    elements.get(name).add(element);
    return;
  }
  elements.set(name, new Set([element]));
  // Indices are frames, and what every window inherits comes first.
  if (/^\d+$/.test(name) || name in Object.getPrototypeOf(properties)) return;
  Object.defineProperty(properties, name, {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get: () => valueOf(window, elements, name),
    set(value) {
      Object.defineProperty(this ?? window._globalProxy, name, {
        __proto__: null,
        value,
        writable: true,
        configurable: true,
        enumerable: true,
      });
    },
  });
}

function remove(window, name, element) {
  const { properties, elements } = windows.get(window);
  const set = elements.get(name);
  if (set === undefined || !set.delete(element) || set.size > 0) return;
  elements.delete(name);
  if (Object.hasOwn(properties, name)) delete properties[name];
}

// The window whose properties an element is among, if any.
function windowOf(element) {
  const document = element._ownerDocument;
  const window = document._globalObject;
  return element._namespaceURI === kHtml && window[hidden._document] === document && windows.has(window) ? window : undefined;
}

// The names that an element goes by: `changed` is an attribute whose value was another one.
function namesOf(element, changed, before) {
  const value = (name) => (name === changed ? before : attribute(element, name));
  const names = [value('id'), kWithName.includes(element._localName) ? value('name') : null];
  return new Set(names.filter((name) => name));
}

module.exports = {
  create(prototype, window) {
    const properties = Object.create(prototype, {
      [Symbol.toStringTag]: { __proto__: null, value: 'WindowProperties', configurable: true },
    });
    windows.set(window, { properties, elements: new Map() });
    return properties;
  },
  elementAttached(element) {
    const window = windowOf(element);
    if (window !== undefined) for (const name of each(namesOf(element))) add(window, name, element);
  },
  elementDetached(element) {
    const window = windowOf(element);
    if (window !== undefined) for (const name of each(namesOf(element))) remove(window, name, element);
  },
  elementAttributeModified(element, attributeName, value, oldValue, namespace) {
    const counts = attributeName === 'id' || (attributeName === 'name' && kWithName.includes(element._localName));
    if (namespace !== null || !counts || value === oldValue) return;
    element._ownerDocument._namedPropertyElementAttributeModified(element, attributeName, value, oldValue);
    const window = windowOf(element);
    if (window === undefined || !element._isInDocumentTree) return;
    for (const name of each(namesOf(element, attributeName, oldValue))) remove(window, name, element);
    for (const name of each(namesOf(element))) add(window, name, element);
  },
};
