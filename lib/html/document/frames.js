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

// Fetches an address, as `client` may have it, then `then(text, url, referrer)` with the address that answered and what it was told of the
// page; what cannot be had is told and is an empty document. `submission`: { method, body, type } of a form. `isNested`: for a frame.
function fetchText(url, client, { submission, isNested = false }, then) {
  const { method, body, type } = submission ?? {};
  const options = { mode: 'navigate', isNested, method, body, headers: type === undefined ? [] : [['content-type', type]] };
  requests.request(url, options, client, (error, answer) => {
    if (error === undefined) return then(answer.body.toString('utf8'), answer.url, answer.referrer);
    tellFailure(url, error);
    return then('', url);
  });
}

// After redirects a document is of the address that answered, and its referrer is what that was told.
function moveTo(document, url, referrer) {
  if (isHttp(url)) document._referrer = referrer ?? '';
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
  readText((text, answered = document.URL, referrer = undefined) => {
    if (document._isDestroyed) return loaded(true);
    if (isForeign(answered, parentDocument) && !isForeign(url, parentDocument)) {
      discard(frame);
      makeForeignFrame(frame, answered, text, referrer);
      return loaded(true);
    }
    moveTo(document, answered, referrer);
    return promiseThen(parse(text, document), () => {
      if (!document._isDestroyed) fireLoad(frame);
      loaded(true);
    });
  });
}

function makeForeignFrame(frame, url, text, referrer) {
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
    { text, referrer },
  );
  foreign.set(frame, made);
  pack.load(`${kJsdom}/living/nodes/HTMLFrameElement-impl.js`).refreshAccessors(frame._ownerDocument);
}

const proxyOf = (frame) => foreign.get(frame)?.proxy ?? frame._contentDocument?._defaultView ?? null;

function discard(frame) {
  foreign.get(frame)?.close();
  foreign.delete(frame);
  frame._contentDocument?._defaultView?.close();
  frame._contentDocument = null;
}

// Presents what is at `url` in the frame. The answer to a form's POST is had first, by the document of the form.
function navigateFrame(frame, url, submission) {
  const document = frame._ownerDocument;
  if (submission !== undefined)
    return fetchText(url, clientOf(document), { submission, isNested: true }, (text, answered, referrer) => {
      if (!frame.isConnected || document._isDestroyed) return;
      discard(frame);
      if (isForeign(answered, document)) makeForeignFrame(frame, answered, text, referrer);
      else makeFrame(frame, answered, (then) => then(text, answered, referrer));
    });
  discard(frame);
  if (isForeign(url, document)) return makeForeignFrame(frame, url);
  if (!isRefused(url, document)) return makeFrame(frame, url, (then) => fetchText(url, clientOf(document), { isNested: true }, then));
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

// A window beside the page: { proxy, navigate(url, submission), isClosed() }.
function openWindow(global, href, { submission, hasOpener = true } = {}) {
  const document = global[hidden._document];
  const window = global._globalProxy;
  if (isForeign(href, document) && submission === undefined) return openForeign(window, href, { hasOpener });
  if (isRefused(href, document)) {
    tellFailure(href, new Error(`${document.URL} may not show files`));
    return undefined;
  }
  container = undefined;
  creator = document;
  const made = createWindow(global, isForeign(href, document) ? 'about:blank' : href, document[hidden._origin]);
  const inner = made[hidden._document];
  const proxy = made._globalProxy;
  if (hasOpener) define(proxy, 'opener', window);
  // Of another origin after all: an agent of its own. The window that the opener holds is closed, and sends messages there.
  const leave = (answered, text, referrer) => {
    const foreignWindow = openForeign(window, answered, { text, referrer, hasOpener });
    define(proxy, 'postMessage', (...args) => foreignWindow.proxy.postMessage(...each(args)));
    proxy.close();
  };
  if (href === 'about:blank') parse('<html><head></head><body></body></html>', inner);
  else {
    fetchText(href, clientOf(document), { submission }, (text, answered, referrer) => {
      if (inner._isDestroyed) return;
      if (isForeign(answered, document)) return leave(answered, text, referrer);
      moveTo(inner, answered, referrer);
      return parse(text, inner);
    });
  }
  return { proxy, isClosed: () => inner._isDestroyed, navigate: (url, given) => navigate(made, url, { submission: given }) };
}

function openForeign(window, href, { text, referrer, hasOpener }) {
  const made = require('html/agents/foreign_window').create(
    window,
    href,
    () => {},
    () => {},
    { isOpened: true, text, referrer, hasOpener },
  );
  return {
    proxy: made.proxy,
    isClosed: () => made.proxy.closed,
    navigate(url, submission) {
      if (submission === undefined) return made.navigate(url);
      return fetchText(url, requests.clientOf(window), { submission }, (answer, answered, told) => made.navigate(answered, answer, told));
    },
  };
}

// https://html.spec.whatwg.org/#navigate: the document gives way to another. A page's own window is made anew. `initiator`: the client
// that asks for it, if that is another than the document; `text`, `referrer`: the answer and what was told for it, if they are known.
function navigate(global, url, { submission, initiator, text, referrer } = {}) {
  const document = global[hidden._document];
  const frame = global[hidden._frameElement];
  if (frame !== null) return queueTask(sources.networking, () => navigateFrame(frame, url, submission));
  if (isForeign(url, document) && document.URL.startsWith('file:')) process._rawDebug(`rondo: ${document.URL} goes on to ${url}`);
  if (isRefused(url, document)) return tellFailure(url, new Error(`${document.URL} may not show files`));
  const show = (page, answered, told = referrer) => {
    if (document._isDestroyed) return;
    const window = global._globalProxy;
    for (const type of each(['pagehide', 'unload'])) window.dispatchEvent(new window.Event(type));
    require('html/document/document').replacePage(global, new URL(answered), page, told);
  };
  if (text !== undefined) return queueTask(sources.networking, () => show(text, url));
  const isNested = require('html/document/document').isEmbedded(document);
  return fetchText(url, initiator ?? clientOf(document), { submission, isNested }, show);
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
      return proxyOf(this);
    },
  }));
  patch('window: navigate', () => (global, url) => {
    navigate(global._globalObject ?? global, pack.load('whatwg-url/index.js').serializeURL(url));
  });
  return {
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

module.exports = { install, navigate, navigateFrame, openWindow, proxyOf };
