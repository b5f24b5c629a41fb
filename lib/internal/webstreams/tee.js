// natives: none
// tee() of a stream with a default controller: both branches see each chunk, the
// faster one sets the pace, and the source is cancelled when both have been.
// https://streams.spec.whatwg.org/#abstract-opdef-readablestreamdefaulttee
'use strict';

const { kUndefinedPromise, upon } = require('internal/webstreams/shared');
const {
  ReadableStreamRecord,
  acquireDefaultReader,
  readFromDefaultReader,
  readableStreamCancel,
} = require('internal/webstreams/readable_core');
const { setUpDefaultController, closeController, enqueueChunk, errorController } = require('internal/webstreams/default_controller');

class DefaultTee {
  constructor(stream, clones) {
    this.stream = stream;
    this.clones = clones; // the second branch gets chunks of its own
    this.reader = acquireDefaultReader(stream);
    this.reading = false;
    this.readAgain = false;
    this.canceled = [false, false];
    this.reasons = [undefined, undefined];
    this.cancelled = Promise.withResolvers();
    const pull = () => this.pull();
    this.branches = arrayMap.call([0, 1], (i) => {
      const branch = new ReadableStreamRecord();
      setUpDefaultController(branch, undefined, pull, (reason) => this.cancel(i, reason), 1, undefined);
      return branch;
    });
    upon(this.reader.closed.promise, undefined, (error) => {
      for (const branch of each(this.branches)) errorController(branch.controller, error);
      this.settleCancel();
    });
  }

  settleCancel() {
    if (!this.canceled[0] || !this.canceled[1]) this.cancelled.resolve();
  }

  forEachOpen(action) {
    for (const i of each([0, 1])) if (!this.canceled[i]) action(this.branches[i].controller);
  }

  pull() {
    if (this.reading) {
      this.readAgain = true;
      return kUndefinedPromise;
    }
    this.reading = true;
    readFromDefaultReader(this.reader, this);
    return kUndefinedPromise;
  }

  // The tee is its own read request. A microtask later: an error of the source
  // raised in the same turn must reach the branches first.
  chunkSteps(chunk) {
    upon(kUndefinedPromise, () => {
      this.readAgain = false;
      if (!this.give(chunk)) return;
      this.reading = false;
      if (this.readAgain) this.pull();
    });
  }

  give(chunk) {
    let second = chunk;
    if (this.clones && !this.canceled[1]) {
      try {
        second = require('internal/messaging/structured_clone').structuredClone(chunk);
      } catch (error) {
        for (const branch of each(this.branches)) errorController(branch.controller, error);
        this.cancelled.resolve(readableStreamCancel(this.stream, error));
        return false;
      }
    }
    if (!this.canceled[0]) enqueueChunk(this.branches[0].controller, chunk);
    if (!this.canceled[1]) enqueueChunk(this.branches[1].controller, second);
    return true;
  }

  closeSteps() {
    this.reading = false;
    this.forEachOpen(closeController);
    this.settleCancel();
  }

  errorSteps() {
    this.reading = false;
  }

  cancel(i, reason) {
    this.canceled[i] = true;
    this.reasons[i] = reason;
    if (this.canceled[1 - i]) this.cancelled.resolve(readableStreamCancel(this.stream, this.reasons));
    return this.cancelled.promise;
  }
}

function defaultTee(stream, clones = false) {
  return new DefaultTee(stream, clones).branches;
}

module.exports = { defaultTee };
