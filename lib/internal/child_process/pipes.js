// natives: none
//
// A child's standard streams, over our end of a socket pair. Reading and writing go to the loop's poller through fs.read and
// fs.write, which wait for readiness on such descriptors.

'use strict';

const { Readable, Writable } = require('stream');
const fs = require('fs');

class PipeReader extends Readable {
  constructor(fd) {
    super({ highWaterMark: 64 * 1024 });
    this.fd = fd;
    this._busy = false;
  }

  _read() {
    if (this._busy) return;
    this._busy = true;
    fs.read(this.fd, Buffer.allocUnsafe(64 * 1024), 0, 64 * 1024, null, (error, count, buffer) => {
      this._busy = false;
      if (this.destroyed) {
        this._release();
      } else if (error && error.code !== 'ECONNRESET') {
        this.destroy(error);
      } else {
        this.push(error || count === 0 ? null : buffer.subarray(0, count));
      }
    });
  }

  // The descriptor is closed when no read is under way on it.
  _release() {
    const { fd } = this;
    if (fd === null || this._busy) return;
    this.fd = null;
    fs.close(fd, () => {});
  }

  _destroy(error, callback) {
    this._release();
    callback(error);
  }
}

class PipeWriter extends Writable {
  constructor(fd) {
    super({ decodeStrings: true });
    this.fd = fd;
  }

  _write(chunk, encoding, callback) {
    fs.write(this.fd, chunk, 0, chunk.length, null, (error, count) => {
      if (error) callback(error);
      else if (count < chunk.length) this._write(chunk.subarray(count), encoding, callback);
      else callback();
    });
  }

  _final(callback) {
    const { fd } = this;
    this.fd = null;
    fs.close(fd, callback);
  }

  _destroy(error, callback) {
    const { fd } = this;
    this.fd = null;
    if (fd === null) callback(error);
    else fs.close(fd, () => callback(error));
  }
}

module.exports = { PipeReader, PipeWriter };
