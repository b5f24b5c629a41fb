// natives: none
// A window with a document: jsdom's parser, tree and interfaces, with our loop beneath. See html/jsdom/pack for where it comes from.
'use strict';

const hidden = require('html/jsdom/hidden');
const vm = require('vm');
const { loop, sources, queueTask, callScript, enterScript, reportAt, checkpointIfOutermost, isOutermost } = require('html/agents/agent');
const pack = require('html/jsdom/pack');
const requests = require('html/network/requests');

const kJsdom = 'jsdom/lib/jsdom';

// Substitutes for the parts of jsdom that use Node.
function replaceParts() {
  pack.replace('undici/index.js', {});
  pack.replace('jsdom/lib/generated/js-globals.json', {}); // a context has them of its own
  pack.replace(`${kJsdom}/browser/resources/jsdom-dispatcher.js`, { fetchCollected });
  pack.replace(`${kJsdom}/living/helpers/runtime-script-errors.js`, (window, error) => {
    reportAt(window._globalProxy ?? window, error);
  });
  pack.replace(`${kJsdom}/living/window-properties.js`, require('html/document/named_elements'));
  const { runInContext } = vm;
  const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER; // by the window's importer: html/window/window
  vm.runInContext = (code, context, options) =>
    enterScript(() => runInContext(code, context, { ...options, importModuleDynamically, displayErrors: true }));
}

function answerOf({ status, headers, body, url }) {
  return { ok: status >= 200 && status < 300, status, headers: Object.fromEntries(headers), body, url };
}

// Resources of elements: of other origins, too, with CORS if the element says `crossorigin`.
const clientOf = (document) => requests.clientOf(document._defaultView._globalProxy);
function optionsFor(element) {
  const value = element.getAttributeNS(null, 'crossorigin');
  if (value === null) return { mode: 'no-cors' };
  return { mode: 'cors', credentials: value.toLowerCase() === 'use-credentials' ? 'include' : 'same-origin' };
}
function fetchCollected(dispatcher, { url, signal, element: wrapper }) {
  const element = implOf(wrapper);
  return new Promise((resolve, reject) => {
    const abort = requests.request(url, optionsFor(element), clientOf(element._ownerDocument), (error, answer) => {
      if (error !== undefined) return reject(error);
      require('html/document/style_origins').note(element, url, answer);
      return resolve(answerOf(answer));
    });
    signal.addEventListener('abort', () => {
      abort();
      reject(signal.reason);
    });
  });
}

// Listeners are the page's code: after each that is not called from other code of the page there is a checkpoint. What one throws is
// reported before that, as browsers do; by the Standard's letter it would come after.
function enterAtListeners() {
  for (const name of each(['EventListener', 'EventHandlerNonNull', 'OnErrorEventHandlerNonNull', 'OnBeforeUnloadEventHandlerNonNull'])) {
    const file = pack.load(`jsdom/lib/generated/idl/${name}.js`);
    const { convert } = file;
    file.convert = (...args) => {
      const call = convert(...each(args));
      const entering = function (...given) {
        return callScript(call, this, given);
      };
      return Object.assign(entering, call);
    };
  }
}

// A script's text, by the encoding that its answer, its element or its document says.
function scriptText(element, { headers, body }) {
  const labels = [
    /charset\s*=\s*"?([^";\s]+)/i.exec(headers.find((pair) => pair[0] === 'content-type')?.[1] ?? '')?.[1],
    element.getAttributeNS(null, 'charset'),
  ];
  const { TextDecoder } = require('internal/encoding/encoding');
  for (const label of each(labels)) {
    try {
      if (label) return new TextDecoder(label).decode(body);
    } catch {} // a label that names no encoding says nothing
  }
  return new TextDecoder(element._ownerDocument._encoding).decode(body);
}

