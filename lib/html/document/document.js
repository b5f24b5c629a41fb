// natives: none
// A window with a document: jsdom's parser, tree and interfaces, with our loop beneath. See html/jsdom/pack for where it comes from.
'use strict';

const hidden = require('html/jsdom/hidden');
const vm = require('vm');
const { loop, sources, queueTask, callScript, enterScript, reportAt, noteListener } = require('html/agents/agent');
const { clientOf, optionsFor, install: installScripts } = require('html/document/scripts');
const { mute } = require('html/agents/reports');
const pack = require('html/jsdom/pack');
const { patch, patchAccessor, replaceFile } = require('html/jsdom/patches');
const requests = require('html/network/requests');
const { URL } = require('internal/url/url_class');
const sandbox = require('html/document/sandbox');

const kJsdom = 'jsdom/lib/jsdom';

// Substitutes for the parts of jsdom that use Node.
function replaceParts() {
  replaceFile('network: undici', {});
  replaceFile('network: resources', { fetchCollected });
  replaceFile('window: names of the language', {});
  replaceFile('window: named elements', require('html/document/named_elements'));
  replaceFile('script: errors', (window, error) => {
    reportAt(window._globalProxy ?? window, error);
  });
  const { runInContext } = vm;
  const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER; // by the window's importer: html/window/window
  vm.runInContext = (code, context, options) =>
    enterScript(() => runInContext(code, context, { ...options, importModuleDynamically, displayErrors: true }));
}

function answerOf({ status, headers, body, url }) {
  return { ok: status >= 200 && status < 300, status, headers: Object.fromEntries(headers), body, url };
}

function fetchCollected(dispatcher, { url, signal, element: wrapper }) {
  const element = implOf(wrapper);
  return new Promise((resolve, reject) => {
    const abort = requests.request(url, optionsFor(element), clientOf(element._ownerDocument), (error, answer) => {
      if (error !== undefined) return reject(error);
      try {
        if (element._localName === 'script') mute(url, answer);
        else require('html/document/style_origins').note(element, url, answer);
      } catch (refusal) {
        return reject(refusal);
      }
      return resolve(answerOf(answer));
    });
    signal.addEventListener('abort', () => {
      abort();
      reject(signal.reason);
    });
  });
}

// Listeners are the page's code: after each that is not called from other code of the page there is a checkpoint. An exception of one is
// reported before that, as browsers do; by the Standard's letter it would come after.
function enterAtListeners() {
  patch('listener: called', (convert) => (...args) => {
    const call = convert(...each(args));
    const entering = function (...given) {
      noteListener(given[0], call.objectReference);
      return callScript(call, this, given);
    };
    return Object.assign(entering, call);
  });
}

const closeAfterEnd = (close) =>
  function (...args) {
    // "The end" comes before deferred scripts: https://html.spec.whatwg.org/#the-end
    if (this._deferQueue?.tail && this.readyState === 'loading') this.readyState = 'interactive';
    return Reflect.apply(close, this, args);
  };

function queueATask(steps, { signal } = {}) {
  queueTask(
    sources.dom,
    () => {
      if (!signal?.aborted) enterScript(steps);
    },
    documentCells.get(this),
  );
}

// jsdom forgets computed styles whenever something changes that a user would see: then there is something to render.
const invalidateRendering = (forget) =>
  function () {
    loop.invalidate(documentCells.get(this));
    return Reflect.apply(forget, this, []);
  };

// pushState on a file compares paths as objects: one path, one object.
const parseToOnePath = (parse) =>
  function (text) {
    const url = Reflect.apply(parse, this, [text]);
    if (url?.scheme === 'file' && url.path.join('/') === this._URL.path.join?.('/')) url.path = this._URL.path;
    return url;
  };

function traverseInTask(steps) {
  const { signal } = this._historyTraversalController;
  queueTask(sources.history, () => {
    if (!signal.aborted) steps();
  });
}

