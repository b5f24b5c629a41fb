// natives: none
// Frames of the WebSocket protocol as a debugger's client sends and gets them (RFC 6455, 5.2): whole text messages, masked by the client,
// without extensions.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { codes } = require('internal/errors/coded');
const { randomBytes } = require('internal/crypto/crypto');

const kFinal = 0x80;
const kReserved = 0x70;
const kText = 1;
const kClose = 8;
const kPing = 9;
const kPong = 10;
const kMasked = 0x80;
const kLengthIn2Bytes = 126;
const kLengthIn8Bytes = 127;

function encodeFrame(opcode, payload) {
  const { length } = payload;
  const lengthBytes = length < kLengthIn2Bytes ? 0 : length <= 0xffff ? 2 : 8;
  const start = 2 + lengthBytes + 4;
  const frame = Buffer.allocUnsafe(start + length);
  frame[0] = kFinal | opcode;
  frame[1] = kMasked | (lengthBytes === 0 ? length : lengthBytes === 2 ? kLengthIn2Bytes : kLengthIn8Bytes);
  if (lengthBytes === 2) frame.writeUInt16BE(length, 2);
  if (lengthBytes === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  const mask = randomBytes(4);
  bytesSet.call(frame, mask, start - 4);
  for (let i = 0; i < length; i++) frame[start + i] = payload[i] ^ mask[i % 4];
  return frame;
}

// Takes what a socket brings, in any pieces; gives { opcode, payload } for each whole frame.
class FrameReader {
  #bytes = Buffer.alloc(0);

  add(chunk) {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
  }

  // Undefined until a frame is whole.
  next() {
    const bytes = this.#bytes;
    if (bytes.length < 2) return undefined;
    const opcode = bytes[0] & 0x0f;
    if ((bytes[0] & kFinal) === 0 || (bytes[0] & kReserved) !== 0)
      throw new codes.ERR_DEBUGGER_ERROR('Fragments and extensions of the WebSocket protocol are not supported');
    if ((bytes[1] & kMasked) !== 0) throw new codes.ERR_DEBUGGER_ERROR('Masked server frame - not supported');
    let length = bytes[1];
    let start = 2;
    if (length === kLengthIn2Bytes) {
      if (bytes.length < 4) return undefined;
      length = bytes.readUInt16BE(2);
      start = 4;
    } else if (length === kLengthIn8Bytes) {
      if (bytes.length < 10) return undefined;
      length = Number(bytes.readBigUInt64BE(2));
      start = 10;
    }
    if (bytes.length < start + length) return undefined;
    this.#bytes = bytes.subarray(start + length);
    return { opcode, payload: bytes.subarray(start, start + length) };
  }
}

module.exports = { FrameReader, encodeFrame, kClose, kPing, kPong, kText };