// "Spin the event loop until the parser's pending parsing-blocking script is ready to be parser-executed": the answer's text; throws
// when there is none.
function awaitScript(element, href) {
  let settled;
  requests.request(href, optionsFor(element), clientOf(element._ownerDocument), (error, answer) => {
    settled = { error, answer };
  });
  loop.spin(() => settled !== undefined);
  if (settled === undefined || element._ownerDocument._isDestroyed) return undefined; // the page has ended meanwhile
  if (settled.error !== undefined) throw settled.error;
  if (settled.answer.status >= 400) throw new Error(`status ${settled.answer.status}`);
  return scriptText(element, settled.answer);
}

const blocking = new WeakSet(); // scripts that the parser waits for
const inserted = new WeakSet(); // scripts that code has inserted

// A script of an address blocks the parser, as the Standard says; jsdom alone would go on and run it later.
function blockOnScripts() {
  const { implementation } = pack.load(`${kJsdom}/living/nodes/HTMLScriptElement-impl.js`);
  const { fireAnEvent } = pack.load(`${kJsdom}/living/helpers/events.js`);
  const { _fetchExternalScript: later, _poppedOffStackOfOpenElements: popped, _innerEval: evaluate } = implementation.prototype;
  // A script's exception is reported before its microtasks run.
  implementation.prototype._innerEval = function (...args) {
    return enterScript(() => Reflect.apply(evaluate, this, args));
  };
  // "If the JavaScript execution context stack is empty, perform a microtask checkpoint", before the parser runs a script.
  implementation.prototype._poppedOffStackOfOpenElements = function () {
    checkpointIfOutermost();
    return Reflect.apply(popped, this, []);
  };
  implementation.prototype._fetchExternalScript = function () {
    if (this.getAttributeNS(null, 'src').trim() === '')
      return queueTask(sources.dom, () => fireAnEvent('error', this), documentCells.get(this._ownerDocument));
    const url = this._ownerDocument.encodingParseAURL(this.getAttributeNS(null, 'src'));
    const href = url === null ? '' : pack.load('whatwg-url/index.js').serializeURL(url);
    const blocks = this._parserInserted && !this.hasAttributeNS(null, 'async') && !this.hasAttributeNS(null, 'defer');
    if (blocks) blocking.add(this);
    if (!this._parserInserted) inserted.add(this);
    // Scripts that document.write inserts come later: the script that wrote it goes on first.
    if (!blocks || href === '' || !this._canRunScript() || (!requests.isFile(href) && !isOutermost()))
      return Reflect.apply(later, this, []);
    let text;
    try {
      text = requests.isFile(href)
        ? scriptText(this, requests.requestSync(href, optionsFor(this), clientOf(this._ownerDocument)))
        : awaitScript(this, href);
    } catch (error) {
      process.exitCode = 1;
      process._rawDebug(`rondo: cannot load ${href}: ${error.message}`);
      queueTask(sources.dom, () => fireAnEvent('error', this));
      return undefined;
    }
    if (text === undefined) return undefined;
    this._innerEval(text, href);
    fireAnEvent('load', this);
    return undefined;
  };
}

// jsdom forgets computed styles whenever something changes that a user would see: then there is something to render.
function noticeChanges() {
  const { prototype } = pack.load(`${kJsdom}/living/nodes/Document-impl.js`).implementation;
  const { _clearStyleCache: forget, encodingParseAURL: parse } = prototype;
  const { close } = prototype;
  const { get, set } = Object.getOwnPropertyDescriptor(prototype, 'readyState');
  Object.defineProperty(prototype, 'readyState', {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get,
    set(state) {
      if (state !== this.readyState) Reflect.apply(set, this, [state]);
    },
  });
  prototype.close = function (...args) {
    // "The end" comes before deferred scripts: https://html.spec.whatwg.org/#the-end
    if (this._deferQueue?.tail && this.readyState === 'loading') this.readyState = 'interactive';
    return Reflect.apply(close, this, args);
  };
  prototype._queueATask = function (steps, { signal } = {}) {
    queueTask(
      sources.dom,
      () => {
        if (!signal?.aborted) enterScript(steps);
      },
      documentCells.get(this),
    );
  };
  prototype._clearStyleCache = function () {
    loop.invalidate(documentCells.get(this));
    return Reflect.apply(forget, this, []);
  };
  // pushState on a file compares paths as objects: one path, one object.
  prototype.encodingParseAURL = function (text) {
    const url = Reflect.apply(parse, this, [text]);
    if (url?.scheme === 'file' && url.path.join('/') === this._URL.path.join?.('/')) url.path = this._URL.path;
    return url;
  };
}

