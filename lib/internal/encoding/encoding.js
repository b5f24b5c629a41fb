// natives: encoding
// TextEncoder and TextDecoder (https://encoding.spec.whatwg.org/#api). UTF-8 and UTF-16 are decoded by our own native
// code, the legacy encodings by the engine's Unicode library; this file keeps the API and the state between chunks.
'use strict';

const binding = native('encoding');
const {
  codes: { ERR_ENCODING_INVALID_ENCODED_DATA, ERR_ENCODING_NOT_SUPPORTED, ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');
const { validateObject, kValidateObjectAllowObjectsAndNull } = require('internal/util/validators');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const { kFatal, kIgnoreBom, kStream } = binding;

function badReceiver(name) {
  return new TypeError(`Receiver must be an instance of class ${name}`);
}

const written = binding.encodeIntoResults;

class TextEncoder {
  #brand = true;

  get encoding() {
    if (!(#brand in this)) throw badReceiver('TextEncoder');
    return 'utf-8';
  }

  encode(input = '') {
    if (!(#brand in this)) throw badReceiver('TextEncoder');
    return binding.encode(`${input}`);
  }

  encodeInto(src, dest) {
    if (!(#brand in this)) throw badReceiver('TextEncoder');
    if (typeof src !== 'string') throw new ERR_INVALID_ARG_TYPE('src', 'string', src);
    if (!binding.encodeInto(src, dest)) throw new ERR_INVALID_ARG_TYPE('dest', 'Uint8Array', dest);
    return { read: written[0], written: written[1] };
  }

  [kInspect](depth, options) {
    if (!(#brand in this)) throw badReceiver('TextEncoder');
    if (typeof depth === 'number' && depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    const shown = Object.create({ constructor: this.constructor === TextEncoder ? program.Object : this.constructor });
    shown.encoding = this.encoding;
    return inspect(shown, options);
  }
}

class TextDecoder {
  #encoding;
  #flags = 0;
  #pending = undefined; // UTF-8, UTF-16: what a chunk left over, and whether the BOM has been looked for
  #converter = undefined; // legacy encodings: the native converter, while a stream is under way

  constructor(encoding = 'utf-8', options = {}) {
    const label = `${encoding}`;
    validateObject(options, 'options', kValidateObjectAllowObjectsAndNull);
    const name = require('internal/encoding/labels').encodingForLabel(label);
    if (name === undefined) throw new ERR_ENCODING_NOT_SUPPORTED(label);
    this.#encoding = name;
    if (options?.fatal) this.#flags |= kFatal;
    if (options?.ignoreBOM) this.#flags |= kIgnoreBom;
  }

  get encoding() {
    if (!(#encoding in this)) throw badReceiver('TextDecoder');
    return this.#encoding;
  }

  get fatal() {
    if (!(#encoding in this)) throw badReceiver('TextDecoder');
    return (this.#flags & kFatal) !== 0;
  }

  get ignoreBOM() {
    if (!(#encoding in this)) throw badReceiver('TextDecoder');
    return (this.#flags & kIgnoreBom) !== 0;
  }

  decode(input = undefined, options = undefined) {
    if (!(#encoding in this)) throw badReceiver('TextDecoder');
    if (options !== undefined) validateObject(options, 'options', kValidateObjectAllowObjectsAndNull);
    const stream = Boolean(options?.stream);
    if (input !== undefined && !ArrayBuffer.isView(input) && !binding.isAnyArrayBuffer(input)) {
      const error = new ERR_INVALID_ARG_TYPE('list', ['SharedArrayBuffer', 'ArrayBuffer', 'ArrayBufferView'], input);
      error.message = 'The "list" argument must be an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView.';
      throw error;
    }
    if (this.#encoding === 'utf-8' && !stream && this.#pending === undefined) {
      return this.#checked(binding.decodeUtf8(input, this.#flags, undefined));
    }
    return this.#decodeChunk(input, stream);
  }

  #decodeChunk(input, stream) {
    const flags = this.#flags | (stream ? kStream : 0);
    switch (this.#encoding) {
      case 'utf-8':
        this.#pending ??= new Uint8Array(8);
        return this.#finish(binding.decodeUtf8(input, flags, this.#pending), stream);
      case 'utf-16le':
      case 'utf-16be':
        this.#pending ??= new Uint8Array(8);
        return this.#finish(binding.decodeUtf16(input, flags, this.#pending, this.#encoding === 'utf-16be'), stream);
      case 'x-user-defined':
        return binding.decodeUserDefined(input);
      default:
        return this.#decodeLegacy(input, flags, stream);
    }
  }

  #decodeLegacy(input, flags, stream) {
    if (this.#converter === undefined) {
      this.#converter = binding.openConverter(this.#encoding, flags);
      if (this.#converter === undefined) throw new ERR_ENCODING_NOT_SUPPORTED(this.#encoding);
    }
    const text = this.#converter.decode(input, stream);
    // An error ends every state but that of iso-2022-jp, where escapes have set it.
    const isOver = !stream || (text === undefined && this.#encoding !== 'iso-2022-jp');
    if (isOver) this.#converter = undefined;
    return this.#checked(text);
  }

  #finish(text, stream) {
    if (!stream || text === undefined) this.#pending = undefined;
    return this.#checked(text);
  }

  // The native half answers undefined to data it could not decode.
  #checked(text) {
    if (text === undefined) throw new ERR_ENCODING_INVALID_ENCODED_DATA(this.#encoding, undefined);
    return text;
  }

  [kInspect](depth, options) {
    if (!(#encoding in this)) throw badReceiver('TextDecoder');
    if (typeof depth === 'number' && depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    const shown = { encoding: this.encoding, fatal: this.fatal, ignoreBOM: this.ignoreBOM };
    return `${this.constructor.name} ${inspect(shown, options)}`;
  }
}

function finishClass(Class, names) {
  for (const name of each(names)) Object.defineProperty(Class.prototype, name, { enumerable: true });
  Object.defineProperty(Class.prototype, Symbol.toStringTag, {
    configurable: true,
    enumerable: false,
    writable: false,
    value: Class.name,
  });
}

finishClass(TextEncoder, ['encoding', 'encode', 'encodeInto']);
finishClass(TextDecoder, ['decode', 'encoding', 'fatal', 'ignoreBOM']);

module.exports = { TextEncoder, TextDecoder, encodeText: binding.encode };
