// natives: none
// Frames of a document, windows that a page opens, and navigation: what jsdom leaves out. A window of the same origin is one of this agent,
// reached directly. One of another origin is an agent of its own (html/agents/frame_scope), of which only a proxy is here
// (html/agents/foreign_window).
'use strict';

const hidden = require('html/jsdom/hidden');
const { loop, sources, queueTask, define } = require('html/agents/agent');
const pack = require('html/jsdom/pack');
const { patch, patchAccessor } = require('html/jsdom/patches');
const requests = require('html/network/requests');
const sandbox = require('html/document/sandbox');
const { originOf, isHttp } = require('html/network/addresses');
const { URL } = require('internal/url/url_class');

const kJsdom = 'jsdom/lib/jsdom';

let container; // the document in which a frame is being made
let creator; // the document that makes a frame or opens a window
let flags = []; // sandboxing flags of the window that is being made
const foreign = new WeakMap(); // frame element → html/agents/foreign_window's handle

const attribute = (element, name) => element.getAttributeNS(null, name);
const fireLoad = (element) => {
  pack.load(`${kJsdom}/living/helpers/events.js`).fireAnEvent('load', element);
};

// Pages of files have no origin; to one another they are of the same. A data: address is of no origin.
const isForeign = (url, document) => (isHttp(url) && originOf(url) !== document[hidden._origin]) || url.startsWith('data:');
const isApart = (url, document, given) => given.includes('origin') || isForeign(url, document);
const clientOf = (document) => requests.clientOf(document._defaultView._globalProxy);
// Only who may read files may show them.
const isRefused = (url, document) => url.startsWith('file:') && clientOf(document).folder === '';

