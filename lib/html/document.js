// natives: runtime
// A window with a document: jsdom's parser, tree and interfaces, with our loop beneath. See html/pack for where it comes from.
'use strict';

const { reportUncaught } = native('runtime');
const vm = require('vm');
const { loop, sources, queueTask, enterScript, checkpointIfOutermost, define } = require('html/agent');
const pack = require('html/pack');
const requests = require('html/requests');

const kJsdom = 'jsdom/lib/jsdom';

// What jsdom would do by Node's means.
function replaceParts() {
  pack.replace('undici/index.js', {});
  pack.replace(`${kJsdom}/browser/resources/jsdom-dispatcher.js`, { fetchCollected });
  pack.replace(`${kJsdom}/living/helpers/runtime-script-errors.js`, (window, error) => { reportUncaught(error, false); });
  // The engine allows no Proxy in the prototype chain of a global object, so elements are no properties of the window by their names.
  const none = () => {};
  pack.replace(`${kJsdom}/living/window-properties.js`, {
    create: (prototype) => Object.create(prototype), elementAttached: none, elementDetached: none, elementAttributeModified: none,
  });
  // The library's realm is jsdom's alone now: its timers are tasks.
  define(globalThis, 'setImmediate', (callback, ...args) => queueTask(sources.dom, () => { callback(...each(args)); }));
  define(globalThis, 'setTimeout', (callback, delay, ...args) => loop.setTimer(+delay || 0, false, () => { callback(...each(args)); }));
  define(globalThis, 'clearTimeout', (id) => { if (id !== undefined) loop.clearTimer(id | 0); });
  const { runInContext } = vm;
  vm.runInContext = (code, context, options) => enterScript(() => runInContext(code, context, { ...options, displayErrors: true }));
}

function answerOf({ status, headers, body, url }) {
  return { ok: status >= 200 && status < 300, status, headers: Object.fromEntries(headers), body, url };
}

function fetchCollected(dispatcher, { url, signal }) {
  return new Promise((resolve, reject) => {
    requests.request(url, { signal }, (error, answer) => (error === undefined ? resolve(answerOf(answer)) : reject(error)));
  });
}

// jsdom's XMLHttpRequest asks this for its answers.
const dispatcher = {
  request({ method, headers, body, signal, opaque }) {
    return new Promise((resolve, reject) => {
      requests.request(opaque.url, { method, headers: headers?.toJSON?.(), body: body ?? undefined, signal }, (error, answer) => {
        if (error !== undefined) return reject(error);
        const finalURL = pack.load('whatwg-url').parseURL(answer.url);
        return resolve({ statusCode: answer.status, statusText: answer.statusText, headers: answer.headers, body: [answer.body], context: { finalURL } });
      });
    });
  },
};

// Listeners are the page's code: after each that is not called from other code of the page there is a checkpoint.
function enterAtListeners() {
  for (const name of each(['EventListener', 'EventHandlerNonNull', 'OnErrorEventHandlerNonNull', 'OnBeforeUnloadEventHandlerNonNull'])) {
    const file = pack.load(`jsdom/lib/generated/idl/${name}.js`);
    const { convert } = file;
    file.convert = (...args) => {
      const call = convert(...each(args));
      const entering = function(...given) { return enterScript(() => Reflect.apply(call, this, given)); };
      return Object.assign(entering, call);
    };
  }
}

