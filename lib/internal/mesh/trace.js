// natives: none
// The cause of a message, as the header `traceparent` of W3C Trace Context carries it: the trace of the message that this work was started
// by (or one of our own), and as span the sender's tag and its task's number. Numbers of tasks are 0 while nobody records them.
'use strict';

const { AsyncLocalStorage } = require('internal/async_hooks/local_storage');

const kTraceparent = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

class Tracing {
  #tag; // 8 digits
  #ownTrace;
  #storage = new AsyncLocalStorage();
  #lastTrace;
  #lastTask = -1;
  #lastText = '';

  constructor(tag, ownTrace) {
    this.#tag = tag;
    this.#ownTrace = ownTrace;
  }

  // For a message that is sent now.
  current() {
    const trace = this.#storage.getStore() ?? this.#ownTrace;
    const task = 0;
    if (trace === this.#lastTrace && task === this.#lastTask) return this.#lastText;
    this.#lastTrace = trace;
    this.#lastTask = task;
    const number = stringPadStart.call(numberToString.call(task, 16), 8, '0');
    this.#lastText = `00-${trace}-${this.#tag}${number}-${task === 0 ? '00' : '01'}`;
    return this.#lastText;
  }

  // Calls run(a, b) as work that the message with this traceparent has caused.
  run(traceparent, run, a, b) {
    const trace = typeof traceparent === 'string' && traceparent.length === 55 ? stringSlice.call(traceparent, 3, 35) : undefined;
    if (trace === undefined || !regexpTest.call(kTraceparent, traceparent)) return run(a, b);
    return this.#storage.run(trace, run, a, b);
  }
}

module.exports = { Tracing };
