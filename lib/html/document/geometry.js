// natives: none
// Sizes and places of elements (https://drafts.csswg.org/cssom-view/) by the boxes that rondo.layout has given them: there is no
// layout engine, and an element without a box has no size. Boxes are the border boxes, and have neither borders nor scroll bars.
'use strict';

const { define } = require('html/agents/agent');

const kNone = { x: 0, y: 0, width: 0, height: 0 };

// `boxes`: element → its box in the document; `size`: the window's; `position()`: how far the document is scrolled.
function install(window, boxes, size, position) {
  const rectOf = ({ x, y, width, height }) => new window.DOMRect(x - position()[0], y - position()[1], width, height);
  const rectsOf = (element) => window.Array.from(boxes.has(element) && element.isConnected ? [rectOf(boxes.get(element))] : []);
  const getter = (prototype, name, get) =>
    Object.defineProperty(prototype, name, { __proto__: null, configurable: true, enumerable: true, get });

  const { prototype } = window.Element;
  define(prototype, 'getBoundingClientRect', function getBoundingClientRect() {
    return boxes.has(this) ? rectOf(boxes.get(this)) : new window.DOMRect(0, 0, 0, 0);
  });
  // An element that is rendered has a box, if one without a size: that is how code asks whether it is.
  define(prototype, 'getClientRects', function getClientRects() {
    const known = rectsOf(this);
    const isThere = known.length === 0 && this.checkVisibility() && window.getComputedStyle(this).display !== 'contents';
    return isThere ? window.Array.of(new window.DOMRect(0, 0, 0, 0)) : known;
  });
  define(prototype, 'scrollIntoView', function scrollIntoView() {
    const { x, y } = boxes.get(this) ?? kNone;
    if (boxes.has(this)) window.scrollTo(x, y);
  });
  // https://drafts.csswg.org/cssom-view/#dom-element-checkvisibility
  define(prototype, 'checkVisibility', function checkVisibility(options = {}) {
    if (!this.isConnected) return false;
    const { checkOpacity, opacityProperty, checkVisibilityCSS, visibilityProperty } = options ?? {};
    for (let at = this; at instanceof window.Element; at = at.assignedSlot ?? at.parentElement ?? at.getRootNode().host) {
      const style = window.getComputedStyle(at);
      if (style.display === 'none') return false;
      if ((checkOpacity || opacityProperty) && Number(style.opacity) === 0) return false;
    }
    return !(checkVisibilityCSS || visibilityProperty) || !['hidden', 'collapse'].includes(window.getComputedStyle(this).visibility);
  });
  const isRoot = (element) => element === window.document.documentElement;
  const sizeOf = (element) => (isRoot(element) ? size : (boxes.get(element) ?? kNone));
  getter(prototype, 'clientWidth', function () {
    return Math.round(sizeOf(this).width);
  });
  getter(prototype, 'clientHeight', function () {
    return Math.round(sizeOf(this).height);
  });
  for (const [name, key] of eachEntry([
    ['scrollWidth', 'width'],
    ['scrollHeight', 'height'],
  ])) {
    getter(prototype, name, function () {
      return Math.round(Math.max(sizeOf(this)[key], boxes.get(this)?.[name] ?? 0));
    });
  }

  const { prototype: html } = window.HTMLElement;
  const boxOf = (element) => boxes.get(element) ?? kNone;
  getter(html, 'offsetWidth', function () {
    return Math.round(boxOf(this).width);
  });
  getter(html, 'offsetHeight', function () {
    return Math.round(boxOf(this).height);
  });
  const parentOf = (element) => {
    const parent = element.offsetParent;
    return parent === null || parent === window.document.body ? kNone : boxOf(parent);
  };
  getter(html, 'offsetLeft', function () {
    return Math.round(boxOf(this).x - parentOf(this).x);
  });
  getter(html, 'offsetTop', function () {
    return Math.round(boxOf(this).y - parentOf(this).y);
  });

  installHitTests(window, boxes, size);
  rectsIn.set(window.document, rectsOf);
}

// https://drafts.csswg.org/cssom-view/#dom-document-elementfrompoint: of those whose boxes are there the last in tree order, else
// the root.
function installHitTests(window, boxes, size) {
  const elementsAt = (document, x, y) => {
    if (!(x >= 0 && y >= 0 && x <= size.width && y <= size.height)) return [];
    const isThere = (element) => {
      const rect = element.getBoundingClientRect();
      return boxes.has(element) && x >= rect.left && x < rect.right && y >= rect.top && y < rect.bottom;
    };
    const isRoot = (element) => element === window.document.documentElement;
    const found = [...each(document.querySelectorAll('*'))].filter((element) => !isRoot(element) && isThere(element)).toReversed();
    return document.documentElement === null ? found : [...each(found), document.documentElement];
  };
  define(window.Document.prototype, 'elementsFromPoint', function elementsFromPoint(x, y) {
    return window.Array.from(elementsAt(this, +x, +y));
  });
  define(window.Document.prototype, 'elementFromPoint', function elementFromPoint(x, y) {
    return elementsAt(this, +x, +y)[0] ?? null;
  });
}

const rectsIn = new WeakMap(); // document → rects of an element of it

// Of a range: the boxes of the elements that it holds, or that of the element that it is in.
function installRange(window) {
  const { prototype } = window.Range;
  const rects = (range) => {
    const { commonAncestorContainer: around } = range;
    const inner =
      around instanceof window.Element ? [...each(around.querySelectorAll('*'))].filter((element) => range.intersectsNode(element)) : [];
    const found = inner.flatMap((element) => [...each(rectsIn.get(window.document)(element))]);
    const outer = around instanceof window.Element ? around : around.parentElement;
    return found.length > 0 || outer === null || range.collapsed ? found : [...each(rectsIn.get(window.document)(outer))];
  };
  define(prototype, 'getClientRects', function getClientRects() {
    return window.Array.from(rects(this));
  });
  define(prototype, 'getBoundingClientRect', function getBoundingClientRect() {
    const list = rects(this);
    if (list.length === 0) return new window.DOMRect(0, 0, 0, 0);
    const least = (key) => list.reduce((value, rect) => Math.min(value, rect[key]), Infinity);
    const most = (key) => list.reduce((value, rect) => Math.max(value, rect[key]), -Infinity);
    return new window.DOMRect(least('left'), least('top'), most('right') - least('left'), most('bottom') - least('top'));
  });
}

module.exports = { install, installRange };
