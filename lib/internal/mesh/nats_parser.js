// natives: none
// The server's half of the NATS protocol (https://docs.nats.io/reference/reference-protocols/nats-protocol): bytes in, calls of a receiver
// out. Nothing is copied: a message is told as places in the chunk that it lies in. A server is not trusted: a length above the limit, a
// line without end and a word that is none of the protocol's end the connection.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { MeshError } = require('internal/mesh/errors');

const kLongestLine = 1 << 20; // INFO of a large cluster
const kSpace = 32,
  kReturn = 13,
  kNewline = 10;

function protocolError(message) {
  return new MeshError('ERR_MESH_PROTOCOL', `The server does not speak NATS: ${message}`);
}

class Parser {
  #receiver;
  #limit;
  #left = []; // chunks of a message or line that is not complete
  #leftBytes = 0;
  #wanted = 0; // bytes that the incomplete one needs at least
  #spaces = [0, 0, 0, 0, 0];

  // receiver: message(sid, chunk, subject, reply, header, body, end), where subject and reply are pairs of places,
  // and onInfo(text), onPing(), onPong(), onError(text).
  constructor(receiver, limit) {
    this.#receiver = receiver;
    this.#limit = limit;
  }

  read(chunk) {
    if (this.#leftBytes > 0) {
      arrayPush.call(this.#left, chunk);
      this.#leftBytes += chunk.length;
      if (this.#leftBytes < this.#wanted) return;
      chunk = Buffer.concat(this.#left, this.#leftBytes);
      this.#left = [];
      this.#leftBytes = 0;
    }
    let at = 0;
    while (at < chunk.length) {
      const next = this.#one(chunk, at);
      if (next < 0) {
        arrayPush.call(this.#left, at === 0 ? chunk : chunk.subarray(at));
        this.#leftBytes = chunk.length - at;
        this.#wanted = Math.max(-next, this.#leftBytes + 1);
        return;
      }
      at = next;
    }
  }

  // Where the next one begins; negative: how many bytes this one needs at least.
  #one(chunk, at) {
    const spaces = this.#spaces;
    let count = 0,
      end = at;
    for (; end < chunk.length; end++) {
      const byte = chunk[end];
      if (byte === kNewline) break;
      if (byte === kSpace && count < 5) spaces[count++] = end;
    }
    if (end === chunk.length) {
      if (end - at > kLongestLine) throw protocolError('a line without end');
      return -(end - at + 1);
    }
    const lineEnd = end > at && chunk[end - 1] === kReturn ? end - 1 : end;
    switch (chunk[at]) {
      case 77: // MSG subject sid [reply] size
        return this.#message(chunk, at, lineEnd, end + 1, count, false);
      case 72: // HMSG subject sid [reply] header-size size
        return this.#message(chunk, at, lineEnd, end + 1, count, true);
      default:
        this.#line(chunk.latin1Slice(at, lineEnd), chunk, at, lineEnd);
        return end + 1;
    }
  }

  #message(chunk, at, lineEnd, bodyAt, count, hasHeader) {
    const spaces = this.#spaces;
    const fields = hasHeader ? 4 : 3; // spaces of one without reply
    if (spaces[0] - at !== (hasHeader ? 4 : 3) || (count !== fields && count !== fields + 1)) {
      throw protocolError(`'${stringSlice.call(chunk.latin1Slice(at, lineEnd), 0, 60)}'`);
    }
    const hasReply = count === fields + 1;
    const sid = this.#number(chunk, spaces[1] + 1, spaces[2]);
    const size = this.#number(chunk, spaces[count - 1] + 1, lineEnd);
    const headerSize = hasHeader ? this.#number(chunk, spaces[count - 2] + 1, spaces[count - 1]) : 0;
    if (size > this.#limit || headerSize > size) throw protocolError(`a message of ${size} bytes, its header of ${headerSize}`);
    const end = bodyAt + size;
    if (chunk.length < end + 2) return -(end + 2 - at);
    if (chunk[end] !== kReturn || chunk[end + 1] !== kNewline) throw protocolError('a message without end');
    const replyAt = hasReply && spaces[3] > spaces[2] + 1 ? spaces[2] + 1 : 0;
    const replyEnd = replyAt === 0 ? 0 : spaces[3];
    this.#receiver.message(sid, chunk, spaces[0] + 1, spaces[1], replyAt, replyEnd, bodyAt, bodyAt + headerSize, end);
    return end + 2;
  }

  #number(chunk, at, end) {
    let value = 0;
    if (at >= end || end - at > 10) throw protocolError('a length that is no number');
    for (; at < end; at++) {
      const digit = chunk[at] - 48;
      if (!(digit >= 0 && digit <= 9)) throw protocolError('a length that is no number');
      value = value * 10 + digit;
    }
    return value;
  }

  #line(text, chunk, at, lineEnd) {
    const receiver = this.#receiver;
    if (text === 'PING') return receiver.onPing();
    if (text === 'PONG') return receiver.onPong();
    if (text === '+OK' || text === '') return undefined;
    if (stringStartsWith.call(text, 'INFO ')) return receiver.onInfo(chunk.utf8Slice(at + 5, lineEnd));
    if (stringStartsWith.call(text, '-ERR')) {
      return receiver.onError(stringTrim.call(stringReplaceAll.call(stringSlice.call(text, 4), "'", '')));
    }
    throw protocolError(`'${stringSlice.call(text, 0, 60)}'`);
  }
}

module.exports = { Parser };
