// natives: none
// The control channel between a worker and its owner, as its standard streams use it (internal/worker/stdio). Apart from them, because
// most workers never write: the streams load with the first that does.
'use strict';

const kStdio = 'stdio',
  kMore = 'more';

// Counts the streams that wait for the other side.
class ControlLine {
  #waiting = 0;

  constructor(port) {
    this.port = port;
  }

  wait() {
    if (this.#waiting++ === 0) this.port?.ref();
  }
  done() {
    if (--this.#waiting === 0) this.port?.unref();
  }
  send(message) {
    this.port?.postMessage(message);
  }
  // The other side has ended.
  close() {
    this.port = undefined;
  }
}

module.exports = { ControlLine, kStdio, kMore };
