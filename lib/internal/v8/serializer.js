// natives: none
// v8.Serializer: values into bytes, in the format that Node's processes exchange. Its own hooks (_writeHostObject and the rest) are
// methods that subclasses replace.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { kVersion, kHeader, tags, errorTags, errorParts, regexpFlags, viewTags } = require('internal/v8/format');

const isIndex = (key) => regexpTest.call(/^(?:0|[1-9]\d{0,9})$/, key) && Number(key) < 2 ** 32 - 1;
const brand = (value) => stringSlice.call(objectToString.call(value), 8, -1);

function types() {
  return require('internal/util/util').types;
}

class Serializer {
  #bytes = Buffer.allocUnsafe(256);
  #at = 0;
  #ids = new Map();
  #transferred = new Map();
  #viewsAreHosts = false;

  // ---- bytes ----

  #room(count) {
    if (this.#at + count <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#at + count));
    this.#bytes.copy(grown, 0, 0, this.#at);
    this.#bytes = grown;
  }
  #byte(value) {
    this.#room(1);
    this.#bytes[this.#at++] = value;
  }
  #varint(value) {
    while (value >= 0x80) {
      this.#byte((value % 0x80) | 0x80);
      value = Math.floor(value / 0x80);
    }
    this.#byte(value);
  }
  #raw(view) {
    this.#room(view.length);
    bytesSet.call(this.#bytes, view, this.#at);
    this.#at += view.length;
  }
  #double(value) {
    this.#room(8);
    this.#bytes.writeDoubleLE(value, this.#at);
    this.#at += 8;
  }
  #string(text) {
    let isNarrow = true;
    for (let i = 0; i < text.length && isNarrow; i++) isNarrow = stringCharCodeAt.call(text, i) < 0x100;
    if (isNarrow) {
      this.#byte(tags.oneByte);
      this.#varint(text.length);
      this.#raw(Buffer.from(text, 'latin1'));
      return;
    }
    const bytes = Buffer.from(text, 'utf16le');
    // Two-byte text starts at an even place.
    let size = 1;
    for (let rest = bytes.length; rest >= 0x80; rest >>>= 7) size++;
    if ((this.#at + 1 + size) % 2 === 1) this.#byte(tags.padding);
    this.#byte(tags.twoByte);
    this.#varint(bytes.length);
    this.#raw(bytes);
  }
  #bigint(value) {
    const isNegative = value < 0n;
    let hex = bigintToString.call(isNegative ? -value : value, 16);
    if (value === 0n) hex = '';
    const length = Math.ceil(hex.length / 16) * 8;
    this.#varint(length * 2 + (isNegative ? 1 : 0));
    this.#raw(bytesReverse.call(Buffer.from(stringPadStart.call(hex, length * 2, '0'), 'hex')));
  }

  // ---- values ----

  writeHeader() {
    this.#byte(kHeader);
    this.#byte(kVersion);
  }

  writeValue(value) {
    switch (typeof value) {
      case 'undefined':
        this.#byte(tags.undefined);
        break;
      case 'boolean':
        this.#byte(value ? tags.true : tags.false);
        break;
      case 'number':
        this.#number(value);
        break;
      case 'bigint':
        this.#byte(tags.bigint);
        this.#bigint(value);
        break;
      case 'string':
        this.#string(value);
        break;
      case 'object':
        if (value === null) this.#byte(tags.null);
        else this.#object(value);
        break;
      default:
        this.#refuse(value);
    }
    return true;
  }

  #number(value) {
    if (Number.isInteger(value) && !Object.is(value, -0) && value >= -(2 ** 31) && value < 2 ** 31) {
      this.#byte(tags.int32);
      this.#varint(value >= 0 ? value * 2 : -value * 2 - 1);
    } else {
      this.#byte(tags.double);
      this.#double(value);
    }
  }

  #refuse(value) {
    const shown = typeof value === 'object' ? `#<${value.constructor?.name ?? 'Object'}>` : String(value);
    const DataCloneError = this._getDataCloneError ?? Error;
    throw new DataCloneError(`${shown} could not be cloned.`);
  }

  #object(value) {
    if (ArrayBuffer.isView(value) && !this.#ids.has(value) && !this.#viewsAreHosts) this.writeValue(value.buffer);
    const known = this.#ids.get(value);
    if (known !== undefined) {
      this.#byte(tags.reference);
      this.#varint(known);
      return;
    }
    this.#ids.set(value, this.#ids.size);
    if (Array.isArray(value)) this.#array(value);
    else if (ArrayBuffer.isView(value)) this.#view(value);
    else this.#special(value);
  }

  #special(value) {
    const {
      isArrayBuffer,
      isSharedArrayBuffer,
      isDate,
      isMap,
      isSet,
      isRegExp,
      isBoxedPrimitive,
      isNativeError,
      isPromise,
      isProxy,
      isWeakMap,
      isWeakSet,
      isGeneratorObject,
    } = types();
    if (isProxy(value) || isPromise(value) || isWeakMap(value) || isWeakSet(value) || isGeneratorObject(value)) this.#refuse(value);
    if (isDate(value)) {
      this.#byte(tags.date);
      this.#double(dateGetTime.call(value));
    } else if (isMap(value)) {
      this.#collection(tags.map, arrayFlat.call([...each(value)], 1), tags.endMap);
    } else if (isSet(value)) {
      this.#collection(tags.set, [...each(value)], tags.endSet);
    } else if (isRegExp(value)) {
      this.#byte(tags.regexp);
      this.#string(value.source);
      this.#varint(
        arrayReduce.call(regexpFlags, (bits, flag, i) => (flag && stringIncludes.call(value.flags, flag) ? bits + 2 ** i : bits), 0),
      );
    } else if (isArrayBuffer(value)) {
      this.#buffer(value);
    } else if (isSharedArrayBuffer(value)) {
      this.#refuse(value);
    } else if (isBoxedPrimitive(value)) {
      this.#boxed(value);
    } else if (isNativeError(value)) {
      this.#error(value);
    } else {
      this.#plain(value);
    }
  }

  #collection(tag, items, endTag) {
    this.#byte(tag);
    for (const item of each(items)) this.writeValue(item);
    this.#byte(endTag);
    this.#varint(items.length);
  }

  #properties(object, keys) {
    let count = 0;
    for (const key of each(keys)) {
      if (!Object.hasOwn(object, key)) continue; // a getter removed it
      const value = object[key];
      if (isIndex(key)) this.#number(Number(key));
      else this.#string(key);
      this.writeValue(value);
      count++;
    }
    return count;
  }

  #plain(object) {
    this.#byte(tags.object);
    const count = this.#properties(object, Object.keys(object));
    this.#byte(tags.endObject);
    this.#varint(count);
  }

  #array(array) {
    const { length } = array;
    const keys = Object.keys(array);
    const isSparse = length > keys.length * 4 + 64;
    this.#byte(isSparse ? tags.sparseArray : tags.denseArray);
    this.#varint(length);
    for (let i = 0; !isSparse && i < length; i++) {
      if (Object.hasOwn(array, i)) this.writeValue(array[i]);
      else this.#byte(tags.hole);
    }
    const count = this.#properties(array, isSparse ? keys : arrayFilter.call(keys, (key) => !isIndex(key)));
    this.#byte(isSparse ? tags.endSparseArray : tags.endDenseArray);
    this.#varint(count);
    this.#varint(length);
  }

  #boxed(value) {
    const inner = value.valueOf();
    switch (typeof inner) {
      case 'boolean':
        this.#byte(inner ? tags.trueObject : tags.falseObject);
        break;
      case 'number':
        this.#byte(tags.numberObject);
        this.#double(inner);
        break;
      case 'bigint':
        this.#byte(tags.bigintObject);
        this.#bigint(inner);
        break;
      case 'string':
        this.#byte(tags.stringObject);
        this.#string(inner);
        break;
      default:
        this.#refuse(value);
    }
  }

  #error(error) {
    this.#byte(tags.error);
    const kind = errorTags[error.name];
    if (kind !== undefined) this.#byte(stringCharCodeAt.call(kind, 0));
    if (Object.hasOwn(error, 'message')) {
      this.#byte(errorParts.message);
      this.#string(`${error.message}`);
    }
    if (Object.hasOwn(error, 'cause')) {
      this.#byte(errorParts.cause);
      this.writeValue(error.cause);
    }
    if (typeof error.stack === 'string') {
      this.#byte(errorParts.stack);
      this.#string(error.stack);
    }
    this.#byte(errorParts.end);
  }

  #buffer(buffer) {
    const id = this.#transferred.get(buffer);
    if (id !== undefined) {
      this.#byte(tags.transferredBuffer);
      this.#varint(id);
      return;
    }
    this.#byte(tags.arrayBuffer);
    this.#varint(buffer.byteLength);
    this.#raw(new Uint8Array(buffer));
  }

  #view(view) {
    if (this.#viewsAreHosts) {
      this.#byte(tags.host);
      if (typeof this._writeHostObject !== 'function') this.#refuse(view);
      this._writeHostObject(view);
      return;
    }
    this.#byte(tags.view);
    this.#byte(stringCharCodeAt.call(viewTags[brand(view)], 0));
    this.#varint(view.byteOffset);
    this.#varint(view.byteLength);
    this.#varint(0);
  }

  // ---- for subclasses ----

  writeUint32(value) {
    this.#varint(value >>> 0);
  }
  writeUint64(high, low) {
    this.#varintOf((BigInt(high >>> 0) << 32n) | BigInt(low >>> 0));
  }
  #varintOf(value) {
    while (value >= 0x80n) {
      this.#byte(Number(value & 0x7fn) | 0x80);
      value >>= 7n;
    }
    this.#byte(Number(value));
  }
  writeDouble(value) {
    this.#double(Number(value));
  }
  writeRawBytes(source) {
    const { isAnyArrayBuffer } = types();
    if (!ArrayBuffer.isView(source) && !isAnyArrayBuffer(source)) {
      const {
        codes: { ERR_INVALID_ARG_TYPE },
      } = require('internal/errors/coded');
      throw new ERR_INVALID_ARG_TYPE('source', ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], source);
    }
    this.#raw(ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source));
  }
  transferArrayBuffer(id, buffer) {
    this.#transferred.set(buffer, id >>> 0);
  }
  _setTreatArrayBufferViewsAsHostObjects(on) {
    this.#viewsAreHosts = Boolean(on);
  }

  releaseBuffer() {
    const bytes = Buffer.allocUnsafe(this.#at);
    bytesSet.call(bytes, bytesSubarray.call(this.#bytes, 0, this.#at));
    this.#at = 0;
    this.#ids.clear();
    return bytes;
  }
}
Serializer.prototype._getDataCloneError = Error;

module.exports = { Serializer };