function createWindow(opener, url, origin, given) {
  flags = given;
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

// Fetches an address, as `client` may have it, then `then(text, url, referrer, added)` with the address that answered, what it was told of
// the page, and the sandboxing flags of its header; what cannot be had is told and is an empty document. `submission`: { method, body,
// type } of a form. `isNested`: for a frame.
function fetchText(url, client, { submission, isNested = false }, then) {
  const { method, body, type } = submission ?? {};
  const options = { mode: 'navigate', isNested, method, body, headers: type === undefined ? [] : [['content-type', type]] };
  requests.request(url, options, client, (error, answer) => {
    if (error === undefined) return then(answer.body.toString('utf8'), answer.url, answer.referrer, sandbox.ofHeaders(answer.headers));
    tellFailure(url, error);
    return then('', url);
  });
}

// After redirects a document is of the address that answered, and its referrer is what that was told.
function moveTo(document, url, referrer) {
  if (isHttp(url)) document._referrer = referrer ?? '';
  if (document.URL === url) return;
  document._clearBaseURLCache();
  document._URL = pack.load('whatwg-url/index.js').parseURL(url);
}

// The container's load event waits for the frame's.
function delayLoad(frame) {
  const { promise, resolve } = Promise.withResolvers();
  frame._ownerDocument._asyncQueue.push(promise, null, null, null);
  return resolve;
}

// A frame of this agent. `readText(then)`: see fetchText.
function makeFrame(frame, url, readText, given = sandbox.flagsFor(frame)) {
  const parentDocument = frame._ownerDocument;
  const parent = parentDocument._defaultView;
  container = creator = parentDocument;
  const document = (frame._contentDocument = createWindow(
    parent,
    url.startsWith('about:') ? 'about:blank' : url,
    parentDocument[hidden._origin],
    given,
  )[hidden._document]);
  if (url === 'about:srcdoc') {
    document._URL = pack.load('whatwg-url/index.js').parseURL(url);
    document._fallbackBaseURL = () => parentDocument.baseURL();
    document._clearBaseURLCache();
  }
  parentDocument._childDocuments.add(document);
  document._parentDocument = parentDocument;
  const view = document._defaultView;
  view[hidden._parent] = parent;
  view[hidden._top] = parent.top;
  view[hidden._frameElement] = frame;
  pack.load(`${kJsdom}/living/nodes/HTMLFrameElement-impl.js`).refreshAccessors(parentDocument);
  const loaded = delayLoad(frame);
  readText((text, answered = undefined, referrer = undefined, added = []) => {
    if (document._isDestroyed) return loaded(true);
    const all = sandbox.union(given, added);
    if (answered !== undefined && (isApart(answered, parentDocument, all) || all.length > given.length)) {
      discard(frame);
      showIn(frame, answered, { text, referrer, flags: all });
      return loaded(true);
    }
    if (answered !== undefined) moveTo(document, answered, referrer);
    return promiseThen(parse(text, document), () => {
      if (!document._isDestroyed) fireLoad(frame);
      loaded(true);
    });
  });
}

// A document whose text is known, in an agent of its own where its origin wants it.
function showIn(frame, url, { text, referrer, flags: given }) {
  if (isApart(url, frame._ownerDocument, given)) return makeForeignFrame(frame, url, { text, referrer, flags: given });
  return makeFrame(frame, url, (then) => then(text, url, referrer), given);
}

function makeForeignFrame(frame, url, { text, referrer, flags: given }) {
  const document = frame._ownerDocument;
  const loaded = delayLoad(frame);
  const made = require('html/agents/foreign_window').create(
    document._defaultView,
    url,
    {
      onLoad() {
        if (foreign.get(frame) === made) fireLoad(frame); // else it has been removed, or presents something else
        loaded(true);
      },
      onEnd: () => loaded(true),
      // It goes on to a page of another origin than its own: this document's, for one.
      onLeave({ url: next, text: page, referrer: told, added }) {
        if (foreign.get(frame) !== made || document._isDestroyed) return;
        discard(frame);
        showIn(frame, next, { text: page, referrer: told, flags: sandbox.union(sandbox.flagsFor(frame), added) });
      },
    },
    { text, referrer, flags: given, base: document.baseURLSerialized() },
  );
  foreign.set(frame, made);
  pack.load(`${kJsdom}/living/nodes/HTMLFrameElement-impl.js`).refreshAccessors(document);
}

const proxyOf = (frame) => foreign.get(frame)?.proxy ?? frame._contentDocument?._defaultView ?? null;

function discard(frame) {
  foreign.get(frame)?.close();
  foreign.delete(frame);
  frame._contentDocument?._defaultView?.close();
  frame._contentDocument = null;
}

const kEmpty = '<html><head></head><body></body></html>';

// Presents what is at `url` in the frame. The answer to a form's POST is had first, by the document of the form; so is a file, which the
// document may read and the sandboxed one may not.
function navigateFrame(frame, url, submission) {
  const document = frame._ownerDocument;
  const given = sandbox.flagsFor(frame);
  const show = (text, answered, referrer, added) => {
    if (!frame.isConnected || document._isDestroyed) return;
    discard(frame);
    showIn(frame, answered, { text, referrer, flags: sandbox.union(given, added ?? []) });
  };
  if (isRefused(url, document)) {
    tellFailure(url, new Error(`${document.URL} may not show files`));
    discard(frame);
    return makeFrame(frame, 'about:blank', (then) => queueTask(sources.dom, () => then('')));
  }
  if (submission !== undefined || (given.includes('origin') && /^(file|blob):/.test(url)))
    return fetchText(url, clientOf(document), { submission, isNested: true }, show);
  discard(frame);
  if (isApart(url, document, given)) return makeForeignFrame(frame, url, { flags: given });
  return makeFrame(frame, url, (then) => fetchText(url, clientOf(document), { isNested: true }, then), given);
}

// A frame without an address, or with code for one.
function loadEmpty(frame, url, given) {
  if (given.length === 0) return false;
  if (url.startsWith('javascript:') && !given.includes('origin') && !given.includes('scripts')) return false;
  discard(frame);
  if (given.includes('origin')) makeForeignFrame(frame, 'about:blank', { text: kEmpty, flags: given });
  else makeFrame(frame, 'about:blank', (then) => then(kEmpty), given);
  return true;
}

// Answers whether the frame has been taken care of: about:blank and javascript: are jsdom's.
function load(frame) {
  const document = frame._ownerDocument;
  container = creator = document;
  if (document._isDestroyed) return false;
  const given = (flags = sandbox.flagsFor(frame));
  const text = frame._localName === 'iframe' ? attribute(frame, 'srcdoc') : null;
  if (text !== null) {
    discard(frame);
    if (given.includes('origin')) makeForeignFrame(frame, 'about:srcdoc', { text, flags: given });
    else makeFrame(frame, 'about:srcdoc', (then) => queueTask(sources.dom, () => then(text)), given);
    return true;
  }
  const source = attribute(frame, 'src');
  const base = document.baseURLSerialized();
  const url = source && URL.canParse(source, base) ? new URL(source, base).href : 'about:blank';
  if (/^(about|javascript):/.test(url)) return loadEmpty(frame, url, given);
  // https://html.spec.whatwg.org/#shared-attribute-processing-steps-for-iframe-and-frame-elements: a page that is in itself ends there.
  const place = url.split('#')[0];
  for (let at = document; at; at = at._parentDocument) if (at.URL.split('#')[0] === place) return true;
  navigateFrame(frame, url);
  return true;
}

// A window beside the page: { proxy, navigate(url, submission), isClosed(), document() }. It is an empty one of the opener's origin until
// its address has answered. If that is of another origin the page is in an agent of its own, and the WindowProxy that the opener holds
// becomes one of a window of another origin.
function openWindow(global, href, { submission, hasOpener = true } = {}) {
  const document = global[hidden._document];
  const window = global._globalProxy;
  const given = sandbox.flagsForOpened(document);
  const isElsewhere = isApart(href, document, given);
  if (isElsewhere && submission === undefined && (!hasOpener || !isHttp(href) || given.includes('origin')))
    return openForeign(window, href, { hasOpener, flags: given });
  if (isRefused(href, document)) {
    tellFailure(href, new Error(`${document.URL} may not show files`));
    return undefined;
  }
  container = undefined;
  creator = document;
  const made = createWindow(global, isElsewhere ? 'about:blank' : href, document[hidden._origin], given);
  const inner = made[hidden._document];
  const proxy = made._globalProxy;
  if (hasOpener) define(proxy, 'opener', window);
  openers.set(inner, { window, hasOpener });
  if (href === 'about:blank') parse(kEmpty, inner);
  else {
    fetchText(href, clientOf(document), { submission }, (text, answered, referrer, added) => {
      const all = sandbox.union(given, added ?? []);
      if (inner._isDestroyed) return;
      if (isApart(answered, document, all)) return depart(made, answered, { text, referrer, flags: all });
      moveTo(inner, answered, referrer);
      return parse(text, inner);
    });
  }
  const left = () => departed.get(inner); // the window of another origin in its place
  return {
    proxy,
    isClosed: () => left()?.isClosed() ?? inner._isDestroyed,
    navigate: (url, sent) => (left() === undefined ? navigate(made, url, { submission: sent }) : left().navigate(url, sent)),
    document: () => (left() === undefined ? inner : undefined),
  };
}

// A window of this agent goes on to a page of another origin, which gets an agent of its own: the WindowProxy that others hold becomes
// one of a window of another origin. `owner`: a window of this agent that stays.
const openers = new WeakMap(); // document of an opened window → { window, hasOpener }
const departed = new WeakMap(); // document of an opened window → html/document/frames' handle of the window in its place
function depart(global, url, { text, referrer, flags: given }, owner = undefined) {
  const document = global[hidden._document];
  const proxy = global._globalProxy;
  const { window = owner, hasOpener = false } = openers.get(document) ?? {};
  proxy.close();
  const { implForWrapper, wrapperSymbol } = pack.load('jsdom/lib/generated/idl/utils.js');
  const represent = (other) => {
    // jsdom asks the window for it, which says nothing any more.
    Object.defineProperty(implForWrapper(proxy), wrapperSymbol, { __proto__: null, value: proxy, configurable: true });
    loop.replaceWindow(proxy, other);
    return proxy;
  };
  departed.set(document, openForeign(window, url, { text, referrer, hasOpener, flags: given, represent }));
}

function openForeign(window, href, { text, referrer, hasOpener, flags: given, represent }) {
  const made = require('html/agents/foreign_window').create(
    window,
    href,
    { represent },
    { isOpened: true, text: text ?? (href === 'about:blank' ? kEmpty : undefined), referrer, hasOpener, flags: given },
  );
  return {
    proxy: made.proxy,
    isClosed: () => made.proxy.closed,
    document: () => undefined,
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
  const show = (page, answered, told = referrer, added = []) => {
    if (document._isDestroyed) return;
    const window = global._globalProxy;
    for (const type of each(['pagehide', 'unload'])) window.dispatchEvent(new window.Event(type));
    require('html/document/document').replacePage(global, new URL(answered), page, told, added);
  };
  if (text !== undefined) return queueTask(sources.networking, () => show(text, url));
  const isNested = require('html/document/document').isEmbedded(document);
  return fetchText(url, initiator ?? clientOf(document), { submission, isNested }, show);
}

// https://html.spec.whatwg.org/#location-object-navigate: the script that asks may be of another document.
function checkNavigation(global) {
  const caller = loop.caller();
  const source = caller && requests.clientOf(caller) !== undefined ? require('html/document/document').documentOf(caller) : undefined;
  if (source === undefined || sandbox.mayNavigate(source, global[hidden._document])) return;
  const message = 'The current window does not have permission to navigate the target frame.';
  throw new caller.DOMException(`Failed to set the 'href' property on 'Location': ${message}`, 'SecurityError');
}

function install() {
  const loadSource = (changed) =>
    function (name, oldValue, value, namespace) {
      Reflect.apply(changed, this, [name, oldValue, value, namespace]);
      if (namespace === null && name === 'sandbox') sandbox.changed(this);
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
  patch('window: may be navigated', () => checkNavigation);
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
    flags() {
      const given = flags;
      flags = [];
      return given;
    },
  };
}

module.exports = { install, navigate, navigateFrame, openWindow, proxyOf, depart };
