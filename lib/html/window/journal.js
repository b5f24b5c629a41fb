// natives: none
// A file of records that are only ever appended, for --storage: each with its length and a checksum before it. An appended record is there
// after the process has been killed at any moment; a record that is cut off, or after which nothing makes sense, is where the file ends.
// One process at a time may have it.
'use strict';

const fs = require('internal/fs/fs');
const { serialize, deserialize } = require('internal/v8/v8');
const { Buffer } = require('internal/buffer/buffer');

const kHead = 8; // length and checksum, little-endian
const kCompactBeyond = 1 << 20;

const frame = (value) => {
  const body = serialize(value);
  const head = Buffer.alloc(kHead);
  head.writeUInt32LE(body.length, 0);
  head.writeUInt32LE(require('internal/zlib/zlib').crc32(body), 4);
  return Buffer.concat([head, body]);
};

class Journal {
  #path;
  #fd;
  #size = 0;

  // Calls `replay` with each record of earlier runs.
  constructor(path, replay) {
    this.#path = path;
    fs.mkdirSync(require('internal/path/path').dirname(path), { recursive: true });
    this.#fd = fs.openSync(path, 'a+');
    const bytes = fs.readFileSync(path);
    for (let next = this.#read(bytes); next !== undefined; next = this.#read(bytes)) replay(next.value);
    if (this.#size < bytes.length) fs.ftruncateSync(this.#fd, this.#size);
  }

  #read(bytes) {
    if (bytes.length - this.#size < kHead) return undefined;
    const length = bytes.readUInt32LE(this.#size);
    const body = bytes.subarray(this.#size + kHead, this.#size + kHead + length);
    if (body.length !== length || require('internal/zlib/zlib').crc32(body) !== bytes.readUInt32LE(this.#size + 4)) return undefined;
    this.#size += kHead + length;
    return { value: deserialize(body) };
  }

  append(value, isStrict = false) {
    const bytes = frame(value);
    for (let written = 0; written < bytes.length; ) written += fs.writeSync(this.#fd, bytes, written);
    this.#size += bytes.length;
    if (isStrict) fs.fdatasyncSync(this.#fd);
  }

  // When the file has become long, all that is true now takes its place, at once or not at all.
  compact(values) {
    if (this.#size < kCompactBeyond) return;
    const bytes = Buffer.concat(values().map(frame));
    if (bytes.length > this.#size / 2) return;
    const next = `${this.#path}.next`;
    const fd = fs.openSync(next, 'w');
    fs.writeSync(fd, bytes);
    fs.fdatasyncSync(fd);
    fs.closeSync(fd);
    fs.renameSync(next, this.#path);
    fs.closeSync(this.#fd);
    this.#fd = fs.openSync(this.#path, 'a+');
    this.#size = bytes.length;
  }
}

module.exports = { Journal };