// Scripts and events that wait for their turn come as tasks of their own: between two of them all microtasks have run.
function loadInTasks() {
  const inTask = (steps) =>
    steps &&
    ((...args) =>
      new Promise((resolve, reject) => {
        queueTask(sources.networking, () => {
          try {
            resolve(steps(...each(args)));
          } catch (error) {
            reject(error);
          }
        });
      }));
  // The document's load event, which the queue keeps last: from the moment when nothing delays it any more it is a task, and what is
  // inserted then neither delays nor repeats it.
  const onceInTask = (steps) => {
    let isQueued = false;
    return () => {
      if (isQueued) return;
      isQueued = true;
      queueTask(sources.dom, steps);
    };
  };
  const isBlocked = ({ tail }) => {
    for (let item = tail; item; item = item.prev) if (blocking.has(item.element)) return true;
    return false;
  };
  const { prototype } = pack.load(`${kJsdom}/browser/resources/resource-queue.js`);
  const { push } = prototype;
  prototype.push = function (request, onLoad, onError, keepLast, element) {
    // `defer` is for the parser's scripts alone; the queue of those may never go on again.
    if (this.paused && inserted.has(element)) return element._ownerDocument._queue.push(request, onLoad, onError, keepLast, element);
    // The parser's own scripts wait for one another, never for one that code has inserted.
    const isNow = !request && element?.localName === 'script' && !isBlocked(this);
    return isNow
      ? onLoad()
      : Reflect.apply(push, this, [request, keepLast ? onceInTask(onLoad) : inTask(onLoad), inTask(onError), keepLast, element]);
  };
  const { prototype: asynchronous } = pack.load(`${kJsdom}/browser/resources/async-resource-queue.js`);
  const { push: pushAsync } = asynchronous;
  // An event of the document that waits for a queue to be empty has waited for the first time that it is.
  prototype._notify = asynchronous._notify = function () {
    const listener = this._listener;
    this._listener = undefined;
    listener?.();
  };
  asynchronous.push = function (request, onLoad, onError, script) {
    return Reflect.apply(pushAsync, this, [request, inTask(onLoad), inTask(onError), script]);
  };
}

// Module scripts are deferred, unless they are async or inserted by code; `nomodule` scripts do not run.
function runModules() {
  const { implementation } = pack.load(`${kJsdom}/living/nodes/HTMLScriptElement-impl.js`);
  const { fireAnEvent } = pack.load(`${kJsdom}/living/helpers/events.js`);
  const { _eval: evaluateClassic } = implementation.prototype;
  const started = new WeakSet();
  const { of: modulesOf } = require('html/window/modules');
  const execute = (element, url, text) => {
    const window = element._ownerDocument._defaultView;
    try {
      const { done } = modulesOf(window).run(url, text);
      if (text === undefined) fireAnEvent('load', element);
      if (done !== undefined)
        promiseThen(done, undefined, (error) => {
          reportAt(window, error);
        });
    } catch (error) {
      reportAt(window, error);
      if (text === undefined) fireAnEvent('error', element);
    }
  };
  const addImportMap = (element) => {
    const window = element._ownerDocument._defaultView;
    started.add(element);
    try {
      modulesOf(window).addImportMap(element.text, element._ownerDocument.baseURLSerialized(), (warning) =>
        require('internal/console/program').warn(warning),
      );
    } catch (error) {
      reportAt(
        window,
        error instanceof SyntaxError
          ? new window.SyntaxError(`Failed to parse import map: ${error.message}`)
          : new window.TypeError(error.message),
      );
    }
  };
  implementation.prototype._eval = function () {
    const type = this._getTypeString();
    if (type?.toLowerCase() === 'importmap' && this.isConnected && !started.has(this)) return addImportMap(this);
    if (type?.toLowerCase() !== 'module') {
      return this.hasAttributeNS(null, 'nomodule') ? undefined : Reflect.apply(evaluateClassic, this, []);
    }
    const source = this.getAttributeNS(null, 'src');
    if (started.has(this) || !this.isConnected || !this._canRunScript() || (source === null && this.text === '')) return undefined;
    started.add(this);
    const document = this._ownerDocument;
    const url = source === null ? document.URL : pack.load('whatwg-url/index.js').serializeURL(document.encodingParseAURL(source));
    // The lines above it stand for those of the page, so that errors name the page's own.
    const above = (this.firstChild?.sourceCodeLocation?.startLine ?? 1) - 1;
    const run = () => execute(this, url, source === null ? '\n'.repeat(above) + this.text : undefined);
    const isDeferred = this._parserInserted && !this.hasAttributeNS(null, 'async') && document.readyState === 'loading';
    this._parserInserted = false;
    const fetched = new Promise((resolve) => {
      queueTask(sources.networking, resolve);
    });
    if (isDeferred) document._deferQueue.push(fetched, run, null, false, this);
    else document._asyncQueue.push(fetched, run, null, null);
    return undefined;
  };
}

