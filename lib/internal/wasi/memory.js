// natives: none
// The memory of a WebAssembly instance as WASI's functions read and write it. A place outside of it is an EOVERFLOW, as Node answers.
'use strict';

const { errors } = require('internal/wasi/constants');
const { WasiError } = require('internal/wasi/error');

class Memory {
  #memory;
  #bytes;

  constructor(memory) {
    this.#memory = memory;
  }

  // Growing replaces the buffer.
  #at(at, size) {
    const { buffer } = this.#memory;
    if (this.#bytes?.buffer !== buffer) this.#bytes = new Uint8Array(buffer);
    if (at + size > this.#bytes.length) throw new WasiError(errors.EOVERFLOW);
    return this.#bytes;
  }

  // For a function that writes its answer last: nothing is done when there is no room for it.
  check(at, size) {
    this.#at(at, size);
  }

  bytes(at, size) {
    return bytesSubarray.call(this.#at(at, size), at, at + size);
  }

  text(at, size) {
    const { Buffer } = require('internal/buffer/buffer');
    const text = Buffer.from(this.bytes(at, size)).toString('utf8'); // a copy: the memory may be shared
    if (stringIncludes.call(text, '\0')) throw new WasiError(errors.EILSEQ);
    return text;
  }

  u8(at) {
    return this.#at(at, 1)[at];
  }
  u16(at) {
    const bytes = this.#at(at, 2);
    return bytes[at] | (bytes[at + 1] << 8);
  }
  u32(at) {
    const bytes = this.#at(at, 4);
    return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
  }
  u64(at) {
    return BigInt(this.u32(at)) | (BigInt(this.u32(at + 4)) << 32n);
  }
  setU8(at, value) {
    this.#at(at, 1)[at] = value;
  }
  setU16(at, value) {
    const bytes = this.#at(at, 2);
    bytes[at] = value;
    bytes[at + 1] = value >>> 8;
  }
  setU32(at, value) {
    const bytes = this.#at(at, 4);
    for (let i = 0; i < 4; i++) bytes[at + i] = value >>> (8 * i);
  }
  setU64(at, value) {
    this.#at(at, 8);
    const bits = BigInt.asUintN(64, value);
    this.setU32(at, Number(bits & 0xffffffffn));
    this.setU32(at + 4, Number(bits >> 32n));
  }

  // The parts of memory that a list of { pointer, length } names.
  vectors(at, count) {
    const list = [];
    for (let i = 0; i < count; i++) arrayPush.call(list, this.bytes(this.u32(at + 8 * i), this.u32(at + 8 * i + 4)));
    return list;
  }
}

module.exports = { Memory };