// A script of a file blocks the parser, as the Standard says; jsdom alone would go on and run it later.
function blockOnScripts() {
  const { implementation } = pack.load(`${kJsdom}/living/nodes/HTMLScriptElement-impl.js`);
  const { fireAnEvent } = pack.load(`${kJsdom}/living/helpers/events.js`);
  const { _fetchExternalScript: later, _poppedOffStackOfOpenElements: popped } = implementation.prototype;
  // "If the JavaScript execution context stack is empty, perform a microtask checkpoint", before the parser runs a script.
  implementation.prototype._poppedOffStackOfOpenElements = function() {
    checkpointIfOutermost();
    return Reflect.apply(popped, this, []);
  };
  implementation.prototype._fetchExternalScript = function() {
    const url = this._ownerDocument.encodingParseAURL(this.getAttributeNS(null, 'src'));
    const href = url === null ? '' : pack.load('whatwg-url').serializeURL(url);
    const blocks = this._parserInserted && !this.hasAttributeNS(null, 'async') && !this.hasAttributeNS(null, 'defer');
    if (!blocks || !requests.isFile(href) || !this._canRunScript()) return Reflect.apply(later, this, []);
    let text;
    try {
      text = requests.requestSync(href).body.toString('utf8');
    } catch (error) {
      process.exitCode = 1;
      process._rawDebug(`rondo: cannot load ${href}: ${error.message}`);
      queueTask(sources.dom, () => fireAnEvent('error', this));
      return undefined;
    }
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
  prototype.close = function(...args) {
    // "The end" comes before deferred scripts: https://html.spec.whatwg.org/#the-end
    if (this._deferQueue?.tail && this.readyState === 'loading') this.readyState = 'interactive';
    return Reflect.apply(close, this, args);
  };
  prototype._clearStyleCache = function() {
    loop.invalidate();
    return Reflect.apply(forget, this, []);
  };
  // pushState on a file compares paths as objects: one path, one object.
  prototype.encodingParseAURL = function(text) {
    const url = Reflect.apply(parse, this, [text]);
    if (url?.scheme === 'file' && url.path.join('/') === this._URL.path.join?.('/')) url.path = this._URL.path;
    return url;
  };
}

// Module scripts are deferred, unless they are async or inserted by code; `nomodule` scripts do not run.
function runModules(window) {
  const { implementation } = pack.load(`${kJsdom}/living/nodes/HTMLScriptElement-impl.js`);
  const { fireAnEvent } = pack.load(`${kJsdom}/living/helpers/events.js`);
  const { _eval: evaluateClassic } = implementation.prototype;
  const started = new WeakSet();
  const modules = require('html/modules').create(window);
  const execute = (element, url, text) => {
    try {
      const { done } = modules.run(url, text);
      if (text === undefined) fireAnEvent('load', element);
      if (done !== undefined) promiseThen(done, undefined, (error) => { reportUncaught(error, false); });
    } catch (error) {
      reportUncaught(error, false);
      if (text === undefined) fireAnEvent('error', element);
    }
  };
  implementation.prototype._eval = function() {
    const type = this._getTypeString();
    if (type?.toLowerCase() !== 'module') {
      return this.hasAttributeNS(null, 'nomodule') ? undefined : Reflect.apply(evaluateClassic, this, []);
    }
    const source = this.getAttributeNS(null, 'src');
    if (started.has(this) || !this.isConnected || !this._canRunScript() || (source === null && this.text === '')) return undefined;
    started.add(this);
    const document = this._ownerDocument;
    const url = source === null ? document.URL : pack.load('whatwg-url').serializeURL(document.encodingParseAURL(source));
    const run = () => execute(this, url, source === null ? this.text : undefined);
    const isDeferred = this._parserInserted && !this.hasAttributeNS(null, 'async') && document.readyState === 'loading';
    this._parserInserted = false;
    const fetched = new Promise((resolve) => { queueTask(sources.networking, resolve); });
    if (isDeferred) document._deferQueue.push(fetched, run, null, false, this);
    else document._asyncQueue.push(fetched, run, null, null);
    return undefined;
  };
}

function traverseAsTasks() {
  const SessionHistory = pack.load(`${kJsdom}/living/window/SessionHistory.js`);
  SessionHistory.prototype._queueHistoryTraversalTask = function(steps) {
    const { signal } = this._historyTraversalController;
    queueTask(sources.history, () => { if (!signal.aborted) steps(); });
  };
}

function settings() {
  const VirtualConsole = pack.load(`${kJsdom}/virtual-console.js`);
  const { CookieJar } = pack.load('tough-cookie');
  const virtualConsole = new VirtualConsole();
  const out = require('console');
  for (const name of each(['log', 'info', 'warn', 'error', 'debug', 'dir', 'table', 'trace', 'assert', 'count', 'time', 'timeEnd', 'timeLog', 'group', 'groupEnd'])) {
    virtualConsole.on(name, (...args) => { out[name](...each(args)); });
  }
  virtualConsole.on('jsdomError', (error) => {
    if (error.type === 'not-implemented' || error.type === 'css-parsing') return;
    process.exitCode = 1;
    process._rawDebug(`rondo: ${error.message}${error.cause?.message ? `: ${error.cause.message}` : ''}`);
  });
  return {
    runScripts: 'dangerously', pretendToBeVisual: true, storageQuota: 5_000_000, cookieJar: new CookieJar(undefined, { looseMode: true }),
    virtualConsole, userAgent: `Mozilla/5.0 (linux) AppleWebKit/605.1.15 (KHTML, like Gecko) Rondo/${process.version.slice(1)}`,
    dispatcher, loadSubresources: true,
  };
}

// The window, and what parses the page into it.
function create(url) {
  pack.open();
  replaceParts();
  const { createWindow } = pack.load(`${kJsdom}/browser/Window.js`);
  const { parseIntoDocument } = pack.load(`${kJsdom}/browser/parser`);
  enterAtListeners();
  blockOnScripts();
  noticeChanges();
  traverseAsTasks();
  requests.setFolder(url);
  const global = createWindow({
    settings: settings(),
    documentOptions: { url: url.href, referrer: '', contentType: 'text/html', parsingMode: 'html', encoding: 'UTF-8', parseOptions: { sourceCodeLocationInfo: true } },
  });
  const window = global._globalProxy;
  runModules(window);
  return {
    window,
    parse(text) {
      parseIntoDocument(text, global._document);
      global._document.close();
    },
  };
}

// The interfaces' inner side, for html/input and html/rendering.
const implOf = (wrapper) => pack.load('jsdom/lib/generated/idl/utils.js').implForWrapper(wrapper);

module.exports = { create, implOf };
