// natives: ledger
// The cause of a message, as the header `traceparent` of W3C Trace Context carries it: the trace of the message that this work was started
// by (or one of our own), and as span the sender's tag and its task's number. Numbers of tasks are 0 while nobody records them.
'use strict';

const ledger = native('ledger');
const { AsyncLocalStorage } = require('internal/async_hooks/local_storage');

const kTraceparent = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

class Tracing {
  #tag; // 8 digits
  #ownTrace;
  #storage = new AsyncLocalStorage();
  #lastTrace;
  #lastTask = -1;
  #lastText = '';
  #lastIn; // traceparent of the last message that came, and its trace
  #lastInTrace;

  constructor(tag, ownTrace) {
    this.#tag = tag;
    this.#ownTrace = ownTrace;
  }

  // For a message that is sent now.
  current() {
    const trace = this.#storage.getStore() ?? this.#ownTrace;
    const task = ledger.enabled ? ledger.runningTask() : 0;
    if (trace === this.#lastTrace && task === this.#lastTask) return this.#lastText;
    this.#lastTrace = trace;
    this.#lastTask = task;
    const number = stringPadStart.call(numberToString.call(task, 16), 8, '0');
    this.#lastText = `00-${trace}-${this.#tag}${number}-${ledger.enabled ? '01' : '00'}`;
    return this.#lastText;
  }

  // A recording says whose it is, and when that was, so that recordings of several processes can be joined
  // (internal/observe/join_command).
  introduce() {
    if (!ledger.enabled) return;
    const id = ledger.queuedAs(ledger.kEvent, `mesh peer ${this.#tag}, ${Date.now()} ms`);
    ledger.begin(ledger.kEvent, id);
    ledger.end(ledger.kEvent, id);
  }

  // Calls run(a, b) as work that the message with this traceparent has caused.
  run(traceparent, run, a, b) {
    if (ledger.enabled) return this.#runRecorded(traceparent, run, a, b);
    return this.#run(traceparent, run, a, b);
  }

  // As a task of its own, named after the sender's.
  #runRecorded(traceparent, run, a, b) {
    const found = typeof traceparent === 'string' ? regexpExec.call(kTraceparent, traceparent) : null;
    const span = found === null ? '' : found[2];
    const sender = found === null ? 'an unknown sender' : `${stringSlice.call(span, 0, 8)} #${parseInt(stringSlice.call(span, 8), 16)}`;
    const id = ledger.queuedAs(ledger.kEvent, `mesh message ← ${sender}`);
    ledger.begin(ledger.kEvent, id);
    try {
      return this.#run(traceparent, run, a, b);
    } finally {
      ledger.end(ledger.kEvent, id);
    }
  }

  #run(traceparent, run, a, b) {
    if (traceparent !== this.#lastIn) {
      this.#lastIn = traceparent;
      const isValid = typeof traceparent === 'string' && regexpTest.call(kTraceparent, traceparent);
      this.#lastInTrace = isValid ? stringSlice.call(traceparent, 3, 35) : undefined;
    }
    if (this.#lastInTrace === undefined) return run(a, b);
    return this.#storage.run(this.#lastInTrace, run, a, b);
  }
}

module.exports = { Tracing };
