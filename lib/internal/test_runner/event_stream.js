// natives: none
// TestsStream: the events of a test run, as a Readable of { type, data } and as events of the same names. Tests send, reporters and the
// listeners of run() receive. The field order of an event is part of what programs print.
'use strict';

const Readable = require('internal/streams/readable');

const kSend = Symbol('kSend');

const identity = (test) => ({ name: test.name, nesting: test.nesting, testId: test.testId, parentId: test.parent?.testId });
const tagsOf = (test) => arraySlice.call(test.tags);

class TestsStream extends Readable {
  #waiting = [];
  #canPush = true;

  constructor() {
    super({ __proto__: null, objectMode: true, highWaterMark: Number.MAX_SAFE_INTEGER });
  }

  _read() {
    this.#canPush = true;
    while (this.#canPush && this.#waiting.length > 0) this.#canPush = this.push(arrayShift.call(this.#waiting));
  }

  [kSend](type, data) {
    this.emit(type, data);
    this.#queue({ type, data });
  }

  #queue(item) {
    if (this.#canPush) this.#canPush = this.push(item);
    else arrayPush.call(this.#waiting, item);
  }

  end() {
    this.#queue(null);
  }

  // 'test:enqueue' and 'test:dequeue'.
  queued(type, test, kind) {
    const { name, nesting, testId, parentId } = identity(test);
    this[kSend](type, { __proto__: null, nesting, name, type: kind, testId, parentId, tags: tagsOf(test), ...test.location });
  }

  start(test) {
    const { name, nesting, testId, parentId } = identity(test);
    this[kSend]('test:start', { __proto__: null, nesting, name, testId, parentId, tags: tagsOf(test), ...test.location });
  }

  // 'test:pass', 'test:fail' and 'test:complete'.
  outcome(type, test, { details, directive }) {
    const { name, nesting, testId, parentId } = identity(test);
    const data = { __proto__: null, name, nesting, testNumber: test.testNumber, testId, parentId, details, tags: tagsOf(test) };
    this[kSend](type, { __proto__: null, ...data, ...test.location, ...directive });
  }

  // The root's `after` hook is no test, but its failure is told as one.
  failedHook(hook, testNumber, details) {
    const { location } = hook;
    this[kSend]('test:fail', {
      __proto__: null,
      name: location?.file,
      nesting: 0,
      testNumber,
      testId: undefined,
      parentId: undefined,
      details,
      tags: [],
      ...location,
    });
  }

  plan(nesting, location, count) {
    this[kSend]('test:plan', { __proto__: null, nesting, count, ...location });
  }

  log(test, message, data) {
    const { name, nesting, testId, parentId } = identity(test);
    this[kSend]('test:log', { __proto__: null, name, nesting, testId, parentId, message, data, ...test.location });
  }

  diagnostic(nesting, location, message, level = 'info') {
    this[kSend]('test:diagnostic', { __proto__: null, nesting, message, level, ...location });
  }

  coverage(nesting, location, summary) {
    this[kSend]('test:coverage', { __proto__: null, nesting, summary, ...location });
  }

  summary(file, success, counts, duration) {
    this[kSend]('test:summary', { __proto__: null, success, counts, duration_ms: duration, file });
  }

  interrupted(tests) {
    this[kSend]('test:interrupted', { __proto__: null, tests });
  }
}

module.exports = { TestsStream, kSend };
