// natives: none
// The few terminal control sequences readline writes, and readline.cursorTo,
// moveCursor, clearLine, clearScreenDown. Each returns what stream.write() does.
'use strict';

const {
  codes: { ERR_INVALID_ARG_VALUE, ERR_INVALID_CURSOR_POS },
} = require('internal/errors/coded');
const { validateFunction } = require('internal/util/validators');

const kEscape = '\x1b';
const csi = (body) => `${kEscape}[${body}`;

const kClearLine = csi('2K');
const kClearToLineBeginning = csi('1K');
const kClearToLineEnd = csi('0K');
const kClearScreenDown = csi('0J');

function send(stream, data, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (stream === null || stream === undefined || data === '') {
    if (typeof callback === 'function') process.nextTick(callback, null);
    return true;
  }
  return stream.write(data, callback);
}

function toColumn(x, y) {
  if (Number.isNaN(x)) throw new ERR_INVALID_ARG_VALUE('x', x);
  if (Number.isNaN(y)) throw new ERR_INVALID_ARG_VALUE('y', y);
  if (typeof x !== 'number') throw new ERR_INVALID_CURSOR_POS();
  return typeof y === 'number' ? csi(`${y + 1};${x + 1}H`) : csi(`${x + 1}G`);
}

function cursorTo(stream, x, y, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (typeof y === 'function') {
    callback = y;
    y = undefined;
  }
  if (Number.isNaN(x)) throw new ERR_INVALID_ARG_VALUE('x', x);
  if (Number.isNaN(y)) throw new ERR_INVALID_ARG_VALUE('y', y);
  if (stream == null || (typeof x !== 'number' && typeof y !== 'number')) return send(null, '', callback);
  return send(stream, toColumn(x, y), callback);
}

function stepsOf(dx, dy) {
  let data = '';
  if (dx < 0) data += csi(`${-dx}D`);
  else if (dx > 0) data += csi(`${dx}C`);
  if (dy < 0) data += csi(`${-dy}A`);
  else if (dy > 0) data += csi(`${dy}B`);
  return data;
}

function moveCursor(stream, dx, dy, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (stream == null || !(dx || dy)) return send(null, '', callback);
  return send(stream, stepsOf(dx, dy), callback);
}

// dir: -1 to the left of the cursor, 1 to the right, 0 the whole line.
function lineClearingOf(dir) {
  if (dir < 0) return kClearToLineBeginning;
  return dir > 0 ? kClearToLineEnd : kClearLine;
}

function clearLine(stream, dir, callback) {
  return send(stream, lineClearingOf(dir), callback);
}

function clearScreenDown(stream, callback) {
  return send(stream, kClearScreenDown, callback);
}

module.exports = {
  kClearScreenDown,
  clearLine,
  clearScreenDown,
  cursorTo,
  moveCursor,
  toColumn,
  stepsOf,
  lineClearingOf,
};
