// natives: buffer
// Blob and File (https://w3c.github.io/FileAPI/), object URLs and resolveObjectURL. A blob is a list of parts, each a
// piece of immutable memory or a range of a file on disk; slices share parts and copy nothing.
'use strict';

const { utf8Slice } = native('buffer');
const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_STATE, ERR_INVALID_THIS, ERR_MISSING_ARGS },
} = require('internal/errors/coded');
const { validateDictionary, validateOneOf } = require('internal/util/validators');
const { kClone, kDeserialize } = require('internal/symbols/messaging');

const kMake = Symbol('make');
const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kChunk = 65536;

class MemoryPart {
  constructor(bytes) {
    this.bytes = bytes;
  }

  get size() {
    return this.bytes.length;
  }

  slice(start, end) {
    return new MemoryPart(bytesSubarray.call(this.bytes, start, end));
  }

  read(start, end) {
    return bytesSubarray.call(this.bytes, start, end);
  }
}

// A range of a file as it was when the blob was made; a file that changed since cannot be read.
class FilePart {
  constructor(path, start, size, stamp) {
    this.path = path;
    this.start = start;
    this.size = size;
    this.stamp = stamp;
  }

  slice(start, end) {
    return new FilePart(this.path, this.start + start, end - start, this.stamp);
  }

  async read(start, end) {
    const { open } = requireLater('internal/fs/promises').exports;
    const { DOMException } = require('internal/errors/dom_exception');
    let file;
    try {
      file = await open(this.path, 'r');
      const { mtimeMs, size } = await file.stat();
      if (mtimeMs !== this.stamp.mtimeMs || size !== this.stamp.size) throw new Error('changed');
      const bytes = new Uint8Array(end - start);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, this.start + start);
      return bytesSubarray.call(bytes, 0, bytesRead);
    } catch (error) {
      throw new DOMException('The blob could not be read', { name: 'NotReadableError', cause: error });
    } finally {
      await file?.close();
    }
  }
}

let partsOf, isBlob, setParts;

function copyBytes(view) {
  const bytes = ArrayBuffer.isView(view) ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength) : new Uint8Array(view);
  return bytesSlice.call(bytes);
}

function isAnyArrayBuffer(value) {
  return native('buffer').isAnyArrayBuffer(value);
}

function toParts(source, endings) {
  if (isBlob(source)) return partsOf(source);
  if (ArrayBuffer.isView(source) || isAnyArrayBuffer(source)) return [new MemoryPart(copyBytes(source))];
  let text = `${source}`;
  if (endings === 'native') text = replaceMatches(text, /\r\n|\r|\n/g, '\n');
  return [new MemoryPart(require('internal/encoding/encoding').encodeText(text))];
}

function normalizeType(type) {
  type = `${type}`;
  return regexpTest.call(/[^\u0020-\u007e]/, type) ? '' : stringToLowerCase.call(type);
}

function clampIndex(value, size, fallback) {
  if (value === undefined) return fallback;
  value = Math.trunc(Number(value)) || 0;
  return value < 0 ? Math.max(size + value, 0) : Math.min(value, size);
}

function sliceParts(parts, start, end) {
  const result = [];
  let at = 0;
  for (const part of each(parts)) {
    const from = Math.max(start - at, 0),
      to = Math.min(end - at, part.size);
    if (from < to) arrayPush.call(result, part.slice(from, to));
    at += part.size;
  }
  return result;
}

async function readAll(parts, size) {
  const out = new Uint8Array(size);
  let at = 0;
  for (const part of each(parts)) {
    const bytes = await part.read(0, part.size);
    bytesSet.call(out, bytes, at);
    at += bytes.length;
  }
  return out;
}

class Blob {
  #parts;
  #size = 0;
  #type = '';