function patchDocuments() {
  patchAccessor('document: readyState', ({ set }) => ({
    set(state) {
      if (state !== this.readyState) Reflect.apply(set, this, [state]);
    },
  }));
  patch('document: close', closeAfterEnd);
  patch('document: queue a task', () => queueATask);
  patch('document: styles changed', invalidateRendering);
  patch('document: parse an address', parseToOnePath);
  patch('history: traverse', () => traverseInTask);
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

// Files have no origin; those that the page may read share their storage. Other documents without an origin have none: ''.
const storageOrigin = ({ origin, folder }) => (origin === 'null' ? folder : origin);

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
function sharedWith({ origin, protocol }) {
  const owner = storageOrigin({ origin, folder: protocol === 'file:' ? requests.folder() : '' });
  shared[origin] ??= {
    localStorageArea: owner === '' ? new Map() : require('html/window/storage').localStorageArea(owner),
    sessionStorageArea: new Map(),
    windowsInSameOrigin: [],
  };
  return shared;
}

// The loop's documents, cells of C++; the first page's is there from the beginning.
const documentCells = new WeakMap(); // jsdom's Document → cell
const windows = new WeakMap(); // WindowProxy → jsdom's Document

const topOf = (document) => {
  let at = document;
  while (at._parentDocument) at = at._parentDocument;
  return at;
};

// Additions to jsdom's window, made with every window: those of frames, too.
let frames;
let hasFirst = false;
function setUp(global, container, creator = container, flags = []) {
  const document = global[hidden._document];
  sandbox.apply(global, flags.all ?? flags, flags.given);
  const source = /^about:/.test(document.URL) && creator !== undefined ? creator : document; // whose rights it has
  const cell = !hasFirst ? loop.firstDocument : loop.createDocument(container === undefined ? undefined : documentCells.get(container));
  hasFirst = true;
  documentCells.set(document, cell);
  const window = global._globalProxy;
  require('html/agents/realm').joinErrors(window);
  windows.set(window, document);
  for (const name of each(['_globalObject', '_globalProxy']))
    Object.defineProperty(global, name, { __proto__: null, value: global[name], writable: false, configurable: false, enumerable: false });
  requests.addClient(window, {
    href: source.URL,
    origin: document[hidden._origin],
    address: () => (/^about:/.test(document.URL) ? source : document).URL,
    site: () => siteOf(document),
  });
  require('html/window/window').install(window, { href: document.URL, origin: document[hidden._origin] }, cell);
  require('html/document/page').install(window, implOf, cell, storageOrigin(requests.clientOf(window)));
  if (!sandbox.has(document, 'origin')) allowStorage(window, global, document, container);
  require('html/document/targets').installOpen(window, global);
  require('html/window/own_realm').adoptAll(window);
  return global;
}

function open() {
  pack.open();
  replaceParts();
  require('html/jsdom/fixes').makeStylesLater();
  require('html/jsdom/fixes').queueForObservers();
  require('html/document/forms').extend();
  require('html/jsdom/fixes').placeTexts();
  require('html/jsdom/fixes').orderTrees();
  require('html/document/nesting').install();
  require('html/document/inspecting').install();
  require('html/document/toggling').extendElements();
  require('html/document/internals').extendElements();
  require('html/document/style_sheets').extend();
  require('html/document/selectors').install();
  patch('window: interfaces', () => require('html/document/interfaces').installInterfaces);
  enterAtListeners();
  require('html/jsdom/fixes').keepHandlers();
  installScripts((document) => documentCells.get(document));
  patchDocuments();
  require('html/network/xhr').install();
  require('html/network/cookies').guardDocuments();
  frames = require('html/document/frames').install();
  require('html/document/targets').followLinks();
  patch(
    'window: create',
    (createWindow) => (options) => setUp(createWindow(options), frames.container(), frames.creator(), options.sandbox ?? frames.flags()),
  );
}

// The window of a page, and what parses the page into it. `embedder`: the address of the page around it, if that is in another agent;
// `given`, `added`: sandboxing flags of the window, and of the header of the page.
const embedders = new WeakMap(); // jsdom's Document of a frame that is alone in its agent → that address
const isEmbedded = (document) => embedders.has(document);
const siteOf = (document) => embedders.get(topOf(document)) ?? topOf(document).URL;
function create(url, referrer = '', { embedder, given = [], added = [] } = {}) {
  const all = sandbox.union(given, added);
  if (frames === undefined) {
    open();
    requests.setFolder(all.includes('origin') ? '' : url.href);
    agentOrigin = all.includes('origin') ? undefined : keyOf(url);
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
    commonForOrigin: all.includes('origin') ? undefined : sharedWith(url),
    sandbox: { all, given },
  });
  global[hidden._currentOriginData].windowsInSameOrigin.push(global);
  if (embedder !== undefined) embedders.set(global[hidden._document], embedder);
  return {
    window: global._globalProxy,
    global,
    parse(text) {
      pack.load(`${kJsdom}/browser/parser/index.js`).parseIntoDocument(text, global[hidden._document]);
      global[hidden._document].close();
    },
  };
}

// Pages of an agent are of one origin: objects of the library that they share would carry what one does to another.
let agentOrigin; // undefined: of no origin, which no other page is of
const keyOf = ({ protocol, origin }) => (protocol === 'file:' ? 'file:' : origin === 'null' ? undefined : origin);
const isOfAgent = (url, flags) =>
  url.protocol === 'about:' || (agentOrigin !== undefined && !flags.includes('origin') && keyOf(url) === agentOrigin);

// Navigation: another page in the place of this one, whose tasks are dropped; a page of another origin gets another agent.
// html/agents/frame_scope presents a page that another agent frames or has opened; its owner finds the next agent.
let presenter = create;
let handOver; // ({ url, text, referrer, added })
function setPresenter(present, toOwner) {
  presenter = present;
  handOver = toOwner;
}
function showAsTop({ global }) {
  loop.setTop(documentCells.get(global[hidden._document]));
  require('html/agents/reports').setTop(global._globalProxy);
}
function replacePage(global, url, text, referrer = '', added = []) {
  const document = global[hidden._document];
  const isTop = loop.isTop(documentCells.get(document));
  const given = sandbox.givenTo(document);
  const flags = sandbox.union(given, added);
  if (!isOfAgent(url, flags)) {
    if (isTop && handOver !== undefined) return handOver({ url: url.href, text, referrer, added });
    const empty = isTop ? create(new URL('about:blank')) : undefined; // the window of this agent from now on
    if (isTop) showAsTop(empty);
    return require('html/document/frames').depart(global, url.href, { text, referrer, flags }, empty?.window);
  }
  const next = (isTop ? presenter : create)(url, referrer, { given, added });
  if (isTop) showAsTop(next);
  global._globalProxy.close();
  return queueTask(sources.networking, () => {
    next.parse(text);
  });
}

// The interfaces' inner side, for html/document/input and html/document/rendering.
const implOf = (wrapper) => pack.load('jsdom/lib/generated/idl/utils.js').implForWrapper(wrapper);

// jsdom's Document of a window that this file has made.
const documentOf = (window) => windows.get(window);

// jsdom's global object of a window, and the cell of its document.
const globalOf = (window) => implOf(window.document)._globalObject;
const cellOf = (global) => documentCells.get(global._document);

module.exports = { create, implOf, documentOf, globalOf, cellOf, replacePage, setPresenter, isEmbedded };