function traverseAsTasks() {
  const SessionHistory = pack.load(`${kJsdom}/living/window/SessionHistory.js`);
  SessionHistory.prototype._queueHistoryTraversalTask = function (steps) {
    const { signal } = this._historyTraversalController;
    queueTask(sources.history, () => {
      if (!signal.aborted) steps();
    });
  };
}

function settings() {
  const VirtualConsole = pack.load(`${kJsdom}/virtual-console.js`);
  const virtualConsole = new VirtualConsole();
  const out = require('internal/console/program');
  for (const name of each([
    'log',
    'info',
    'warn',
    'error',
    'debug',
    'dir',
    'table',
    'trace',
    'assert',
    'count',
    'time',
    'timeEnd',
    'timeLog',
    'group',
    'groupEnd',
  ])) {
    virtualConsole.on(name, (...args) => {
      out[name](...each(args));
    });
  }
  virtualConsole.on('jsdomError', (error) => {
    if (error.type === 'not-implemented' || error.type === 'css-parsing') return;
    process.exitCode = 1;
    process._rawDebug(`rondo: ${error.message}${error.cause?.message ? `: ${error.cause.message}` : ''}`);
  });
  return {
    runScripts: 'dangerously',
    pretendToBeVisual: true,
    storageQuota: 5_000_000,
    cookieJar: require('html/network/cookies').theJar(),
    virtualConsole,
    userAgent: `Mozilla/5.0 (linux) AppleWebKit/605.1.15 (KHTML, like Gecko) jsdom Rondo/${process.version.slice(1)}`,
    dispatcher: {},
    loadSubresources: true,
  };
}

// Files have no origin; those that the page may read share their storage.
const storageOrigin = (origin) => (origin === 'null' ? requests.folder() : origin);

// Browsers give pages of files their storage, too, and what frames without an address of their own have is that of the document
// around them.
function allowStorage(window, global, document, container) {
  const { URL: address } = /^about:/.test(document.URL) && container !== undefined ? container : document;
  if (!address.startsWith('file:')) return;
  for (const name of each(['localStorage', 'sessionStorage'])) {
    Object.defineProperty(window, name, { __proto__: null, configurable: true, enumerable: true, get: () => global[hidden[`_${name}`]] });
  }
}

// State that windows of an origin share, as jsdom's createWindow takes it.
const shared = {};
function sharedWith({ origin }) {
  shared[origin] ??= {
    localStorageArea: require('html/window/storage').localStorageArea(storageOrigin(origin)),
    sessionStorageArea: new Map(),
    windowsInSameOrigin: [],
  };
  return shared;
}

// The loop's documents, cells of C++; the first page's is there from the beginning.
const documentCells = new WeakMap(); // jsdom's Document → cell

const topOf = (document) => {
  let at = document;
  while (at._parentDocument) at = at._parentDocument;
  return at;
};

