// natives: none
// The interfaces of a window with a document, about two hundred, each made when it is first touched: a page uses a few, and to make them all takes
// longer than to show the page.
'use strict';

const { define, later } = require('html/agent');
const pack = require('html/pack');

const kJsdom = 'jsdom/lib/jsdom';

function installPaths(window) {
  let isMade = false;
  const make = () => {
    if (isMade) return;
    const install = pack.load(`${kJsdom}/level3/xpath.js`);
    isMade = true;
    install(window);
  };
  for (const name of each(['XPathException', 'XPathExpression', 'XPathResult', 'XPathEvaluator'])) later(window, name, make);
  for (const name of each(['createExpression', 'createNSResolver', 'evaluate'])) later(window.Document.prototype, name, make);
}

// Handlers of animations and transitions, which jsdom has only by their old names.
const kHandlers = ['animationstart', 'animationiteration', 'animationend', 'animationcancel', 'transitionrun', 'transitionstart', 'transitionend', 'transitioncancel'];
const kWithHandlers = ['HTMLElement', 'SVGElement'];
const prepared = new Set();
function addHandlers(window, name) {
  const { implementation } = pack.load(`${kJsdom}/living/nodes/${name}-impl.js`);
  const { createEventAccessor } = pack.load(`${kJsdom}/living/helpers/create-event-accessor.js`);
  const { implForWrapper, tryWrapperForImpl } = pack.load('jsdom/lib/generated/idl/utils.js');
  const { convert } = pack.load('jsdom/lib/generated/idl/EventHandlerNonNull.js');
  for (const type of each(kHandlers)) {
    if (!prepared.has(name)) createEventAccessor(implementation.prototype, type);
    Object.defineProperty(window[name].prototype, `on${type}`, {
      __proto__: null, configurable: true, enumerable: true,
      get() { return tryWrapperForImpl(implForWrapper(this)[`on${type}`]); },
      set(value) { implForWrapper(this)[`on${type}`] = (typeof value === 'object' && value !== null) || typeof value === 'function' ? convert(window, value) : null; },
    });
  }
  prepared.add(name);
}

// Events that only code makes: nothing is animated here.
function installAnimationEvents(window) {
  const classes = { AnimationEvent: { animationName: '', elapsedTime: 0, pseudoElement: '' }, TransitionEvent: { propertyName: '', elapsedTime: 0, pseudoElement: '' } };
  for (const name of each(Object.keys(classes))) {
    later(window, name, () => define(window, name, require('html/events').eventClass(window, name, classes[name]), false));
  }
}

let hasCanvas = false;
function drawOnCanvas() {
  if (!hasCanvas) require('html/canvas').installElements();
  hasCanvas = true;
}

// In the place of jsdom's function of this name.
function installInterfaces(window, globalNames) {
  const { interfaces } = pack.load(`${kJsdom}/living/interfaces.js`);
  const registry = pack.load('jsdom/lib/generated/idl/utils.js').initCtorRegistry(window);
  for (const name of each(Object.keys(interfaces))) {
    const make = () => {
      delete registry[name];
      if (name === 'HTMLCanvasElement') drawOnCanvas();
      interfaces[name].install(window, globalNames);
      if (kWithHandlers.includes(name)) addHandlers(window, name);
      if (name === 'CSSStyleSheet') require('html/style_origins').guard(window, registry.CSSStyleSheet);
      if (name === 'DOMException') Object.setPrototypeOf(window.DOMException.prototype, window.Error.prototype);
    };
    later(registry, name, make);
    later(window, name, () => registry[name]);
  }
  for (const [name, other] of eachEntry([['HTMLDocument', 'Document'], ['webkitURL', 'URL']])) {
    later(window, name, () => { window[name] = window[other]; });
  }
  installPaths(window);
  installAnimationEvents(window);
}

module.exports = { installInterfaces };
