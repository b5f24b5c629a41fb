// natives: none
// Streams as transferable objects (https://streams.spec.whatwg.org/#rs-transfer): the stream stays behind and is piped
// through a message port to a new one on the other side. web/structured_clone loads this for a stream in a transfer list.
'use strict';

const { kTransfer, kTransferList } = require('internal/symbols/messaging');
const { ReadableStream } = require('internal/webstreams/readable_stream');
const { WritableStream } = require('internal/webstreams/writable_stream');
const { TransformStream } = require('internal/webstreams/transform_stream');
const { MessageChannel } = require('internal/messaging/message_channel');
const { cloneError } = require('internal/messaging/structured_clone');

// Errors cross as they are when they can be cloned, else as what they say.
function sendError(port, value) {
  try {
    port.postMessage({ type: 'error', value });
  } catch {
    port.postMessage({ type: 'error', value: new Error(`${value?.message ?? value}`) });
  }
}

// https://streams.spec.whatwg.org/#abstract-opdef-setupcrossrealmtransformreadable
// A reader that waits keeps the program alive if `keepsAlive`; a port that merely stands by does not.
function readableFrom(port, keepsAlive) {
  let ready = Promise.withResolvers();
  return new ReadableStream(
    {
      start(controller) {
        port.onmessage = ({ data: { type, value } }) => {
          port.unref();
          ready.resolve();
          ready = Promise.withResolvers();
          if (type === 'chunk') {
            controller.enqueue(value);
            return;
          }
          port.close();
          if (type === 'close') controller.close();
          else controller.error(value);
        };
        port.unref();
      },
      pull() {
        if (keepsAlive) port.ref();
        port.postMessage({ type: 'pull' });
        return ready.promise;
      },
      cancel(reason) {
        sendError(port, reason);
        port.close();
      },
    },
    { highWaterMark: 0 },
  );
}

// https://streams.spec.whatwg.org/#abstract-opdef-setupcrossrealmtransformwritable
function writableFrom(port, keepsAlive) {
  let pulled = Promise.withResolvers();
  return new WritableStream(
    {
      start(controller) {
        port.onmessage = ({ data: { type, value } }) => {
          if (type === 'error') controller.error(value);
          pulled.resolve();
        };
        port.unref();
      },
      async write(chunk) {
        if (keepsAlive) port.ref();
        await pulled.promise;
        port.unref();
        pulled = Promise.withResolvers();
        try {
          port.postMessage({ type: 'chunk', value: chunk });
        } catch (error) {
          sendError(port, error);
          port.close();
          throw error;
        }
      },
      close() {
        port.postMessage({ type: 'close' });
        port.close();
      },
      abort(reason) {
        sendError(port, reason);
        port.close();
      },
    },
    { highWaterMark: 1 },
  );
}

function quietly(promise) {
  promiseThen(promise, undefined, () => {});
}

// Between kTransferList and kTransfer: the ports made for a stream under way.
const underWay = new WeakMap();

function begin(stream, count) {
  const channels = Array.from({ length: count }, () => new MessageChannel());
  underWay.set(stream, channels);
  return arrayMap.call(channels, ({ port2 }) => port2);
}

function takeChannels(stream) {
  const channels = underWay.get(stream);
  underWay.delete(stream);
  return channels;
}

function requireUnlocked(stream) {
  if (stream.locked) throw cloneError(`Cannot transfer a locked ${stream instanceof ReadableStream ? 'ReadableStream' : 'WritableStream'}`);
}

// A TransformStream and one of its sides cannot both be transferred: the first locks the second.
function sendReadable(stream, port) {
  requireUnlocked(stream);
  quietly(stream.pipeTo(writableFrom(port, false)));
}

function sendWritable(stream, port) {
  requireUnlocked(stream);
  quietly(readableFrom(port, false).pipeTo(stream));
}

const transfers = new Map([
  [
    ReadableStream,
    {
      [kTransferList]() {
        requireUnlocked(this);
        return begin(this, 1);
      },
      [kTransfer]() {
        const [{ port1, port2 }] = each(takeChannels(this));
        sendReadable(this, port1);
        return { data: { port: port2 }, deserializeInfo: 'internal/webstreams/transfer:ReceivedReadable' };
      },
    },
  ],
  [
    WritableStream,
    {
      [kTransferList]() {
        requireUnlocked(this);
        return begin(this, 1);
      },
      [kTransfer]() {
        const [{ port1, port2 }] = each(takeChannels(this));
        sendWritable(this, port1);
        return { data: { port: port2 }, deserializeInfo: 'internal/webstreams/transfer:ReceivedWritable' };
      },
    },
  ],
  [
    TransformStream,
    {
      [kTransferList]() {
        requireUnlocked(this.readable);
        requireUnlocked(this.writable);
        return begin(this, 2);
      },
      [kTransfer]() {
        const [first, second] = each(takeChannels(this));
        sendReadable(this.readable, first.port1);
        sendWritable(this.writable, second.port1);
        return {
          data: { readable: first.port2, writable: second.port2 },
          deserializeInfo: 'internal/webstreams/transfer:ReceivedTransform',
        };
      },
    },
  ],
]);

for (const [Class, methods] of eachEntry(transfers)) {
  for (const key of each([kTransferList, kTransfer])) {
    Object.defineProperty(Class.prototype, key, { configurable: true, writable: true, value: methods[key] });
  }
}

function ReceivedReadable({ port }) {
  return readableFrom(port, true);
}

function ReceivedWritable({ port }) {
  return writableFrom(port, true);
}

// A TransformStream whose two sides are the received ones.
function ReceivedTransform({ readable, writable }) {
  const sides = { readable: readableFrom(readable, true), writable: writableFrom(writable, true) };
  const stream = new TransformStream();
  for (const name of each(['readable', 'writable'])) {
    Object.defineProperty(stream, name, { configurable: true, enumerable: false, value: sides[name] });
  }
  return stream;
}

function isStream(value) {
  return value instanceof ReadableStream || value instanceof WritableStream || value instanceof TransformStream;
}

module.exports = { ReceivedReadable, ReceivedWritable, ReceivedTransform, isStream };
