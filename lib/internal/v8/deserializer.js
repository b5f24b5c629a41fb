// natives: none
// v8.Deserializer: the bytes of v8.serialize into values. Bytes are not trusted: whatever they say, the answer is a value or an Error.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { kVersion, kHeader, tags, errorTags, errorParts, regexpFlags, viewTags } = require('internal/v8/format');
const {
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');

const errorClasses = { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
const errorByTag = new Map(arrayMap.call(Object.entries(errorTags), (row) => [stringCharCodeAt.call(row[1], 0), errorClasses[row[0]]]));
const viewByTag = new Map(arrayMap.call(Object.entries(viewTags), (row) => [stringCharCodeAt.call(row[1], 0), program[row[0]]]));

function damaged() {
  return new Error('Unable to deserialize cloned data.');
}

class Deserializer {
  #bytes;
  #at = 0;
  #version = 0;
  #objects = [];
  #transferred = new Map();

  constructor(buffer) {
    const { isAnyArrayBuffer } = require('internal/util/util').types;
    if (Buffer.isBuffer(buffer)) this.#bytes = buffer;
    else if (isAnyArrayBuffer(buffer)) this.#bytes = Buffer.from(buffer);
    else if (ArrayBuffer.isView(buffer)) this.#bytes = Buffer.from(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    else throw new ERR_INVALID_ARG_TYPE('buffer', ['Buffer', 'TypedArray', 'DataView'], buffer);
    this.buffer = buffer;
  }

  // ---- bytes ----

  #byte() {
    if (this.#at >= this.#bytes.length) throw damaged();
    return this.#bytes[this.#at++];
  }
  #tag() {
    let tag = this.#byte();
    while (tag === tags.padding) tag = this.#byte();
    return tag;
  }
  #varint() {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.#byte();
      if (scale <= 2 ** 49) value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }
  #count() {
    const count = this.#varint();
    if (count > this.#bytes.length - this.#at) throw damaged();
    return count;
  }
  #raw(count) {
    if (count > this.#bytes.length - this.#at) throw damaged();
    this.#at += count;
    return bytesSubarray.call(this.#bytes, this.#at - count, this.#at);
  }
  #double() {
    return this.#raw(8).readDoubleLE(0);
  }
  #text(tag) {
    if (tag === tags.oneByte) return this.#raw(this.#varint()).toString('latin1');
    if (tag === tags.utf8) return this.#raw(this.#varint()).toString('utf8');
    if (tag !== tags.twoByte) throw damaged();
    const size = this.#varint();
    if (size % 2 === 1) throw damaged();
    return this.#raw(size).toString('utf16le');
  }
  #bigint() {
    const bits = this.#varint();
    const hex = bytesReverse.call(Buffer.from(this.#raw(Math.floor(bits / 2)))).toString('hex');
    const value = hex === '' ? 0n : BigInt(`0x${hex}`);
    return bits % 2 === 1 ? -value : value;
  }

  // ---- values ----

  readHeader() {
    if (this.#bytes[this.#at] === kHeader) {
      this.#at++;
      this.#version = this.#varint();
      if (this.#version > kVersion) throw new Error('Unable to deserialize cloned data due to invalid or unsupported version.');
    }
    return true;
  }

  getWireFormatVersion() {
    return this.#version;
  }

  readValue() {
    let tag = this.#tag();
    while (tag === tags.verifyObjectCount) {
      this.#varint();
      tag = this.#tag();
    }
    const value = this.#value(tag);
    // A view stands behind its buffer.
    if (this.#bytes[this.#at] === tags.view && value instanceof ArrayBuffer) {
      this.#at++;
      return this.#view(value);
    }
    return value;
  }

  #value(tag) {
    switch (tag) {
      case tags.undefined:
        return undefined;
      case tags.null:
        return null;
      case tags.true:
        return true;
      case tags.false:
        return false;
      case tags.int32: {
        const zigzag = this.#varint();
        return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
      }
      case tags.uint32:
        return this.#varint();
      case tags.double:
        return this.#double();
      case tags.bigint:
        return this.#bigint();
      case tags.oneByte:
      case tags.twoByte:
      case tags.utf8:
        return this.#text(tag);
      case tags.reference: {
        const id = this.#varint();
        if (id >= this.#objects.length) throw damaged();
        return this.#objects[id];
      }
      default:
        return this.#object(tag);
    }
  }

  #keep(object) {
    arrayPush.call(this.#objects, object);
    return object;
  }

  #object(tag) {
    switch (tag) {
      case tags.object:
        return this.#properties(this.#keep({}), tags.endObject);
      case tags.denseArray:
        return this.#denseArray();
      case tags.sparseArray:
        return this.#sparseArray();
      case tags.date:
        return this.#keep(new Date(this.#double()));
      case tags.trueObject:
        return this.#keep(Object(true));
      case tags.falseObject:
        return this.#keep(Object(false));
      case tags.numberObject:
        return this.#keep(Object(this.#double()));
      case tags.bigintObject:
        return this.#keep(Object(this.#bigint()));
      case tags.stringObject:
        return this.#keep(Object(this.#text(this.#tag())));
      case tags.regexp:
        return this.#regexp();
      case tags.map:
        return this.#map();
      case tags.set:
        return this.#set();
      case tags.arrayBuffer:
        return this.#keep(new Uint8Array(this.#raw(this.#varint())).buffer);
      case tags.transferredBuffer: {
        const buffer = this.#transferred.get(this.#varint());
        if (buffer === undefined) throw damaged();
        return this.#keep(buffer);
      }
      case tags.error:
        return this.#error();
      case tags.host:
        return this.#host();
      default:
        throw damaged();
    }
  }

  // Pairs until endTag, then how many there were.
  #properties(object, endTag) {
    let count = 0;
    for (let tag = this.#tag(); tag !== endTag; tag = this.#tag()) {
      const key = this.#value(tag);
      if (typeof key !== 'string' && typeof key !== 'number') throw damaged();
      Object.defineProperty(object, key, {
        __proto__: null,
        value: this.readValue(),
        writable: true,
        configurable: true,
        enumerable: true,
      });
      count++;
    }
    if (this.#varint() !== count) throw damaged();
    return object;
  }

  #denseArray() {
    const length = this.#count();
    const array = this.#keep([]);
    for (let i = 0; i < length; i++) {
      if (this.#bytes[this.#at] === tags.hole) this.#at++;
      else array[i] = this.readValue();
    }
    array.length = length;
    this.#properties(array, tags.endDenseArray);
    if (this.#varint() !== length) throw damaged();
    return array;
  }

  #sparseArray() {
    const length = this.#varint();
    if (length > 2 ** 32 - 1) throw damaged();
    const array = this.#keep([]);
    array.length = length;
    this.#properties(array, tags.endSparseArray);
    if (this.#varint() !== length) throw damaged();
    return array;
  }

  #regexp() {
    const source = this.#text(this.#tag());
    const bits = this.#varint();
    try {
      return this.#keep(
        new RegExp(
          source,
          arrayJoin.call(
            arrayFilter.call(regexpFlags, (flag, i) => flag && Math.floor(bits / 2 ** i) % 2 === 1),
            '',
          ),
        ),
      );
    } catch {
      throw damaged();
    }
  }

  #map() {
    const map = this.#keep(new program.Map());
    let count = 0;
    for (; this.#bytes[this.#at] !== tags.endMap; count += 2) Reflect.apply(Map.prototype.set, map, [this.readValue(), this.readValue()]);
    this.#at++;
    if (this.#varint() !== count) throw damaged();
    return map;
  }

  #set() {
    const set = this.#keep(new program.Set());
    let count = 0;
    for (; this.#bytes[this.#at] !== tags.endSet; count++) Reflect.apply(Set.prototype.add, set, [this.readValue()]);
    this.#at++;
    if (this.#varint() !== count) throw damaged();
    return set;
  }

  #view(buffer) {
    const View = viewByTag.get(this.#byte());
    const offset = this.#varint();
    const length = this.#varint();
    if (this.#version >= 14) this.#varint();
    if (View === undefined || offset + length > buffer.byteLength) throw damaged();
    const size = View.BYTES_PER_ELEMENT ?? 1;
    if (offset % size !== 0 || length % size !== 0) throw damaged();
    return this.#keep(new View(buffer, offset, length / size));
  }

  #error() {
    const id = this.#objects.length;
    this.#keep(undefined);
    let Class = Error;
    const found = {};
    for (let tag = this.#tag(); tag !== errorParts.end; tag = this.#tag()) {
      if (errorByTag.has(tag)) Class = errorByTag.get(tag);
      else if (tag === errorParts.message) found.message = this.#text(this.#tag());
      else if (tag === errorParts.stack) found.stack = this.#text(this.#tag());
      else if (tag === errorParts.cause) found.cause = this.readValue();
      else throw damaged();
    }
    const error = 'cause' in found ? new Class(found.message, { cause: found.cause }) : new Class(found.message);
    if (found.stack !== undefined) Object.defineProperty(error, 'stack', { value: found.stack, writable: true, configurable: true });
    this.#objects[id] = error;
    return error;
  }

  #host() {
    if (typeof this._readHostObject !== 'function') throw damaged();
    const id = this.#objects.length;
    this.#keep(undefined);
    const made = this._readHostObject();
    if (typeof made !== 'object' || made === null) throw new TypeError('readHostObject must return an object');
    this.#objects[id] = made;
    return made;
  }

  // ---- for subclasses ----

  readUint32() {
    return this.#varint() >>> 0;
  }
  readUint64() {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#byte();
      if (shift < 64n) value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return [Number((value >> 32n) & 0xffffffffn), Number(value & 0xffffffffn)];
    }
  }
  readDouble() {
    return this.#double();
  }
  readRawBytes(length) {
    return this.#raw(length >>> 0);
  }
  _readRawBytes(length) {
    this.#raw(length >>> 0);
    return this.#at - (length >>> 0);
  }
  transferArrayBuffer(id, buffer) {
    this.#transferred.set(id >>> 0, buffer);
  }
}

module.exports = { Deserializer };
