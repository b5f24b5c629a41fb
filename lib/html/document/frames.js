// natives: none
// Frames of a document, windows that a page opens, and navigation: what jsdom leaves out. A window of the same origin is one of this agent,
// reached directly. One of another origin is an agent of its own (html/agents/frame_scope), of which only a proxy is here
// (html/agents/foreign_window).
'use strict';

const hidden = require('html/jsdom/hidden');
const { sources, queueTask, define } = require('html/agents/agent');
const pack = require('html/jsdom/pack');
const { patch, patchAccessor } = require('html/jsdom/patches');
const requests = require('html/network/requests');
const { originOf, isHttp } = require('html/network/addresses');
const { URL } = require('internal/url/url_class');

const kJsdom = 'jsdom/lib/jsdom';

let container; // the document in which a frame is being made
let creator; // the document that makes a frame or opens a window
const foreign = new WeakMap(); // frame element → html/agents/foreign_window's handle

const attribute = (element, name) => element.getAttributeNS(null, name);
const fireLoad = (element) => {
  pack.load(`${kJsdom}/living/helpers/events.js`).fireAnEvent('load', element);
};

// Pages of files have no origin; to one another they are of the same. A data: address is of no origin.
const isForeign = (url, document) => (isHttp(url) && originOf(url) !== document[hidden._origin]) || url.startsWith('data:');
const clientOf = (document) => requests.clientOf(document._defaultView._globalProxy);
// Only who may read files may show them.
const isRefused = (url, document) => url.startsWith('file:') && clientOf(document).folder === '';

function createWindow(opener, url, origin) {
  const settings = opener[hidden._settings];
  const commonForOrigin = opener[hidden._commonForOrigin];
  const global = pack.load(`${kJsdom}/browser/Window.js`).createWindow({
    settings,
    commonForOrigin,
    documentOptions: {
      parsingMode: 'html',
      url,
      parentOrigin: origin,
      referrer: opener[hidden._document].URL,
      encoding: 'UTF-8',
      parseOptions: { sourceCodeLocationInfo: true },
    },
  });
  if (opener[hidden._document][hidden._origin] === global[hidden._document][hidden._origin])
    global[hidden._currentOriginData].windowsInSameOrigin.push(global);
  return global;
}

const parse = (text, document) => {
  pack.load(`${kJsdom}/browser/parser/index.js`).parseIntoDocument(text, document);
  return document.close();
};

function tellFailure(url, error) {
  process.exitCode = 1;
  process._rawDebug(`rondo: cannot load ${url}: ${error.cause?.message ?? error.message}`);
}

// Fetches an address, as `document` may have it, then `then(text, url)` with the address that answered; what cannot be had is told and
// is an empty document.
function fetchText(url, document, then) {
  requests.request(url, { mode: 'navigate' }, clientOf(document), (error, answer) => {
    if (error === undefined) return then(answer.body.toString('utf8'), answer.url);
    tellFailure(url, error);
    return then('', url);
  });
}

// After redirects a document is of the address that answered.
function moveTo(document, url) {
  if (/^(about|javascript):/.test(document.URL) || document.URL === url) return;
  document._URL = pack.load('whatwg-url/index.js').parseURL(url);
}

// The container's load event waits for the frame's.
function delayLoad(frame) {
  const { promise, resolve } = Promise.withResolvers();
  frame._ownerDocument._asyncQueue.push(promise, null, null, null);
  return resolve;
}

function makeFrame(frame, url, readText) {
  const parentDocument = frame._ownerDocument;
  const parent = parentDocument._defaultView;
  container = creator = parentDocument;
  const document = (frame._contentDocument = createWindow(
    parent,
    url.startsWith('about:') ? 'about:blank' : url,
    parentDocument[hidden._origin],
  )[hidden._document]);
  if (url === 'about:srcdoc') document._URL = pack.load('whatwg-url/index.js').parseURL(url);
  parentDocument._childDocuments.add(document);
  document._parentDocument = parentDocument;
  const view = document._defaultView;
  view[hidden._parent] = parent;
  view[hidden._top] = parent.top;
  view[hidden._frameElement] = frame;
  pack.load(`${kJsdom}/living/nodes/HTMLFrameElement-impl.js`).refreshAccessors(parentDocument);
  const loaded = delayLoad(frame);
  readText((text, answered = document.URL) => {
    if (document._isDestroyed) return loaded(true);
    if (isForeign(answered, parentDocument) && !isForeign(url, parentDocument)) {
      discard(frame);
      makeForeignFrame(frame, answered, text);
      return loaded(true);
    }
    moveTo(document, answered);
    return promiseThen(parse(text, document), () => {
      if (!document._isDestroyed) fireLoad(frame);
      loaded(true);
    });
  });
}

function makeForeignFrame(frame, url, text) {
  const window = frame._ownerDocument._defaultView;
  const loaded = delayLoad(frame);
  const made = require('html/agents/foreign_window').create(
    window,
    url,
    () => {
      if (foreign.get(frame) === made) fireLoad(frame); // else it has been removed, or presents something else
      loaded(true);
    },
    () => loaded(true),
    { text },
  );
  foreign.set(frame, made);
  pack.load(`${kJsdom}/living/nodes/HTMLFrameElement-impl.js`).refreshAccessors(frame._ownerDocument);
}

