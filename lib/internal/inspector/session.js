// natives: none
//
// One session of the protocol: a client's messages in, answers and events out, as text. The domains (internal/inspector/*_domain) are
// tables of methods; a session holds what belongs to one client alone. A session neither knows nor cares what carries its text: a
// connection of the server (internal/inspector/server), a Session of node:inspector, or another thread.

'use strict';

const { ProtocolError } = require('internal/inspector/protocol_error');
const { ObjectStore } = require('internal/inspector/objects');

const kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kServerError = -32000;

const kDomains = {
  __proto__: null,
  Console: 'internal/inspector/console_domain',
  Debugger: 'internal/inspector/debugger_domain',
  HeapProfiler: 'internal/inspector/heap_domain',
  NodeRuntime: 'internal/inspector/node_domains',
  NodeWorker: 'internal/inspector/worker_domain',
  NodeTracing: 'internal/inspector/tracing_domain',
  IO: 'internal/inspector/network_domain',
  Network: 'internal/inspector/network_domain',
  Profiler: 'internal/inspector/profiler_domain',
  Runtime: 'internal/inspector/runtime_domain',
  Schema: 'internal/inspector/node_domains',
};

const sessions = new Set();
let lastNumber = 0;

function randomNumber() {
  return `${Math.trunc(Math.random() * 2 ** 53)}`;
}

class ProtocolSession {
  #send;
  #domains = new Map(); // name → the state of that domain for this session

  // `send(text)`. A remote session (one of another thread or process) can be waited for; one of this thread cannot.
  constructor(send, isRemote) {
    this.#send = send;
    this.isRemote = isRemote;
    this.number = ++lastNumber;
    this.objects = new ObjectStore(`${randomNumber()}`);
    this.isWaiting = false;
    sessions.add(this);
  }

  // The state that a domain keeps with this session; made by `make()` when first asked for.
  state(domain, make) {
    let state = this.#domains.get(domain);
    if (state === undefined && make !== undefined) this.#domains.set(domain, (state = make()));
    return state;
  }

  get isOpen() {
    return sessions.has(this);
  }

  close() {
    if (!sessions.delete(this)) return;
    for (const state of each(Array.from(this.#domains.values()))) state.close?.();
    this.#domains.clear();
  }

  event(method, params) {
    if (this.isOpen) this.#send(JSON.stringify({ method, params }));
  }

  #answer(id, result) {
    if (this.isOpen) this.#send(JSON.stringify({ id, result: result ?? {} }));
  }

  #fail(id, error) {
    if (!this.isOpen) return;
    const { code, message, data } = error instanceof ProtocolError ? error : new ProtocolError(kServerError, `${error?.message ?? error}`);
    this.#send(JSON.stringify({ ...(id !== undefined && { id }), error: { code, message, ...(data !== undefined && { data }) } }));
  }

  dispatch(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return this.#fail(undefined, new ProtocolError(kParseError, 'JSON: unprocessed input remains at position 0'));
    }
    if (message === null || typeof message !== 'object' || Array.isArray(message)) {
      return this.#fail(undefined, new ProtocolError(kInvalidRequest, 'Message must be an object'));
    }
    const { id, method, params } = message;
    if (!Number.isInteger(id)) return this.#fail(undefined, new ProtocolError(kInvalidRequest, "Message must have integer 'id' property"));
    if (typeof method !== 'string') return this.#fail(id, new ProtocolError(kInvalidRequest, "Message must have string 'method' property"));
    if (params !== undefined && (params === null || typeof params !== 'object' || Array.isArray(params))) {
      return this.#fail(id, new ProtocolError(kInvalidRequest, "Message property 'params' must be an object"));
    }
    this.#run(id, method, params ?? {});
  }

  #run(id, method, params) {
    try {
      const result = handlerOf(method)(this, params);
      if (result?.later === undefined) return this.#answer(id, result);
      result.later(
        (value) => this.#answer(id, value),
        (error) => this.#fail(id, error),
      );
    } catch (error) {
      this.#fail(id, error);
    }
  }
}

function handlerOf(method) {
  const dot = stringIndexOf.call(method, '.');
  const file = dot > 0 ? kDomains[stringSlice.call(method, 0, dot)] : undefined;
  const handler = file === undefined ? undefined : require(file).methods[method];
  if (handler === undefined) throw new ProtocolError(kMethodNotFound, `'${method}' wasn't found`);
  return handler;
}

// An answer that comes later: `start(answer, fail)`.
function later(start) {
  return { later: start };
}

module.exports = { ProtocolSession, later, randomNumber };
