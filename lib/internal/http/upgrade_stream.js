// natives: none
// The socket of 'upgrade' while the request's body is still on its way: the socket, with the body left out.
'use strict';

const { Duplex } = require('internal/streams/stream');

class UpgradeStream extends Duplex {
  #socket;
  #request;

  constructor(socket, request) {
    super({ allowHalfOpen: socket.allowHalfOpen });
    this.#socket = socket;
    this.#request = request;
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
    this.on('close', () => socket.destroy());
    socket.on('end', () => {
      this.push(null);
      // As on a socket, the end comes through without a listener for data.
      if (this.readableLength === 0) this.resume();
    });
  }

  // From now on the bytes are the new protocol's.
  requestBodyCompleted(head) {
    const socket = this.#socket;
    this.#request = null;
    const push = (bytes) => {
      if (!this.push(bytes)) socket.pause();
    };
    if (head?.length > 0) push(head);
    socket.on('data', push);
  }

  // Reading it lets the body pass, even if nobody listens for that.
  _read() {
    this.#request?.resume();
    this.#socket.resume();
  }

  _write(chunk, encoding, callback) {
    this.#socket.write(chunk, encoding, callback);
  }
  _final(callback) {
    this.#socket.end(callback);
  }
  _destroy(error, callback) {
    this.#socket.destroy(error);
    callback(error);
  }
}

module.exports = { UpgradeStream };
