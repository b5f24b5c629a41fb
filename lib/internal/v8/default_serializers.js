// natives: none
// v8.serialize and v8.deserialize: views, Buffers among them, travel as host objects with their kind and bytes.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { Serializer } = require('internal/v8/serializer');
const { Deserializer } = require('internal/v8/deserializer');

const kBuffer = 10;
const kinds = [
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'Float32Array',
  'Float64Array',
  'DataView',
  'Buffer',
  'BigInt64Array',
  'BigUint64Array',
  'Float16Array',
];

class DefaultSerializer extends Serializer {
  constructor() {
    super();
    this._setTreatArrayBufferViewsAsHostObjects(true);
  }

  _writeHostObject(view) {
    const kind = Buffer.isBuffer(view) ? kBuffer : arrayIndexOf.call(kinds, stringSlice.call(objectToString.call(view), 8, -1));
    if (kind === -1) throw new this._getDataCloneError(`Unserializable host object: ${require('internal/util/util').inspect(view)}`);
    this.writeUint32(kind);
    this.writeUint32(view.byteLength);
    this.writeRawBytes(view);
  }
}

class DefaultDeserializer extends Deserializer {
  constructor(...args) {
    super(...each(args));
  }

  _readHostObject() {
    const kind = this.readUint32();
    const bytes = this.readRawBytes(this.readUint32());
    if (kind === kBuffer) return Buffer.from(bytes);
    const name = kinds[kind];
    const View = name === 'Float16Array' ? globalThis[name] : program[name]; // the program's: the one it would read it with
    if (View === undefined) throw new Error('Unable to deserialize cloned data.');
    const own = new Uint8Array(bytes).buffer;
    return new View(own, 0, bytes.length / (View.BYTES_PER_ELEMENT ?? 1));
  }
}

function serialize(value) {
  const serializer = new DefaultSerializer();
  serializer.writeHeader();
  serializer.writeValue(value);
  return serializer.releaseBuffer();
}

function deserialize(buffer) {
  const deserializer = new DefaultDeserializer(buffer);
  deserializer.readHeader();
  return deserializer.readValue();
}

module.exports = { DefaultDeserializer, DefaultSerializer, deserialize, serialize };
