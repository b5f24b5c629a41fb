// natives: none
// compose(): a pipeline seen from outside as one Duplex. Writes go to the first
// stream, reads come from the last. Either may be a WHATWG stream or a function.
'use strict';

const {
  AbortError,
  codes: { ERR_INVALID_ARG_VALUE, ERR_MISSING_ARGS },
} = require('internal/errors/coded');
const { destroyer } = require('internal/streams/destroy');
const { eos } = require('internal/streams/end_of_stream');
const { pipeline } = require('internal/streams/pipeline');
const Duplex = require('internal/streams/duplex');
const {
  isNodeStream,
  isReadable,
  isReadableStream,
  isTransformStream,
  isWebStream,
  isWritable,
  isWritableStream,
} = require('internal/streams/utils');

const canRead = (stream) => !!(isReadable(stream) || isReadableStream(stream) || isTransformStream(stream));
const canWrite = (stream) => !!(isWritable(stream) || isWritableStream(stream) || isTransformStream(stream));

module.exports = function compose(...streams) {
  if (streams.length === 0) throw new ERR_MISSING_ARGS('streams');
  if (streams.length === 1) return Duplex.from(streams[0]);
  const given = arraySlice.call(streams);
  const last = streams.length - 1;
  for (const i of each([0, last])) {
    if (typeof streams[i] === 'function') streams[i] = Duplex.from(streams[i]);
  }
  checkJoints(streams, given);
  return new Composition(streams).duplex;
};

function checkJoints(streams, given) {
  for (let i = 0; i < streams.length; i++) {
    if (!isNodeStream(streams[i]) && !isWebStream(streams[i])) continue;
    if (i < streams.length - 1 && !canRead(streams[i])) {
      throw new ERR_INVALID_ARG_VALUE(`streams[${i}]`, given[i], 'must be readable');
    }
    if (i > 0 && !canWrite(streams[i])) {
      throw new ERR_INVALID_ARG_VALUE(`streams[${i}]`, given[i], 'must be writable');
    }
  }
}

// Callbacks the outer Duplex waits with; each is called at most once.
class Composition {
  constructor(streams) {
    this.onDrain = null;
    this.onFinish = null;
    this.onClose = undefined; // null once the pipeline is done
    this.head = streams[0];
    this.tail = pipeline(streams, (error) => {
      this.pipelineDone(error);
    });
    this.writable = canWrite(this.head);
    this.readable = canRead(this.tail);
    this.duplex = new Duplex({
      writableObjectMode: !!this.head?.writableObjectMode,
      readableObjectMode: !!this.tail?.readableObjectMode,
      writable: this.writable,
      readable: this.readable,
    });
    if (this.writable) this.setUpWriting();
    if (this.readable) this.setUpReading();
    this.duplex._destroy = (error, callback) => {
      this.destroy(error, callback);
    };
  }

  pipelineDone(error) {
    const callback = this.onClose;
    this.onClose = null;
    if (callback) callback(error);
    else if (error) this.duplex.destroy(error);
    else if (!this.readable && !this.writable) this.duplex.destroy();
  }

  release(name) {
    const callback = this[name];
    this[name] = null;
    if (callback) callback();
  }

  setUpWriting() {
    if (isNodeStream(this.head)) this.writeToNode(this.head);
    else if (isWebStream(this.head)) this.writeToWeb(this.head);
    const last = isTransformStream(this.tail) ? this.tail.readable : this.tail;
    eos(last, () => {
      this.release('onFinish');
    });
  }

  writeToNode(head) {
    this.duplex._write = (chunk, encoding, callback) => {
      if (head.write(chunk, encoding)) callback();
      else this.onDrain = callback;
    };
    this.duplex._final = (callback) => {
      head.end();
      this.onFinish = callback;
    };
    head.on('drain', () => {
      this.release('onDrain');
    });
  }

  writeToWeb(head) {
    const writer = (isTransformStream(head) ? head.writable : head).getWriter();
    this.duplex._write = async (chunk, encoding, callback) => {
      try {
        await writer.ready;
        promiseThen(writer.write(chunk), undefined, () => {});
        callback();
      } catch (error) {
        callback(error);
      }
    };
    this.duplex._final = async (callback) => {
      try {
        await writer.ready;
        promiseThen(writer.close(), undefined, () => {});
        this.onFinish = callback;
      } catch (error) {
        callback(error);
      }
    };
  }

  setUpReading() {
    const { duplex, tail } = this;
    if (isNodeStream(tail)) {
      duplex._read = () => {
        tail.resume();
      };
      tail.on('data', (chunk) => {
        if (!duplex.push(chunk)) tail.pause();
      });
      tail.on('end', () => {
        duplex.push(null);
      });
    } else if (isWebStream(tail)) {
      const reader = (isTransformStream(tail) ? tail.readable : tail).getReader();
      duplex._read = async () => {
        try {
          while (true) {
            const { value, done } = await reader.read();
            if (done) {
              duplex.push(null);
              return;
            }
            if (!duplex.push(value)) return;
          }
        } catch {
          // The pipeline reports it.
        }
      };
    }
  }

  destroy(error, callback) {
    if (!error && this.onClose !== null) error = new AbortError();
    this.onDrain = null;
    this.onFinish = null;
    if (isNodeStream(this.tail)) destroyer(this.tail, error);
    if (this.onClose === null) callback(error);
    else this.onClose = callback;
  }
}
