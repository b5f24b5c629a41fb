// natives: none
// The reporter of a file's process that --test or run() started: events as v8.serialize() writes them, each behind the format's header
// and its length, among whatever the file itself prints. internal/test_runner/event_parser reads them.
'use strict';

const { DefaultSerializer } = require('internal/v8/v8');
const { serializeError } = require('internal/test_runner/error_copy');

const kLengthBytes = 4;

function frame(item) {
  const serializer = new DefaultSerializer();
  serializer.writeHeader();
  serializer.writeRawBytes(require('internal/buffer/buffer').Buffer.alloc(kLengthBytes));
  serializer.writeHeader();
  serializer.writeValue(item);
  return serializer.releaseBuffer();
}

function headerLength() {
  const serializer = new DefaultSerializer();
  serializer.writeHeader();
  return serializer.releaseBuffer().length;
}

module.exports = async function* serialized(source) {
  const header = headerLength();
  for await (const { type, data } of source) {
    const error = data?.details?.error;
    const copy = error ? { ...data, details: { ...data.details, error: serializeError(error) } } : data;
    const bytes = frame({ type, data: copy });
    bytes.writeUInt32BE(bytes.length - header - kLengthBytes, header);
    yield bytes;
  }
};
