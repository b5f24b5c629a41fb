// natives: stdio
//
// node:tty: terminals as streams. A WriteStream's writes are synchronous, so
// that nothing is lost at exit; a ReadStream can be put into raw mode, which
// is undone when it closes and when the process ends.

'use strict';

const { kindOf, windowSize } = native('stdio');
const { Socket } = require('internal/net/net');
const { TTY } = require('internal/net/handle');
const { ErrnoException, codes } = require('internal/errors/coded');
const { getColorDepth, hasColors } = require('internal/tty/colors');

const EINVAL = -22;
const kDescriptor = Symbol('descriptor');

function isatty(fd) {
  return Number.isInteger(fd) && fd >= 0 && fd <= 2 ** 31 - 1 && kindOf(fd) === 'tty';
}

function openTerminal(fd) {
  if (fd >> 0 !== fd || fd < 0) throw new codes.ERR_INVALID_FD(fd);
  const handle = new TTY(fd);
  if (handle.status < 0) {
    throw new codes.ERR_TTY_INIT_FAILED({ errno: EINVAL, code: 'EINVAL', message: 'invalid argument', syscall: 'uv_tty_init' });
  }
  return handle;
}

function ReadStream(fd, options) {
  if (!(this instanceof ReadStream)) return new ReadStream(fd, options);
  const handle = openTerminal(fd);
  call1(Socket, this, { highWaterMark: 0, handle, manualStart: true, ...options });
  this.isRaw = false;
  this.isTTY = true;
}
Object.setPrototypeOf(ReadStream.prototype, Socket.prototype);
Object.setPrototypeOf(ReadStream, Socket);

ReadStream.prototype.setRawMode = function (flag) {
  flag = Boolean(flag);
  const status = this._handle?.setRawMode(flag);
  if (status) {
    this.emit('error', new ErrnoException(status, 'setRawMode'));
    return this;
  }
  this.isRaw = flag;
  return this;
};

function WriteStream(fd) {
  if (!(this instanceof WriteStream)) return new WriteStream(fd);
  const handle = openTerminal(fd);
  call1(Socket, this, { handle, manualStart: true });
  this._handle.setBlocking(true);
  this[kDescriptor] = fd;
  const size = windowSize(fd);
  if (size !== undefined) [this.columns, this.rows] = each(size);
}
Object.setPrototypeOf(WriteStream.prototype, Socket.prototype);
Object.setPrototypeOf(WriteStream, Socket);

Object.assign(WriteStream.prototype, {
  isTTY: true,
  getColorDepth,
  hasColors,

  _refreshSize() {
    const { columns, rows } = this;
    const size = windowSize(this[kDescriptor]);
    if (size === undefined) return;
    [this.columns, this.rows] = each(size);
    if (columns !== this.columns || rows !== this.rows) this.emit('resize');
  },

  getWindowSize() {
    return [this.columns, this.rows];
  },
  cursorTo(x, y, callback) {
    return require('internal/readline/readline').cursorTo(this, x, y, callback);
  },
  moveCursor(dx, dy, callback) {
    return require('internal/readline/readline').moveCursor(this, dx, dy, callback);
  },
  clearLine(dir, callback) {
    return require('internal/readline/readline').clearLine(this, dir, callback);
  },
  clearScreenDown(callback) {
    return require('internal/readline/readline').clearScreenDown(this, callback);
  },
});

module.exports = { isatty, ReadStream, WriteStream };
