// natives: stdio
// process.stdout and process.stderr. Writes are synchronous for files, terminals and pipes, as in Node on Linux: a write that
// returned is with the kernel, so process.exit loses nothing.
'use strict';

const { Buffer } = require('buffer');
const { writeText, writeBytes, kindOf } = native('stdio');
const { Writable } = require('stream');
const { uvException } = require('internal/errors/coded');

class SyncWriteStream extends Writable {
  constructor(fd) {
    super({ decodeStrings: false, autoDestroy: true });
    this.fd = fd;
    this._type = kindOf(fd) === 'file' ? 'fs' : 'pipe';
    this._isStdio = true;
    this.destroySoon = this.destroy;
  }

  _write(chunk, encoding, callback) {
    const isText = typeof chunk === 'string' && (encoding === 'utf8' || encoding === 'utf-8' || encoding === undefined);
    const error = isText ? writeText(this.fd, chunk) :
      writeBytes(this.fd, typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);
    callback(error ? uvException({ errno: error, syscall: 'write' }) : null);
  }

  // The standard streams outlive everything: destroying one only marks it.
  _destroy(error, callback) { callback(error); }
}

function makeTerminal(fd) {
  const { WriteStream } = require('tty');
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
function standard(fd) { return made[fd] ??= make(fd); }

module.exports = { stdout: () => standard(1), stderr: () => standard(2), isMade: (fd) => made[fd] !== undefined };
