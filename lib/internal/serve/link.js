// natives: net
// The transport of a connection: the loop's stream itself (StreamLink), or a socket of node:tls (SocketLink). Writes answer 0
// when everything is sent, 1 when `done(status)` will follow, a negative errno when the connection is of no more use.
'use strict';

const { closedStream } = native('net'); // in the place of a stream after close(): its methods answer EBADF

const EPIPE = -32;

class StreamLink {
  constructor(stream) {
    this.stream = stream;
    this.onRaw = undefined;
  }

  // Every piece goes through the parser: onPiece(size, event, …).
  consume(parser, onPiece) {
    parser.consume(this.stream, false, onPiece);
  }
  // Every piece as it is: onRaw(size, bytes).
  readRaw(onRaw) {
    this.stream.readStart(onRaw);
  }
  pause() {
    this.stream.readStop();
  }

  respond(line, block, type, body, flags, done) {
    return this.stream.respond(line, block, type, body, flags, done);
  }
  send(text, bytes, done) {
    return this.stream.sendText(text, bytes, done);
  }

  // Half a close: what was sent is delivered even if the client is still sending. onEnd() when it has closed its half, too.
  end(onEnd) {
    const { stream } = this;
    stream.shutdown(() => {});
    stream.readStart((size) => {
      if (size <= 0) onEnd();
    });
  }
  close(done) {
    const { stream } = this;
    this.stream = closedStream;
    stream.close(done);
  }
  get remote() {
    const address = this.stream.remoteAddress();
    return typeof address === 'number' ? undefined : address;
  }
  // Bytes that wait for the client, and those that it has been given.
  get progress() {
    const { 1: taken = 0, 2: waiting = 0 } = this.stream.counts();
    return { waiting, taken };
  }
}

class SocketLink {
  constructor(socket) {
    this.socket = socket;
    this.reader = undefined;
    this.onEnd = undefined;
    socket.on('data', (chunk) => this.reader?.(chunk.length, chunk));
    socket.on('end', () => this.reader?.(0));
    socket.on('error', () => {});
    socket.on('close', () => {
      this.reader?.(EPIPE);
      this.onEnd?.();
    });
  }

  consume(parser, onPiece) {
    this.reader = (size, chunk) => {
      if (size <= 0) return onPiece(size);
      parser.feed(chunk);
      const first = parser.next(false);
      if (first !== undefined) giveEvent(onPiece, size, first);
      return parser.keepRest();
    };
    this.socket.resume();
  }
  readRaw(onRaw) {
    this.reader = onRaw;
    this.socket.resume();
  }
  pause() {
    this.socket.pause();
  }

  respond(line, block, type, body, flags, done) {
    const { assemble } = require('internal/serve/answer');
    const bytes = typeof body === 'string' ? require('internal/buffer/buffer').Buffer.from(body) : body;
    return this.send(assemble(line, block, type, bytes.length, flags), (flags & 2) === 0 ? bytes : undefined, done);
  }
  send(text, bytes, done) {
    const { socket } = this;
    if (socket.destroyed) return EPIPE;
    socket.cork();
    let room = socket.write(text, 'latin1');
    if (bytes !== undefined && bytes.length > 0) room = socket.write(bytes);
    socket.uncork();
    if (room) return 0;
    socket.once('drain', () => done(0));
    return 1;
  }
  end(onEnd) {
    this.reader = undefined;
    this.socket.resume();
    this.socket.end(onEnd);
  }
  close(done) {
    this.onEnd = done;
    this.reader = undefined;
    this.socket.destroy();
  }
  get progress() {
    const { bytesWritten, writableLength: waiting } = this.socket;
    return { waiting, taken: bytesWritten - waiting };
  }
  get remote() {
    return [this.socket.remoteAddress, this.socket.remotePort, this.socket.remoteFamily];
  }
}

// The result of next(), as consume() says it.
function giveEvent(onPiece, size, event) {
  if (typeof event === 'number') onPiece(size, event);
  else if (Array.isArray(event)) onPiece(size, 1, event[0], event[1], event[2]);
  else onPiece(size, 2, event);
}

module.exports = { StreamLink, SocketLink };
