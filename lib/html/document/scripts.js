// natives: none
// Scripts of a document (https://html.spec.whatwg.org/#the-script-element): when the parser waits for them, when they run, in which task.
// Patches of jsdom's elements and queues (html/jsdom/patch_table).
'use strict';

const { loop, sources, queueTask, enterScript, reportAt, checkpointIfOutermost, isOutermost, asScript } = require('html/agents/agent');
const pack = require('html/jsdom/pack');
const { patch } = require('html/jsdom/patches');
const requests = require('html/network/requests');
const { mute } = require('html/agents/reports');
const { of: modulesOf } = require('html/window/modules');

let cellOf; // document → its cell

// Resources of elements: of other origins, too, with CORS if the element says `crossorigin`.
const clientOf = (document) => requests.clientOf(document._defaultView._globalProxy);
function optionsFor(element) {
  const value = element.getAttributeNS(null, 'crossorigin');
  if (value === null) return { mode: 'no-cors' };
  return { mode: 'cors', credentials: value.toLowerCase() === 'use-credentials' ? 'include' : 'same-origin' };
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
  mute(href, settled.answer);
  if (settled.answer.status >= 400) throw new Error(`status ${settled.answer.status}`);
  return scriptText(element, settled.answer);
}

const blocking = new WeakSet(); // scripts that the parser waits for
const inserted = new WeakSet(); // scripts that code has inserted

const fireAnEvent = (name, target) => pack.load('jsdom/lib/jsdom/living/helpers/events.js').fireAnEvent(name, target);

// A script's exception is reported before its microtasks run.
const evaluateInside = (evaluate) =>
  function (text, address) {
    const name = () => {
      const line = address === this._ownerDocument.URL ? this.firstChild?.sourceCodeLocation?.startLine : undefined;
      return `script ${address}${line === undefined ? '' : `:${line}`}`;
    };
    return enterScript(() => asScript(name, () => Reflect.apply(evaluate, this, [text, address])));
  };

// "If the JavaScript execution context stack is empty, perform a microtask checkpoint", before the parser runs a script.
const checkpointBefore = (popped) =>
  function () {
    checkpointIfOutermost();
    return Reflect.apply(popped, this, []);
  };

// A script of an address blocks the parser, as the Standard says; jsdom alone would go on and run it later.
const blockParser = (later) =>
  function () {
    if (this.getAttributeNS(null, 'src').trim() === '')
      return queueTask(sources.dom, () => fireAnEvent('error', this), cellOf(this._ownerDocument));
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

// Scripts and events that wait for their turn come as tasks of their own: between two of them all microtasks have run.
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
function onceInTask(steps) {
  let isQueued = false;
  return () => {
    if (isQueued) return;
    isQueued = true;
    queueTask(sources.dom, steps);
  };
}

function isBlocked({ tail }) {
  for (let item = tail; item; item = item.prev) if (blocking.has(item.element)) return true;
  return false;
}

const pushInTask = (push) =>
  function (request, onLoad, onError, keepLast, element) {
    // `defer` is for the parser's scripts alone; the queue of those may never go on again.
    if (this.paused && inserted.has(element)) return element._ownerDocument._queue.push(request, onLoad, onError, keepLast, element);
    // The parser's own scripts wait for one another, never for one that code has inserted.
    const isNow = !request && element?.localName === 'script' && !isBlocked(this);
    return isNow
      ? onLoad()
      : Reflect.apply(push, this, [request, keepLast ? onceInTask(onLoad) : inTask(onLoad), inTask(onError), keepLast, element]);
  };

const pushAsyncInTask = (push) =>
  function (request, onLoad, onError, script) {
    return Reflect.apply(push, this, [request, inTask(onLoad), inTask(onError), script]);
  };

// An event of the document that waits for a queue to be empty has waited for the first time that it is. The queue of async resources is
// empty in the midst of what ended the last of them: the event is a task of its own.
const notifyOnce = () =>
  function () {
    const listener = this._listener;
    this._listener = undefined;
    if (listener && this.dependentItems !== undefined) queueTask(sources.dom, listener);
    else listener?.();
  };

const started = new WeakSet(); // module scripts and import maps

function execute(element, url, text) {
  const window = element._ownerDocument._defaultView;
  try {
    asScript(
      () => `module ${url}`,
      () => modulesOf(window).runScript(url, text, (error) => reportAt(window, error)),
    );
    if (text === undefined) fireAnEvent('load', element);
  } catch (error) {
    reportAt(window, error);
    if (text === undefined) fireAnEvent('error', element);
  }
}

function addImportMap(element) {
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
}

// Module scripts are deferred, unless they are async or inserted by code; `nomodule` scripts do not run.
const runModules = (evaluateClassic) =>
  function () {
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
    // Blanks stand for what the page has before it, so that errors name the page's own lines and columns.
    const { startLine = 1, startCol = 1 } = this.firstChild?.sourceCodeLocation ?? {};
    const before = '\n'.repeat(startLine - 1) + ' '.repeat(startCol - 1);
    const run = () => execute(this, url, source === null ? before + this.text : undefined);
    const isDeferred = this._parserInserted && !this.hasAttributeNS(null, 'async') && document.readyState === 'loading';
    this._parserInserted = false;
    const fetched = new Promise((resolve) => {
      queueTask(sources.networking, () => resolve(true)); // the queue of async scripts forgets what has no data
    });
    if (isDeferred) document._deferQueue.push(fetched, run, null, false, this);
    else document._asyncQueue.push(fetched, run, null, null);
    return undefined;
  };

function install(givenCellOf) {
  cellOf = givenCellOf;
  patch('script: evaluated', evaluateInside);
  patch('script: parsed', checkpointBefore);
  patch('script: fetched', blockParser);
  patch('script: prepared', runModules);
  patch('queue: push', pushInTask);
  patch('queue: push of async scripts', pushAsyncInTask);
  patch('queue: empty', notifyOnce);
}

module.exports = { install, clientOf, optionsFor };
