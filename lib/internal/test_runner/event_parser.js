// natives: none
// The output of a file's process: events (internal/test_runner/reporter/serialized) among text that the file printed.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { DefaultDeserializer, DefaultSerializer } = require('internal/v8/v8');

const kLengthBytes = 4;

let header;
function getHeader() {
  if (header === undefined) {
    const serializer = new DefaultSerializer();
    serializer.writeHeader();
    header = serializer.releaseBuffer();
  }
  return header;
}

class EventParser {
  #rest = Buffer.alloc(0);
  #onEvent;
  #onText;

  constructor(onEvent, onText) {
    this.#onEvent = onEvent;
    this.#onText = onText;
  }

  write(bytes) {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    this.#parse(false);
  }

  // Nothing more comes: an unfinished event is text too.
  end() {
    this.#parse(true);
  }

  #parse(isEnd) {
    const start = getHeader();
    while (this.#rest.length > 0) {
      const found = this.#find(start);
      if (found !== 0) {
        const length = found < 0 ? this.#rest.length - (isEnd ? 0 : this.#partialHeader(start)) : found;
        if (length === 0) return;
        this.#takeText(length);
      } else if (!this.#takeEvent(start.length)) {
        if (!isEnd) return;
        this.#takeText(1);
      }
    }
  }

  // Where the next header begins, or -1.
  #find(start) {
    let at = -1;
    while ((at = bytesIndexOf.call(this.#rest, start[0], at + 1)) >= 0) {
      if (this.#rest[at + 1] === start[1]) return at;
    }
    return -1;
  }

  // How many bytes at the end may be the beginning of a header.
  #partialHeader(start) {
    return this.#rest[this.#rest.length - 1] === start[0] ? 1 : 0;
  }

  #takeText(length) {
    const text = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    this.#onText(text);
  }

  // False: it is not whole yet, or none.
  #takeEvent(headerLength) {
    const begin = headerLength + kLengthBytes;
    if (this.#rest.length < begin) return false;
    const end = begin + this.#rest.readUInt32BE(headerLength);
    if (this.#rest.length < end) return false;
    const deserializer = new DefaultDeserializer(this.#rest.subarray(begin, end));
    this.#rest = this.#rest.subarray(end);
    deserializer.readHeader();
    this.#onEvent(deserializer.readValue());
    return true;
  }
}

module.exports = { EventParser };
