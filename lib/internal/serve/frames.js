// natives: serve
// Frames of RFC 6455 as a server sends and reads them: masks, fragments, control frames between them, limits, valid UTF-8.
'use strict';

const { mask } = native('serve');
const { Buffer } = require('internal/buffer/buffer');

const kContinuation = 0;
const kText = 1;
const kBinary = 2;
const kClose = 8;
const kPing = 9;
const kPong = 10;

// Codes that end a connection: protocol error, not UTF-8, too big.
const kProtocol = 1002;
const kNotUtf8 = 1007;
const kTooBig = 1009;

// The head of a frame, as text in Latin-1. Servers do not mask.
function frame(kind, length) {
  const first = String.fromCharCode(0x80 | kind);
  if (length < 126) return first + String.fromCharCode(length);
  if (length < 65536) return first + String.fromCharCode(126, length >> 8, length & 0xff);
  const high = Math.floor(length / 0x100000000);
  const low = length >>> 0;
  return (
    first + String.fromCharCode(127, 0, 0, (high >> 8) & 0xff, high & 0xff, low >>> 24, (low >> 16) & 0xff, (low >> 8) & 0xff, low & 0xff)
  );
}

function isSendableCode(code) {
  return (code >= 1000 && code <= 1014 && code !== 1004 && code !== 1005 && code !== 1006) || (code >= 3000 && code <= 4999);
}

function closePayload(code, reason) {
  if (code === undefined) return Buffer.alloc(0);
  let text = Buffer.from(reason);
  if (text.length > 123) text = text.subarray(0, 123);
  const payload = Buffer.alloc(2 + text.length);
  payload.writeUInt16BE(code, 0);
  bytesSet.call(payload, text, 2);
  return payload;
}

let decoder;
function decode(bytes) {
  decoder ??= new (require('internal/encoding/encoding').TextDecoder)('utf-8', { fatal: true, ignoreBOM: true });
  return decoder.decode(bytes);
}

class FrameReader {
  // onFrame(kind, payload): a text, bytes, or { code, reason } of a close; false: nothing more is wanted.
  constructor(limit, onFrame) {
    this.limit = limit;
    this.onFrame = onFrame;
    this.pieces = [];
    this.size = 0;
    this.parts = []; // of a message in fragments
    this.partsSize = 0;
    this.kind = 0; // of that message; 0: none is under way
  }

  // undefined, or the code of what is wrong.
  feed(bytes) {
    arrayPush.call(this.pieces, bytes);
    this.size += bytes.length;
    for (;;) {
      const head = this.#head();
      if (head === undefined) return undefined;
      if (typeof head === 'number') return head;
      if (this.size < head.size + head.length) return undefined;
      const all = this.#take(head.size + head.length);
      mask(all, head.size, all.length, all.readUInt32BE(head.size - 4));
      const result = this.#frame(head, all.subarray(head.size));
      if (result !== true) return result === false ? undefined : result;
    }
  }

  // The first `length` bytes as one piece, without taking them.
  #peek(length) {
    if (this.pieces[0].length < length && this.pieces.length > 1) this.pieces = [Buffer.concat(this.pieces)];
    return this.pieces[0];
  }
  #take(length) {
    if (this.pieces.length > 1 && this.pieces[0].length < length) this.pieces = [Buffer.concat(this.pieces)];
    const first = this.pieces[0];
    this.size -= length;
    if (first.length === length) arrayShift.call(this.pieces);
    else this.pieces[0] = first.subarray(length);
    return first.subarray(0, length);
  }

  #head() {
    if (this.size < 2) return undefined;
    let bytes = this.#peek(2);
    const kind = bytes[0] & 0x0f;
    const isFinal = (bytes[0] & 0x80) !== 0;
    let length = bytes[1] & 0x7f;
    if ((bytes[0] & 0x70) !== 0 || (bytes[1] & 0x80) === 0) return kProtocol;
    if (kind > kBinary && (kind < kClose || kind > kPong || !isFinal || length > 125)) return kProtocol;
    if (kind === kContinuation ? this.kind === 0 : kind <= kBinary && this.kind !== 0) return kProtocol;
    const size = 6 + (length === 126 ? 2 : length === 127 ? 8 : 0);
    if (this.size < size) return undefined;
    bytes = this.#peek(size);
    if (length === 126) length = bytes.readUInt16BE(2);
    else if (length === 127) length = bytes.readUInt32BE(2) * 0x100000000 + bytes.readUInt32BE(6);
    if (kind < kClose && length + this.partsSize > this.limit) return kTooBig;
    return { kind, isFinal, length, size };
  }

  #frame({ kind, isFinal }, payload) {
    if (kind === kClose) return this.#close(payload);
    if (kind >= kPing) return this.onFrame(kind, Buffer.from(payload));
    if (kind !== kContinuation) this.kind = kind;
    if (!isFinal) {
      arrayPush.call(this.parts, payload);
      this.partsSize += payload.length;
      return true;
    }
    const whole = this.parts.length === 0 ? payload : Buffer.concat([...each(this.parts), payload]);
    const messageKind = this.kind;
    this.parts = [];
    this.partsSize = this.kind = 0;
    if (messageKind === kBinary) return this.onFrame(kBinary, Buffer.from(whole));
    let text;
    try {
      text = decode(whole);
    } catch {
      return kNotUtf8;
    }
    return this.onFrame(kText, text);
  }

  #close(payload) {
    if (payload.length === 0) return this.onFrame(kClose, { code: 1005, reason: '' });
    if (payload.length === 1) return kProtocol;
    const code = payload.readUInt16BE(0);
    if (!isSendableCode(code)) return kProtocol;
    try {
      return this.onFrame(kClose, { code, reason: decode(payload.subarray(2)) });
    } catch {
      return kNotUtf8;
    }
  }
}

module.exports = { FrameReader, frame, closePayload, isSendableCode, kText, kBinary, kClose, kPing, kPong };
