// natives: none
// Standard streams of a worker: what it writes travels over the control channel and is read by its owner, and the other way for
// stdin. A writer waits until the reader asks for more. The channel keeps its loop alive as long as a stream waits for the
// other side.
'use strict';

const { Readable, Writable } = require('internal/streams/stream');

const { kStdio, kMore } = require('internal/worker/control_line');

class ReadableWorkerStdio extends Readable {
  #line;
  #name;
  #keepsAlive;
  #isReading = false;

  constructor(line, name, keepsAlive) {
    super();
    this.#line = line;
    this.#name = name;
    this.#keepsAlive = keepsAlive;
    this.on('end', () => {
      if (this.#isReading) line.done();
    });
  }

  _read() {
    if (this.#keepsAlive && !this.#isReading) {
      this.#isReading = true;
      this.#line.wait();
    }
    this.#line.send({ type: kMore, stream: this.#name });
  }

  take(chunks) {
    for (let i = 0; i < chunks.length; i += 2) this.push(chunks[i], chunks[i + 1]);
  }
}

class WritableWorkerStdio extends Writable {
  #line;
  #name;
  #waiting = null;
  #handedOver = 0;

  constructor(line, name) {
    super({ decodeStrings: false });
    this.#line = line;
    this.#name = name;
  }

  // Chunks and their encodings in turn.
  #send(chunks) {
    this.#line.send({ type: kStdio, stream: this.#name, chunks });
  }

  _write(chunk, encoding, callback) {
    this.#sent([chunk, encoding], callback);
  }

  _writev(entries, callback) {
    const chunks = [];
    for (let i = 0; i < entries.length; i++) arrayPush.call(chunks, entries[i].chunk, entries[i].encoding);
    this.#sent(chunks, callback);
  }

  #sent(chunks, callback) {
    this.#send(chunks);
    if (process._exiting) return callback();
    this.#waiting = callback;
    this.#line.wait();
  }

  _final(callback) {
    this.#send([null, '']);
    callback();
  }

  more() {
    const callback = this.#waiting;
    if (callback === null) return;
    this.#waiting = null;
    callback();
    this.#line.done();
  }

  // At exit nobody asks any more: what still waits here goes out now. A worker that fails does so twice, and the stream keeps what has
  // gone.
  handOver() {
    const chunks = [],
      waiting = this._writableState.getBuffer();
    for (; this.#handedOver < waiting.length; this.#handedOver++)
      arrayPush.call(chunks, waiting[this.#handedOver].chunk, waiting[this.#handedOver].encoding);
    if (chunks.length > 0) this.#send(chunks);
  }
}

module.exports = { ReadableWorkerStdio, WritableWorkerStdio };
