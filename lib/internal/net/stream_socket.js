// natives: none
//
// A net.Socket over any Duplex, for what asks for a socket and has a stream: Node's JSStreamSocket. Packages find its class as the
// constructor of `tlsSocket._handle._parentWrap` of a TLSSocket over a Duplex. internal/tls/handle does not need it.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { Socket } = require('internal/net/net');
const { enqueue } = require('internal/queues/ticks');

const EPIPE = -32;

// The face of an internal/net handle. The stream is listened to when the first reader comes, so that one that is only looked at keeps
// its data.
class StreamHandle {
  #stream;
  #listens = false;

  constructor(stream) {
    this.#stream = stream;
    this.reading = false;
    this.onread = undefined;
    this.owner = undefined;
    this.bytesRead = 0;
    this.bytesWritten = 0;
  }

  #listen() {
    const stream = this.#stream;
    this.#listens = true;
    stream.on('data', (chunk) => this.#receive(chunk));
    stream.on('end', () => this.onread?.(0));
    stream.on('error', (error) => this.owner?.emit('error', error)); // 'close' follows it
    stream.on('close', () => {
      if (!stream.readableEnded) this.owner?.destroy();
    });
  }

  #receive(chunk) {
    if (typeof chunk === 'string' || this.#stream.readableObjectMode) {
      const { ERR_STREAM_WRAP } = require('internal/errors/coded').codes;
      this.owner?.destroy(new ERR_STREAM_WRAP());
      return;
    }
    this.bytesRead += chunk.length;
    this.onread?.(chunk.length, chunk);
  }

  readStart() {
    this.reading = true;
    if (!this.#listens) this.#listen();
    this.#stream.resume();
    return 0;
  }

  readStop() {
    this.reading = false;
    this.#stream.pause();
    return 0;
  }

  tryBytes() {
    return 0;
  }
  writeBytes(view, done) {
    return this.#write(view, view.byteLength, done);
  }
  writeMany(views, done) {
    const bytes = Buffer.concat(views);
    return this.#write(bytes, bytes.length, done);
  }
  writeText(text, isLatin1, done) {
    const bytes = Buffer.from(text, isLatin1 ? 'latin1' : 'utf8');
    return this.#write(bytes, bytes.length, done);
  }

  #write(bytes, size, done) {
    if (this.#stream.destroyed || this.#stream.writableEnded) return EPIPE;
    this.bytesWritten += size;
    this.#stream.write(bytes, (error) => done(error ? EPIPE : 0));
    return 1;
  }

  shutdown(request) {
    if (this.#stream.destroyed || this.#stream.writableEnded) enqueue(() => request.oncomplete(0));
    else this.#stream.end(() => request.oncomplete(0));
    return 0;
  }

  close(callback) {
    this.reading = false;
    this.onread = undefined;
    this.#stream.destroy();
    setImmediate(() => callback?.());
  }

  reset(callback) {
    this.close(callback);
    return 0;
  }
}

class JSStreamSocket extends Socket {
  constructor(stream, isLookedAt = false) {
    super({ handle: new StreamHandle(stream), manualStart: true });
    this.stream = stream;
    if (!isLookedAt) this.read(0);
  }
}

module.exports = { JSStreamSocket };