function discard(frame) {
  foreign.get(frame)?.close();
  foreign.delete(frame);
  frame._contentDocument?._defaultView?.close();
  frame._contentDocument = null;
}

// Presents what is at `url` in the frame.
function navigateFrame(frame, url) {
  const document = frame._ownerDocument;
  discard(frame);
  if (isForeign(url, document)) return makeForeignFrame(frame, url);
  if (!isRefused(url, document)) return makeFrame(frame, url, (then) => fetchText(url, document, then));
  tellFailure(url, new Error(`${document.URL} may not show files`));
  return makeFrame(frame, 'about:blank', (then) => queueTask(sources.dom, () => then('')));
}

// Answers whether the frame has been taken care of: about:blank and javascript: are jsdom's.
function load(frame) {
  const document = frame._ownerDocument;
  container = creator = document;
  if (document._isDestroyed) return false;
  const text = frame._localName === 'iframe' ? attribute(frame, 'srcdoc') : null;
  if (text !== null) {
    discard(frame);
    makeFrame(frame, 'about:srcdoc', (then) => queueTask(sources.dom, () => then(text)));
    return true;
  }
  const source = attribute(frame, 'src');
  const base = document.baseURLSerialized();
  if (!source || !URL.canParse(source, base)) return false;
  const url = new URL(source, base).href;
  if (/^(about|javascript):/.test(url)) return false;
  // https://html.spec.whatwg.org/#shared-attribute-processing-steps-for-iframe-and-frame-elements: a page that is in itself ends there.
  const place = url.split('#')[0];
  for (let at = document; at; at = at._parentDocument) if (at.URL.split('#')[0] === place) return true;
  navigateFrame(frame, url);
  return true;
}

// https://html.spec.whatwg.org/#dom-open: a window of its own, or one of another origin.
function installOpen(window, global) {
  define(window, 'open', (url = '', target = '_blank') => {
    const base = global[hidden._document].baseURLSerialized();
    const text = `${url}` === '' ? 'about:blank' : `${url}`;
    if (!URL.canParse(text, base))
      throw new window.DOMException(
        `Failed to execute 'open' on 'Window': Unable to open a window with invalid URL '${url}'.`,
        'SyntaxError',
      );
    const { href } = new URL(text, base);
    const document = global[hidden._document];
    if (isForeign(href, document))
      return require('html/agents/foreign_window').create(
        window,
        href,
        () => {},
        () => {},
        { isOpened: true },
      ).proxy;
    if (isRefused(href, document)) {
      tellFailure(href, new Error(`${document.URL} may not show files`));
      return null;
    }
    container = undefined;
    creator = document;
    const made = createWindow(global, href, document[hidden._origin]);
    const proxy = made._globalProxy;
    define(proxy, 'opener', window);
    if (target !== '_blank') proxy.name = `${target}`;
    if (href === 'about:blank') parse('<html><head></head><body></body></html>', made[hidden._document]);
    else {
      fetchText(href, document, (page, answered) => {
        if (made[hidden._document]._isDestroyed) return;
        if (isForeign(answered, document))
          return tellFailure(href, new Error(`it redirects to ${originOf(answered)}, an origin of its own`));
        moveTo(made[hidden._document], answered);
        return parse(page, made[hidden._document]);
      });
    }
    return proxy;
  });
}

// https://html.spec.whatwg.org/#navigate: the document gives way to another. A page's own window is made anew.
function navigate(global, url) {
  const frame = global[hidden._frameElement];
  if (frame !== null) return queueTask(sources.networking, () => navigateFrame(frame, url));
  if (isForeign(url, global[hidden._document]) && global[hidden._document].URL.startsWith('file:')) {
    process._rawDebug(`rondo: ${global[hidden._document].URL} goes on to ${url}`);
  }
  if (isRefused(url, global[hidden._document])) return tellFailure(url, new Error(`${global[hidden._document].URL} may not show files`));
  return fetchText(url, global[hidden._document], (text, answered) => {
    const window = global._globalProxy;
    for (const type of each(['pagehide', 'unload'])) window.dispatchEvent(new window.Event(type));
    require('html/document/document').replacePage(global, new URL(answered), text);
  });
}

function install() {
  const loadSource = (changed) =>
    function (name, oldValue, value, namespace) {
      Reflect.apply(changed, this, [name, oldValue, value, namespace]);
      if (namespace === null && name === 'srcdoc' && value !== null && this.isConnected && this._ownerDocument._defaultView) load(this);
    };
  const closeForeign = (removed) =>
    function (...args) {
      foreign.get(this)?.close();
      foreign.delete(this);
      return Reflect.apply(removed, this, args);
    };
  patch('frame: load', () => load);
  patch('frame: attribute changed', loadSource);
  patch('frame: removed', closeForeign);
  patchAccessor('frame: contentWindow', () => ({
    get() {
      return foreign.get(this)?.proxy ?? this._contentDocument?._defaultView ?? null;
    },
  }));
  patch('window: navigate', () => (global, url) => {
    navigate(global._globalObject ?? global, pack.load('whatwg-url/index.js').serializeURL(url));
  });
  return {
    installOpen,
    // Of the window that is being made.
    container() {
      const made = container;
      container = undefined;
      return made;
    },
    creator() {
      const made = creator;
      creator = undefined;
      return made;
    },
  };
}

module.exports = { install };
