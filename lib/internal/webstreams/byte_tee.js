// natives: none
// tee() of a byte stream: the branches are byte streams too. The reader on the
// source is a default reader, or a BYOB reader while a branch brings a buffer.
// https://streams.spec.whatwg.org/#abstract-opdef-readablebytestreamtee
'use strict';

const { kUndefinedPromise, upon } = require('internal/webstreams/shared');
const {
  ReadableStreamRecord,
  ByobReaderRecord,
  acquireDefaultReader,
  readFromDefaultReader,
  readableStreamCancel,
  releaseReader,
  setUpReader,
} = require('internal/webstreams/readable_core');
const {
  setUpByteController,
  byobRequestOf,
  closeByteController,
  enqueueBytes,
  errorByteController,
  pullInto,
  respond,
  respondWithNewView,
} = require('internal/webstreams/byte_controller');

class ByteTee {
  constructor(stream) {
    this.stream = stream;
    this.reader = acquireDefaultReader(stream);
    this.reading = false;
    this.readAgain = [false, false];
    this.canceled = [false, false];
    this.reasons = [undefined, undefined];
    this.cancelled = Promise.withResolvers();
    this.branches = arrayMap.call([0, 1], (i) => {
      const branch = new ReadableStreamRecord();
      setUpByteController(
        branch,
        undefined,
        () => this.pull(i),
        (reason) => this.cancel(i, reason),
        0,
        undefined,
      );
      return branch;
    });
    this.forwardErrors();
  }

  // Of this reader only: a reader that was replaced is rejected when released.
  forwardErrors() {
    const { reader } = this;
    upon(reader.closed.promise, undefined, (error) => {
      if (reader !== this.reader) return;
      for (const branch of each(this.branches)) errorByteController(branch.controller, error);
      if (!this.canceled[0] || !this.canceled[1]) this.cancelled.resolve();
    });
  }

  useReader(isByob) {
    if (this.reader.isByob === isByob) return;
    releaseReader(this.reader);
    if (isByob) {
      this.reader = new ByobReaderRecord();
      setUpReader(this.reader, this.stream);
    } else {
      this.reader = acquireDefaultReader(this.stream);
    }
    this.forwardErrors();
  }

  pull(i) {
    if (this.reading) {
      this.readAgain[i] = true;
      return kUndefinedPromise;
    }
    this.reading = true;
    const request = byobRequestOf(this.branches[i].controller);
    if (request === null) this.pullWithDefaultReader();
    else this.pullWithByobReader(request.view, i);
    return kUndefinedPromise;
  }

  pullAgain() {
    this.reading = false;
    if (this.readAgain[0]) this.pull(0);
    else if (this.readAgain[1]) this.pull(1);
  }

  // A copy for the second taker; failing that, everything fails. Null then.
  copy(chunk) {
    try {
      return new Uint8Array(chunk.buffer.slice(chunk.byteOffset, chunk.byteOffset + chunk.byteLength));
    } catch (error) {
      for (const branch of each(this.branches)) errorByteController(branch.controller, error);
      this.cancelled.resolve(readableStreamCancel(this.stream, error));
      return null;
    }
  }

  pullWithDefaultReader() {
    this.useReader(false);
    readFromDefaultReader(this.reader, {
      chunkSteps: (chunk) => {
        upon(kUndefinedPromise, () => {
          this.onChunk(chunk);
        });
      },
      closeSteps: () => {
        this.reading = false;
        this.closeBranches();
        for (const { controller } of each(this.branches)) {
          if (controller.pendingPullIntos.length > 0) respond(controller, 0);
        }
        if (!this.canceled[0] || !this.canceled[1]) this.cancelled.resolve();
      },
      errorSteps: () => {
        this.reading = false;
      },
    });
  }

  closeBranches() {
    for (const i of each([0, 1])) if (!this.canceled[i]) closeByteController(this.branches[i].controller);
  }

  onChunk(chunk) {
    this.readAgain = [false, false];
    let second = chunk;
    if (!this.canceled[0] && !this.canceled[1]) {
      second = this.copy(chunk);
      if (second === null) return;
    }
    if (!this.canceled[0]) enqueueBytes(this.branches[0].controller, chunk);
    if (!this.canceled[1]) enqueueBytes(this.branches[1].controller, second);
    this.pullAgain();
  }

  // `view` is branch i's buffer; the other branch gets a copy.
  pullWithByobReader(view, i) {
    this.useReader(true);
    const request = {
      chunkSteps: (chunk) => {
        upon(kUndefinedPromise, () => {
          this.onFilledView(chunk, i);
        });
      },
      closeSteps: (chunk) => {
        this.onByobClose(chunk, i);
      },
      errorSteps: () => {
        this.reading = false;
      },
    };
    this.stream.disturbed = true;
    if (this.stream.state === 'errored') request.errorSteps(this.stream.storedError);
    else pullInto(this.stream.controller, view, 1, request);
  }

  onFilledView(chunk, i) {
    this.readAgain = [false, false];
    const own = this.branches[i].controller;
    const other = this.branches[1 - i].controller;
    if (!this.canceled[1 - i]) {
      const copied = this.copy(chunk);
      if (copied === null) return;
      if (!this.canceled[i]) respondWithNewView(own, chunk);
      enqueueBytes(other, copied);
    } else if (!this.canceled[i]) {
      respondWithNewView(own, chunk);
    }
    this.pullAgain();
  }

  onByobClose(chunk, i) {
    this.reading = false;
    this.closeBranches();
    const own = this.branches[i].controller;
    const other = this.branches[1 - i].controller;
    if (chunk !== undefined) {
      if (!this.canceled[i]) respondWithNewView(own, chunk);
      if (!this.canceled[1 - i] && other.pendingPullIntos.length > 0) respond(other, 0);
    }
    if (!this.canceled[0] || !this.canceled[1]) this.cancelled.resolve();
  }

  cancel(i, reason) {
    this.canceled[i] = true;
    this.reasons[i] = reason;
    if (this.canceled[1 - i]) this.cancelled.resolve(readableStreamCancel(this.stream, this.reasons));
    return this.cancelled.promise;
  }
}

function byteTee(stream) {
  return new ByteTee(stream).branches;
}

module.exports = { byteTee };
