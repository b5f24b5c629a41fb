// natives: inspector
//
// Node's NodeWorker domain: a session of the main thread reaches the workers through it, each by a session of its own.

'use strict';

const binding = native('inspector');
const { ProtocolError, required } = require('internal/inspector/protocol_error');
const threads = require('internal/inspector/threads');

const kServerError = -32000;
const watching = new Set();

function update() {
  const list = Array.from(watching);
  binding.watchThreads(
    list.length > 0,
    arraySome.call(list, (state) => state.waits),
  );
}

class WorkerState {
  waits = false;
  #session;
  #links = new Map(); // sessionId → { connection, thread }
  #last = 0;
  #listener;

  constructor(session) {
    this.#session = session;
    this.#listener = { started: (thread, worker) => this.#attach(thread, worker), ended: (thread) => this.#detachThread(thread) };
  }

  enable(waits) {
    this.waits = waits;
    threads.joinThreads({});
    watching.add(this);
    threads.listeners.add(this.#listener);
    update();
    for (const [thread, worker] of eachEntry(Array.from(threads.workers))) this.#attach(thread, worker);
  }

  disable() {
    watching.delete(this);
    threads.listeners.delete(this.#listener);
    update();
    for (const { connection } of each(Array.from(this.#links.values()))) connection.close();
    this.#links.clear();
  }

  close() {
    this.disable();
  }

  #attach(thread, { title, url, waiting }) {
    const sessionId = String(++this.#last);
    const take = (message) => this.#session.event('NodeWorker.receivedMessageFromWorker', { sessionId, message });
    const connection = threads.connect(thread, take, () => this.#ended(sessionId));
    if (connection === undefined) return;
    this.#links.set(sessionId, { connection, thread });
    const workerInfo = { workerId: String(thread), type: 'worker', title, url };
    this.#session.event('NodeWorker.attachedToWorker', { sessionId, workerInfo, waitingForDebugger: waiting === true && this.waits });
  }

  #ended(sessionId) {
    if (this.#links.delete(sessionId)) this.#session.event('NodeWorker.detachedFromWorker', { sessionId });
  }

  #detachThread(thread) {
    for (const [sessionId, link] of eachEntry(Array.from(this.#links))) {
      if (link.thread === thread) this.#ended(sessionId);
    }
  }

  #link(sessionId) {
    const link = this.#links.get(sessionId);
    if (link === undefined) throw new ProtocolError(kServerError, 'Session is not attached to worker');
    return link;
  }

  send(sessionId, message) {
    this.#link(sessionId).connection.dispatch(message);
  }

  detach(sessionId) {
    this.#link(sessionId).connection.close();
    this.#ended(sessionId);
  }
}

const stateOf = (session) => session.state('NodeWorker', () => new WorkerState(session));

const methods = {
  __proto__: null,
  'NodeWorker.enable': (session, params) => stateOf(session).enable(required(params, 'waitForDebuggerOnStart', 'boolean')),
  'NodeWorker.disable': (session) => stateOf(session).disable(),
  'NodeWorker.sendMessageToWorker': (session, params) => {
    const message = required(params, 'message', 'string');
    stateOf(session).send(required(params, 'sessionId', 'string'), message);
  },
  'NodeWorker.detach': (session, params) => stateOf(session).detach(required(params, 'sessionId', 'string')),
};

module.exports = { methods };
