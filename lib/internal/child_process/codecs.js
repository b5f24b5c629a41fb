// natives: none
// How messages travel between processes: as lines of JSON, or ('advanced') as serialized values, each behind its length.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
class JsonCodec {
  #decoder = new (require('internal/buffer/string_decoder').StringDecoder)('utf8');
  #rest = '';

  encode(message) {
    return Buffer.from(`${JSON.stringify(message)}\n`);
  }

  *read(chunk) {
    const text = this.#rest + this.#decoder.write(chunk);
    let start = 0;
    for (let end = stringIndexOf.call(text, '\n'); end !== -1; end = stringIndexOf.call(text, '\n', start)) {
      const line = stringSlice.call(text, start, end);
      start = end + 1;
      this.#rest = stringSlice.call(text, start);
      yield JSON.parse(line);
    }
    this.#rest = stringSlice.call(text, start);
  }
}

const kLengthSize = 4;

class AdvancedCodec {
  #pieces = [];
  #size = 0;

  encode(message) {
    const body = requireLater('internal/v8/v8').serialize(message);
    const bytes = Buffer.allocUnsafe(kLengthSize + body.length);
    bytes.writeUInt32BE(body.length, 0);
    bytesSet.call(bytes, body, kLengthSize);
    return bytes;
  }

  *read(chunk) {
    arrayPush.call(this.#pieces, chunk);
    this.#size += chunk.length;
    while (this.#size >= kLengthSize) {
      let bytes = this.#pieces.length === 1 ? this.#pieces[0] : undefined;
      if (bytes === undefined && this.#pieces[0].length >= kLengthSize && this.#size < kLengthSize + this.#pieces[0].readUInt32BE(0))
        return;
      bytes ??= Buffer.concat(this.#pieces);
      this.#pieces = [bytes];
      const end = kLengthSize + bytes.readUInt32BE(0);
      if (bytes.length < end) return;
      const body = bytes.subarray(kLengthSize, end);
      this.#pieces = end === bytes.length ? [] : [bytes.subarray(end)];
      this.#size -= end;
      yield requireLater('internal/v8/v8').deserialize(body);
    }
  }
}

function codecOf(mode) {
  return mode === 'advanced' ? new AdvancedCodec() : new JsonCodec();
}

module.exports = { codecOf };
