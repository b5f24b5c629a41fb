// natives: none
// TextEncoderStream and TextDecoderStream.
// https://encoding.spec.whatwg.org/#interface-textencoderstream
'use strict';

const { TextDecoder, TextEncoder } = require('internal/encoding/encoding');
const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_THIS },
} = require('internal/errors/coded');
const { inspectAs, finishInterface, kInspect } = require('internal/webstreams/shared');
const { TransformStream } = require('internal/webstreams/transform_stream');

class TextEncoderStream {
  #encoder = new TextEncoder();
  #transform;

  constructor() {
    let pending = ''; // a high surrogate whose other half may come in the next chunk
    this.#transform = new TransformStream({
      transform: (chunk, controller) => {
        let text = pending + String(chunk);
        pending = '';
        const last = stringCharCodeAt.call(text, text.length - 1);
        if (last >= 0xd800 && last <= 0xdbff) {
          pending = stringSlice.call(text, -1);
          text = stringSlice.call(text, 0, -1);
        }
        // Surrogates without a partner become U+FFFD in encode().
        if (text !== '') controller.enqueue(this.#encoder.encode(text));
      },
      flush: (controller) => {
        if (pending !== '') controller.enqueue(new Uint8Array([0xef, 0xbf, 0xbd]));
      },
    });
  }

  get encoding() {
    return this.#encoder.encoding;
  }
  get readable() {
    return this.#transform.readable;
  }
  get writable() {
    return this.#transform.writable;
  }

  [kInspect](depth, options, inspect) {
    if (this == null) throw new ERR_INVALID_THIS('TextEncoderStream');
    return inspectAs(this, depth, options, inspect, 'TextEncoderStream', {
      encoding: this.encoding,
      readable: this.readable,
      writable: this.writable,
    });
  }
}
finishInterface(TextEncoderStream, ['encoding', 'readable', 'writable']);

class TextDecoderStream {
  #decoder;
  #transform;

  constructor(encoding = 'utf-8', options = {}) {
    this.#decoder = new TextDecoder(encoding, options);
    this.#transform = new TransformStream({
      transform: (chunk, controller) => {
        if (chunk === undefined) throw new ERR_INVALID_ARG_TYPE('chunk', 'string', chunk);
        const text = this.#decoder.decode(chunk, { stream: true });
        if (text) controller.enqueue(text);
      },
      flush: (controller) => {
        const text = this.#decoder.decode();
        if (text) controller.enqueue(text);
      },
    });
  }

  get encoding() {
    return this.#decoder.encoding;
  }
  get fatal() {
    return this.#decoder.fatal;
  }
  get ignoreBOM() {
    return this.#decoder.ignoreBOM;
  }
  get readable() {
    return this.#transform.readable;
  }
  get writable() {
    return this.#transform.writable;
  }

  [kInspect](depth, options, inspect) {
    if (this == null) throw new ERR_INVALID_THIS('TextDecoderStream');
    const { encoding, fatal, ignoreBOM, readable, writable } = this;
    return inspectAs(this, depth, options, inspect, 'TextDecoderStream', { encoding, fatal, ignoreBOM, readable, writable });
  }
}
finishInterface(TextDecoderStream, ['encoding', 'fatal', 'ignoreBOM', 'readable', 'writable']);

module.exports = { TextEncoderStream, TextDecoderStream };