// Additions to jsdom's window, made with every window: those of frames, too.
let frames;
let hasFirst = false;
function setUp(global, container, creator = container) {
  const document = global[hidden._document];
  const source = /^about:/.test(document.URL) && creator !== undefined ? creator : document; // whose rights it has
  const cell = !hasFirst ? loop.firstDocument : loop.createDocument(container === undefined ? undefined : documentCells.get(container));
  hasFirst = true;
  documentCells.set(document, cell);
  const window = global._globalProxy;
  for (const name of each(['_globalObject', '_globalProxy']))
    Object.defineProperty(global, name, { __proto__: null, value: global[name], writable: false, configurable: false, enumerable: false });
  requests.addClient(window, {
    href: source.URL,
    origin: document[hidden._origin],
    address: () => source.URL,
    site: () => topOf(document).URL,
  });
  require('html/window/window').install(window, { href: document.URL, origin: document[hidden._origin] }, cell);
  require('html/document/page').install(window, implOf, cell, storageOrigin(document[hidden._origin]));
  allowStorage(window, global, document, container);
  frames.installOpen(window, global);
  return global;
}

function open() {
  pack.open();
  replaceParts();
  require('html/jsdom/fixes').queueForObservers();
  require('html/jsdom/fixes').followLinks();
  require('html/jsdom/fixes').placeTexts();
  require('html/document/nesting').install();
  require('html/document/inspecting').install();
  require('html/document/toggling').extendElements();
  require('html/document/style_sheets').extend();
  pack.load(`${kJsdom}/living/interfaces.js`).installInterfaces = require('html/document/interfaces').installInterfaces;
  const windows = pack.load(`${kJsdom}/browser/Window.js`);
  const { createWindow } = windows;
  enterAtListeners();
  require('html/jsdom/fixes').keepHandlers();
  blockOnScripts();
  noticeChanges();
  loadInTasks();
  traverseAsTasks();
  runModules();
  require('html/network/xhr').install();
  frames = require('html/document/frames').install();
  windows.createWindow = (options) => setUp(createWindow(options), frames.container(), frames.creator());
}

// https://html.spec.whatwg.org/#dom-document-referrer, by the default policy
function referrerFor(from, url) {
  const { isHttp, originOf, withoutFragment } = require('html/network/addresses');
  if (!isHttp(from) || (from.startsWith('https:') && url.protocol === 'http:')) return '';
  return originOf(from) === url.origin ? withoutFragment(from) : `${originOf(from)}/`;
}

// The window of a page, and what parses the page into it.
function create(url, referrer = '') {
  if (frames === undefined) {
    open();
    requests.setFolder(url.href);
  }
  const global = pack.load(`${kJsdom}/browser/Window.js`).createWindow({
    settings: settings(),
    documentOptions: {
      url: url.href,
      referrer,
      contentType: 'text/html',
      parsingMode: 'html',
      encoding: 'UTF-8',
      parseOptions: { sourceCodeLocationInfo: true },
    },
    commonForOrigin: sharedWith(url),
  });
  global[hidden._currentOriginData].windowsInSameOrigin.push(global);
  return {
    window: global._globalProxy,
    global,
    parse(text) {
      pack.load(`${kJsdom}/browser/parser/index.js`).parseIntoDocument(text, global[hidden._document]);
      global[hidden._document].close();
    },
  };
}

// Navigation: another page in the place of this one, whose tasks are dropped.
function replacePage(global, url, text) {
  if (url.protocol !== 'file:') requests.setFolder('');
  const { parse, global: next } = create(url, referrerFor(global[hidden._document].URL, url));
  loop.setTop(documentCells.get(next[hidden._document]));
  require('html/agents/reports').setTop(next._globalProxy);
  global._globalProxy.close();
  queueTask(sources.networking, () => {
    parse(text);
  });
}

// The interfaces' inner side, for html/document/input and html/document/rendering.
const implOf = (wrapper) => pack.load('jsdom/lib/generated/idl/utils.js').implForWrapper(wrapper);

// jsdom's global object of a window, and the cell of its document.
const globalOf = (window) => implOf(window.document)._globalObject;
const cellOf = (global) => documentCells.get(global._document);

module.exports = { create, implOf, globalOf, cellOf, replacePage, referrerFor };
