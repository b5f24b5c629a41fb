// natives: none
// The interfaces of a window with a document, about two hundred, each made when it is first touched: a page uses a few, and to make
// them all takes longer than to show the page.
'use strict';

const { define, later } = require('html/agents/agent');
const pack = require('html/jsdom/pack');

const kJsdom = 'jsdom/lib/jsdom';

// https://dom.spec.whatwg.org/#interface-xpathexpression: the type of the result is any (0) unless said.
function allowAnyType(window) {
  const { prototype } = window.XPathExpression;
  const { evaluate } = prototype;
  define(prototype, 'evaluate', function (node, type = 0, result = null) {
    return Reflect.apply(evaluate, this, [node, type, result]);
  });
}

const kPaths = ['XPathException', 'XPathExpression', 'XPathResult', 'XPathEvaluator'];
function installPaths(window) {
  let isMade = false;
  const make = () => {
    if (isMade) return;
    const install = pack.load(`${kJsdom}/level3/xpath.js`);
    isMade = true;
    install(window);
    allowAnyType(window);
    for (const name of each(kPaths)) require('html/window/own_realm').adopt(window, window[name]);
  };
  for (const name of each(kPaths)) later(window, name, make);
  for (const name of each(['createExpression', 'createNSResolver', 'evaluate'])) later(window.Document.prototype, name, make);
}

// Handlers of animations and transitions, which jsdom has only by their old names.
const kHandlers = [
  'animationstart',
  'animationiteration',
  'animationend',
  'animationcancel',
  'transitionrun',
  'transitionstart',
  'transitionend',
  'transitioncancel',
];
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
      __proto__: null,
      configurable: true,
      enumerable: true,
      get() {
        return tryWrapperForImpl(implForWrapper(this)[`on${type}`]);
      },
      set(value) {
        implForWrapper(this)[`on${type}`] =
          (typeof value === 'object' && value !== null) || typeof value === 'function' ? convert(window, value) : null;
      },
    });
  }
  prepared.add(name);
}

// Events that jsdom has no interfaces of.
function installEvents(window) {
  const classes = {
    AnimationEvent: { animationName: '', elapsedTime: 0, pseudoElement: '' },
    TransitionEvent: { propertyName: '', elapsedTime: 0, pseudoElement: '' },
    ToggleEvent: { oldState: '', newState: '', source: null },
    ClipboardEvent: { clipboardData: null },
    FormDataEvent: { formData: null },
  };
  for (const name of each(Object.keys(classes))) {
    later(window, name, () => define(window, name, require('html/window/events').eventClass(window, name, classes[name]), false));
  }
}

// Additions of html/ to an interface when it is made.
const extensions = {
  __proto__: null,
  HTMLDialogElement: (window) => togglingOf(window).installDialogs(),
  HTMLElement(window) {
    togglingOf(window).installPopovers();
    require('html/document/inner_text').install(window);
  },
  Document(window) {
    require('html/document/style_sheets').install(window, window.Document.prototype);
    require('html/window/handler_attribute').attribute(window.Document.prototype, 'visibilitychange');
  },
  ElementInternals: (window) => require('html/document/internals').install(window),
  Blob: (window) =>
    define(window.Blob.prototype, 'stream', function stream() {
      return require('html/jsdom/fixes').streamOf(window, this);
    }),
  Crypto: (window) => require('html/window/subtle').install(window),
  ShadowRoot: (window) => require('html/document/style_sheets').install(window, window.ShadowRoot.prototype),
  CSSStyleSheet: (window) => define(window, 'CSSStyleSheet', require('html/document/style_sheets').constructible(window), false),
  Navigator: (window) => require('html/window/clipboard').install(window),
  XMLHttpRequest: (window) => require('html/network/xhr').installForms(window),
  Range: (window) => require('html/document/geometry').installRange(window),
};
const togglingOf = (window) => require('html/document/toggling').of(window);

// Changes to jsdom's elements that wait for the first of their kind.
const elements = {
  __proto__: null,
  HTMLCanvasElement: () => require('html/window/canvas').installElements(),
  HTMLImageElement: () => require('html/document/images').extend(),
};
function extendElement(name) {
  elements[name]?.();
  delete elements[name];
}

// In the place of jsdom's function of this name.
function installInterfaces(window, globalNames) {
  const { interfaces } = pack.load(`${kJsdom}/living/interfaces.js`);
  const registry = pack.load('jsdom/lib/generated/idl/utils.js').initCtorRegistry(window);
  for (const name of each(Object.keys(interfaces))) {
    const make = () => {
      delete registry[name];
      extendElement(name);
      interfaces[name].install(window, globalNames);
      require('html/window/own_realm').adopt(window, registry[name] ?? Object.getOwnPropertyDescriptor(window, name)?.value);
      if (kWithHandlers.includes(name)) addHandlers(window, name);
      if (name === 'CSSStyleSheet') require('html/document/style_origins').guard(window, registry.CSSStyleSheet);
      extensions[name]?.(window);
      if (name === 'DOMException') Object.setPrototypeOf(window.DOMException.prototype, window.Error.prototype);
    };
    later(registry, name, make);
    later(window, name, () => registry[name]);
  }
  for (const [name, other] of eachEntry([
    ['HTMLDocument', 'Document'],
    ['webkitURL', 'URL'],
  ])) {
    later(window, name, () => {
      define(window, name, window[other], false);
    });
  }
  installPaths(window);
  installEvents(window);
  require('html/window/subtle').installNames(window);
  later(window, 'DataTransfer', () => {
    define(window, 'DataTransfer', require('html/document/data_transfer').create(window), false);
    require('html/window/own_realm').adopt(window, window.DataTransfer);
  });
  later(window, 'DragEvent', () =>
    define(
      window,
      'DragEvent',
      require('html/window/events').eventClass(window, 'DragEvent', { dataTransfer: null }, [], window.MouseEvent),
      false,
    ),
  );
}

module.exports = { installInterfaces };