  constructor(sources = [], options = undefined) {
    if (sources === kMake) {
      this.#adopt(options.parts, options.type);
      return;
    }
    const isObject = typeof sources === 'object' && sources !== null;
    if ((!isObject && typeof sources !== 'function') || typeof sources[Symbol.iterator] !== 'function') {
      throw Object.assign(new ERR_INVALID_ARG_TYPE('sources', 'a sequence', sources), {
        message: 'Value cannot be converted to sequence.',
      });
    }
    validateDictionary(options, 'options');
    let type = '',
      endings = 'transparent';
    if (options?.endings !== undefined) endings = `${options.endings}`;
    validateOneOf(endings, 'options.endings', ['transparent', 'native']);
    if (options?.type !== undefined) type = normalizeType(options.type);
    const parts = [];
    for (const source of each(sources)) arrayPush.call(parts, ...each(toParts(source, endings)));
    this.#adopt(parts, type);
  }

  #adopt(parts, type) {
    this.#parts = parts;
    this.#type = type;
    this.#size = arrayReduce.call(parts, (sum, part) => sum + part.size, 0);
    require('internal/messaging/structured_clone').markTransferMode(this, true, false);
  }

  static {
    isBlob = (value) => typeof value === 'object' && value !== null && #parts in value;
    partsOf = (blob) => blob.#parts;
    setParts = (blob, parts, type) => blob.#adopt(parts, type);
  }

  get size() {
    if (!isBlob(this)) throw new ERR_INVALID_THIS('Blob');
    return this.#size;
  }

  get type() {
    if (!isBlob(this)) throw new ERR_INVALID_THIS('Blob');
    return this.#type;
  }

  slice(start = 0, end = this.size, contentType = this.type) {
    if (!isBlob(this)) throw new ERR_INVALID_THIS('Blob');
    const from = clampIndex(start, this.#size, 0),
      to = clampIndex(end, this.#size, this.#size);
    const type = arguments.length < 3 ? '' : normalizeType(contentType);
    return new Blob(kMake, { parts: from < to ? sliceParts(this.#parts, from, to) : [], type });
  }

  async arrayBuffer() {
    if (!isBlob(this)) throw new ERR_INVALID_THIS('Blob');
    return (await readAll(this.#parts, this.#size)).buffer;
  }

  async bytes() {
    if (!isBlob(this)) throw new ERR_INVALID_THIS('Blob');
    return readAll(this.#parts, this.#size);
  }

  async text() {
    if (!isBlob(this)) throw new ERR_INVALID_THIS('Blob');
    const bytes = await readAll(this.#parts, this.#size);
    const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    return call2(utf8Slice, bytes, hasBom ? 3 : 0, bytes.length);
  }

  stream() {
    if (!isBlob(this)) throw new ERR_INVALID_THIS('Blob');
    const { ReadableStream } = require('internal/webstreams/readable_stream');
    const parts = this.#parts;
    let index = 0,
      at = 0;
    return new ReadableStream({
      type: 'bytes',
      async pull(controller) {
        while (index < parts.length && at >= parts[index].size) {
          // Reading nothing still finds out whether the file is what it was.
          if (parts[index].size === 0) await parts[index].read(0, 0);
          index++;
          at = 0;
        }
        if (index === parts.length) {
          controller.close();
          controller.byobRequest?.respond(0);
          return;
        }
        const end = Math.min(at + kChunk, parts[index].size);
        const bytes = await parts[index].read(at, end);
        at = end;
        controller.enqueue(new Uint8Array(bytes));
      },
    });
  }

  textStream() {
    if (!isBlob(this)) throw new ERR_INVALID_THIS('Blob');
    const { TextDecoderStream } = require('internal/webstreams/encoding');
    return this.stream().pipeThrough(new TextDecoderStream());
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    return `Blob ${inspect(
      { size: this.size, type: this.type },
      {
        ...options,
        depth: options.depth == null ? null : options.depth - 1,
      },
    )}`;
  }

  [kClone]() {
    return { data: describe(this), deserializeInfo: 'internal/webstreams/blob:ClonedBlob' };
  }

  [kDeserialize](data) {
    setParts(
      this,
      arrayMap.call(data.parts, (bytes) => new MemoryPart(bytes)),
      data.type,
    );
  }
}

// Parts as plain data, for structured clone.
function describe(blob) {
  const parts = arrayMap.call(partsOf(blob), (part) => {
    if (part instanceof FilePart) throw new ERR_INVALID_STATE('File-backed Blobs are not cloneable');
    return bytesSlice.call(part.bytes);
  });
  return { parts, type: blob.type };
}

function finish(Class, names) {
  for (const name of each(names)) Object.defineProperty(Class.prototype, name, { enumerable: true });
  Object.defineProperty(Class.prototype, Symbol.toStringTag, {
    configurable: true,
    enumerable: false,
    writable: false,
    value: Class.name,
  });
}

finish(Blob, ['size', 'type', 'slice', 'stream', 'text', 'textStream', 'arrayBuffer', 'bytes']);

let isFile;

class File extends Blob {
  #name = '';
  #lastModified = 0;

  constructor(fileBits, fileName, options = undefined) {
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('fileBits', 'fileName');
    super(fileBits, fileBits === kMake ? fileName : options);
    if (fileBits === kMake) return;
    this.#name = stringToWellFormed.call(`${fileName}`);
    const modified = options?.lastModified;
    this.#lastModified = modified === undefined ? Date.now() : toLongLong(modified);
  }

  static {
    isFile = (value) => typeof value === 'object' && value !== null && #name in value;
  }

  get name() {
    if (!isFile(this)) throw new TypeError('Illegal invocation');
    return this.#name;
  }

  get lastModified() {
    if (!isFile(this)) throw new TypeError('Illegal invocation');
    return this.#lastModified;
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    return `File ${inspect(
      {
        size: this.size,
        type: this.type,
        name: this.#name,
        lastModified: this.#lastModified,
      },
      { ...options, depth: options.depth == null ? null : options.depth - 1 },
    )}`;
  }

  [kClone]() {
    return {
      data: { ...describe(this), name: this.#name, lastModified: this.#lastModified },
      deserializeInfo: 'internal/webstreams/blob:ClonedFile',
    };
  }

  [kDeserialize](data) {
    super[kDeserialize](data);
    this.#name = data.name;
    this.#lastModified = data.lastModified;
  }
}

finish(File, ['name', 'lastModified']);

function toLongLong(value) {
  if (typeof value === 'bigint') throw new TypeError('Cannot convert a BigInt value to a number');
  return Math.trunc(Number(value)) || 0;
}

function ClonedBlob() {
  return new Blob();
}

function ClonedFile() {
  return new File(kMake, { parts: [], type: '' });
}

// --- object URLs

const objectUrls = new Map();

function randomId() {
  const hex = (digits) =>
    arrayJoin.call(
      Array.from({ length: digits }, () => numberToString.call(Math.floor(Math.random() * 16), 16)),
      '',
    );
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
}

function createObjectURL(object) {
  if (!isBlob(object)) throw new ERR_INVALID_ARG_TYPE('obj', 'Blob', object);
  const id = randomId();
  objectUrls.set(id, object);
  return `blob:nodedata:${id}`;
}

function idOf(url) {
  const match = regexpExec.call(/^blob:nodedata:([0-9a-f-]+)$/, url);
  return match === null ? undefined : match[1];
}

function revokeObjectURL(url) {
  objectUrls.delete(idOf(url));
}

function resolveObjectURL(url) {
  const blob = objectUrls.get(idOf(`${url}`));
  return blob === undefined ? undefined : new Blob(kMake, { parts: partsOf(blob), type: blob.type });
}

// fs.openAsBlob: nothing is read until somebody asks.
function blobOfFile(path, type, { size, mtimeMs }) {
  return new Blob(kMake, { parts: [new FilePart(path, 0, size, { size, mtimeMs })], type });
}

module.exports = {
  Blob,
  File,
  ClonedBlob,
  ClonedFile,
  blobOfFile,
  createObjectURL,
  isBlob,
  isFile,
  resolveObjectURL,
  revokeObjectURL,
};
