// natives: none
// class Worker of the web (https://html.spec.whatwg.org/#dedicated-workers-and-the-worker-interface) over the one of node:worker_threads;
// lib/internal/worker/web_worker_scope.js is the other side. Scripts come from file:, data: and blob: URLs; a relative one is of the
// working folder.
'use strict';

const {
  codes: { ERR_INVALID_ARG_VALUE, ERR_MISSING_ARGS },
} = require('internal/errors/coded');
const { EventTarget, defineEventHandler } = require('internal/events/event_target');
const { enumerable } = require('internal/events/event');

const kTypes = ['classic', 'module'];

function syntaxError(message) {
  return new (require('internal/errors/dom_exception').DOMException)(message, 'SyntaxError');
}

function scriptUrl(given) {
  const { URL, pathToFileURL } = require('internal/url/url');
  const text = `${given}`;
  if (!URL.canParse(text, 'file:///')) throw syntaxError(`The URL '${text}' is invalid.`);
  const url = new URL(text, pathToFileURL(`${process.cwd()}/`));
  if (url.protocol === 'file:' || url.protocol === 'data:') return url.href;
  if (url.protocol === 'blob:') return url.href;
  throw new (require('internal/errors/dom_exception').DOMException)(
    `Scripts of workers cannot be loaded from ${url.protocol}`,
    'SecurityError',
  );
}

let innerOf;

class Worker extends EventTarget {
  #inner;

  constructor(url, options = {}) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('scriptURL');
    super();
    const { type = 'classic', name = '' } = options ?? {};
    if (!arrayIncludes.call(kTypes, type)) throw new ERR_INVALID_ARG_VALUE('options.type', type, 'must be one of: classic, module');
    const { Worker: Inner, kWeb } = require('internal/worker/worker');
    const href = scriptUrl(url);
    this.#inner = new Inner(new (require('internal/url/url').URL)('data:,'), {
      name: `${name}`,
      [kWeb]: { url: href, type, name: `${name}`, ...blobSource(href) },
    });
    this.#listen();
  }

  static {
    innerOf = (worker) => worker.#inner;
  }

  #listen() {
    const { MessageEvent } = require('internal/messaging/message_event');
    const { errorEvent } = require('internal/events/error_event');
    this.#inner.on('message', (data) => this.dispatchEvent(new MessageEvent('message', { data })));
    this.#inner.on('messageerror', (data) => this.dispatchEvent(new MessageEvent('messageerror', { data })));
    // An error that no listener handles is an error of the owner.
    this.#inner.on('error', (error) => {
      if (this.dispatchEvent(errorEvent(error))) throw error;
    });
  }

  postMessage(message, transferOrOptions) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('message');
    innerOf(this).postMessage(message, transferOrOptions);
  }

  terminate() {
    innerOf(this).removeAllListeners('message');
    innerOf(this).terminate();
  }
}

// A blob's bytes are this thread's to read.
function blobSource(href) {
  if (!stringStartsWith.call(href, 'blob:')) return {};
  const blob = require('internal/webstreams/blob').resolveObjectURL(href);
  if (blob === undefined) throw syntaxError(`The URL '${href}' names no blob.`);
  return { blob };
}

enumerable(Worker.prototype, ['postMessage', 'terminate']);
defineEventHandler(Worker.prototype, 'message');
defineEventHandler(Worker.prototype, 'messageerror');
defineEventHandler(Worker.prototype, 'error');
Object.defineProperty(Worker.prototype, Symbol.toStringTag, { __proto__: null, value: 'Worker', configurable: true });

module.exports = { Worker };
