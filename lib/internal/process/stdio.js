// natives: stdio
// process.stdout and process.stderr. Files and terminals are written in the call. Bytes that a pipe or socket has no room for wait in
// C++ while the loop goes on, and is written to the end at exit: process.exit loses nothing.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { writeText, writeBytes, whenEmpty, kindOf } = native('stdio');
const { Writable } = require('internal/streams/stream');
const { output } = require('internal/process/object');
const { ErrnoException, UVException } = require('internal/errors/coded');

// A file's error is worded as those of fs.
function errorOf(type, result) {
  if (result >= 0) return null;
  return type === 'fs' ? new UVException({ errno: result, syscall: 'write' }) : new ErrnoException(result, 'write');
}

class SyncWriteStream extends Writable {
  constructor(fd) {
    super({ decodeStrings: false, autoDestroy: true });
    this.fd = fd;
    this.readable = false;
    this._type = kindOf(fd) === 'file' ? 'fs' : 'pipe';
    this._isStdio = true;
    this.destroySoon = this.destroy;
  }

  #put(chunk, encoding) {
    const isText = typeof chunk === 'string' && (encoding === 'utf8' || encoding === 'utf-8' || encoding === undefined);
    return isText ? writeText(this.fd, chunk) : writeBytes(this.fd, typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);
  }

  // At exit: what still waits its turn here goes to C++, which writes it to the end.
  handOver() {
    for (const { chunk, encoding } of each(this._writableState.getBuffer())) this.#put(chunk, encoding);
  }

  _write(chunk, encoding, callback) {
    const result = this.#put(chunk, encoding);
    if (result === 1) whenEmpty(this.fd, (later) => callback(errorOf(this._type, later)));
    else callback(errorOf(this._type, result));
  }

  // The standard streams outlive everything: destroying one only tells.
  _destroy(error, callback) {
    callback(error);
    this._undestroy();
  }
}

function makeTerminal(fd) {
  const { WriteStream } = requireLater('internal/tty/tty');
  const stream = new WriteStream(fd);
  stream._type = 'tty';
  stream.fd = fd;
  stream._isStdio = true;
  stream.destroySoon = stream.destroy;
  stream._destroy = (error, callback) => callback(error);
  process.on('SIGWINCH', () => stream._refreshSize());
  return stream;
}

function make(fd) {
  return kindOf(fd) === 'tty' ? makeTerminal(fd) : new SyncWriteStream(fd);
}

const made = [];
function standard(fd) {
  return (made[fd] ??= make(fd));
}
output.flush = () => {
  for (const stream of each(made)) stream?.handOver?.();
};

const noop = () => {};
const forgiven = [];

// console writes past the stream as long as nobody holds it; when that fails, the stream has the error. The first one nobody
// listens for is passed over, as Node does: a program whose reader has gone may say its last line, but does not go on for ever.
function failed(fd, result) {
  const stream = standard(fd);
  if (!forgiven[fd] && !stream._writableState.errorEmitted && stream.listenerCount('error') === 0) {
    forgiven[fd] = true;
    stream.once('error', noop);
  }
  stream.destroy(errorOf(stream._type, result));
}

module.exports = { failed, stdout: () => standard(1), stderr: () => standard(2) };
