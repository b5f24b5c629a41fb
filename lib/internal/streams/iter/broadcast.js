// natives: none
// broadcast(): one writer, any number of readers, each of which gets everything from the time it subscribed.
'use strict';

const {
  codes: { ERR_INVALID_RETURN_VALUE, ERR_INVALID_STATE },
} = require('internal/errors/coded');
const { ignore } = require('internal/streams/iter/abortable');
const {
  asError,
  broadcastProtocol,
  ended,
  hasProtocol,
  parseTransforms,
  result,
  signalOf,
  sizeOf,
  validateBuffering,
  whenAborted,
} = require('internal/streams/iter/chunks');
const { BufferWriter, kTooManyWrites } = require('internal/streams/iter/buffer_writer');
const { from } = require('internal/streams/iter/from');
const { BatchLog } = require('internal/streams/iter/log');
const { pull } = require('internal/streams/iter/pull');
const { Waiting } = require('internal/streams/iter/waiting');
const { validateAbortSignal, validateObject } = require('internal/util/validators');
const { DOMException } = require('internal/errors/dom_exception');

const kDefaultBudget = 65536;

// Both sides of a broadcast.
class Hub {
  log = new BatchLog();
  state = 'open'; // ended, failed, cancelled
  error = undefined;
  total = 0;
  writes = new Waiting();
  drains = new Waiting();

  constructor(budget, policy) {
    this.budget = budget;
    this.policy = policy;
    this.waits = policy === 'strict' || policy === 'unbounded';
  }

  get canWrite() {
    if (this.state !== 'open') return null;
    return !this.waits || this.log.size < this.budget;
  }

  offer(batch) {
    if (this.state !== 'open') return false;
    const size = sizeOf(batch);
    if (size === 0) return true;
    if (this.log.size >= this.budget) {
      if (this.waits) return false;
      if (this.policy === 'drop-oldest') this.log.dropOldest(this.budget);
    }
    this.total += size;
    if (this.policy === 'drop-newest' && this.log.size >= this.budget) return true;
    this.log.append(batch);
    for (const reader of each([...each(this.log.readers)])) this.serve(reader);
    // Without readers it is kept for the first.
    if (this.log.readers.size > 0) this.forgetRead();
    return true;
  }

  offerSync(batch) {
    return this.canWrite ? this.offer(batch) : false;
  }

  async write(batch, signal) {
    signal?.throwIfAborted();
    if (this.state !== 'open') throw new ERR_INVALID_STATE.TypeError('Writer is closed');
    if (this.offer(batch)) return undefined;
    if (this.policy === 'strict' && this.writes.length >= 1) throw new ERR_INVALID_STATE.RangeError(kTooManyWrites);
    return this.writes.wait(batch, signal);
  }

  // Gives a reader that waits what it waits for.
  serve(reader) {
    while (reader.reads.length > 0 && this.log.has(reader)) reader.reads.resolveFirst(result(this.log.take(reader)));
  }

  forgetRead() {
    if (!this.log.forgetRead() || this.log.size >= this.budget) return;
    while (this.writes.length > 0 && this.canWrite) {
      const batch = this.writes.first();
      this.writes.resolveFirst();
      this.offer(batch);
    }
    if (this.canWrite) this.drains.resolveAll(() => true);
  }

  read(reader) {
    if (reader.isGone)
      return this.state === 'failed' || reader.error ? Promise.reject(reader.error ?? this.error) : Promise.resolve(ended());
    if (this.log.has(reader) && reader.reads.length === 0) {
      const batch = this.log.take(reader);
      this.forgetRead();
      return Promise.resolve(result(batch));
    }
    if (this.state !== 'open') {
      this.leave(reader);
      return this.error === undefined ? Promise.resolve(ended()) : Promise.reject(this.error);
    }
    return reader.reads.wait();
  }

  leave(reader) {
    reader.isGone = true;
    reader.reads.resolveAll(ended);
    this.log.readers.delete(reader);
    this.forgetRead();
  }

  end() {
    if (this.state !== 'open') return;
    this.state = 'ended';
    for (const reader of each([...each(this.log.readers)])) {
      if (reader.reads.length > 0) this.leave(reader);
    }
    this.drains.resolveAll(() => false);
  }

  // fail() of the writer, cancel() of the broadcast: readers get the error, if there is one, and the writer is told why.
  stop(state, error, forWriter) {
    if (this.state === 'failed' || this.state === 'cancelled' || (this.state === 'ended' && state === 'failed')) return;
    this.state = state;
    this.error = error;
    for (const reader of each([...each(this.log.readers)])) {
      reader.error = error;
      reader.isGone = true;
      if (error === undefined) reader.reads.resolveAll(ended);
      else reader.reads.rejectAll(error);
    }
    this.log.readers.clear();
    this.writes.rejectAll(forWriter);
    if (state === 'failed') this.drains.rejectAll(forWriter);
    else this.drains.resolveAll(() => false);
  }
}

class BroadcastChannel {
  #hub;

  constructor(hub) {
    this.#hub = hub;
  }

  get consumerCount() {
    return this.#hub.log.readers.size;
  }

  push(...args) {
    const { transforms, options } = parseTransforms(args);
    const hub = this.#hub;
    const reader = { __proto__: null, place: 0, reads: new Waiting(), isGone: false, error: undefined };
    if (hub.state === 'open' || hub.state === 'ended') {
      hub.log.addReader(reader);
    } else {
      reader.isGone = true;
      reader.error = hub.error;
    }
    const consumer = {
      __proto__: null,
      [Symbol.asyncIterator]: () => ({
        __proto__: null,
        next: () => hub.read(reader),
        async return() {
          hub.leave(reader);
          return ended();
        },
        async throw() {
          hub.leave(reader);
          return ended();
        },
      }),
    };
    const { signal } = options ?? {};
    if (signal !== undefined) return pull(consumer, ...each(transforms), { __proto__: null, signal });
    return transforms.length > 0 ? pull(consumer, ...each(transforms)) : consumer;
  }

  cancel(reason) {
    this.#hub.stop('cancelled', reason, new DOMException('Broadcast cancelled', 'AbortError'));
  }
  [Symbol.dispose]() {
    this.cancel();
  }
}

class BroadcastWriter extends BufferWriter {
  #hub;

  constructor(hub) {
    super(hub);
    this.#hub = hub;
  }

  end(options) {
    const signal = signalOf(options);
    if (signal?.aborted) return Promise.reject(signal.reason);
    this.#hub.end();
    return Promise.resolve(this.#hub.total);
  }
  endSync() {
    this.#hub.end();
    return this.#hub.total;
  }
  fail(reason) {
    const error = reason ?? new ERR_INVALID_STATE.TypeError('Failed');
    this.#hub.stop('failed', error, error);
  }
  [Symbol.asyncDispose]() {
    this.fail();
    return Promise.resolve();
  }
}

function broadcast(options = { __proto__: null }) {
  validateObject(options, 'options');
  const { budget = kDefaultBudget, backpressure = 'strict', signal } = options;
  validateBuffering(budget, backpressure);
  validateAbortSignal(signal, 'options.signal');
  const hub = new Hub(budget, backpressure);
  const channel = new BroadcastChannel(hub);
  whenAborted(signal, () => channel.cancel(signal.reason));
  return { __proto__: null, writer: new BroadcastWriter(hub), broadcast: channel };
}

async function pump(source, writer, signal) {
  const options = signal === undefined ? undefined : { __proto__: null, signal };
  try {
    // the program's: it may be an iterable of its own
    for await (const batch of source) {
      signal?.throwIfAborted();
      if (!writer.writevSync(batch)) await writer.writev(batch, options);
    }
    writer.endSync();
  } catch (error) {
    writer.fail(asError(error));
  }
}

const Broadcast = {
  __proto__: null,
  from(input, options) {
    if (hasProtocol(input, broadcastProtocol)) {
      const channel = input[broadcastProtocol](options);
      if (channel === null || typeof channel !== 'object') {
        throw new ERR_INVALID_RETURN_VALUE('an object', "[Symbol.for('Stream.broadcastProtocol')]", channel);
      }
      return { __proto__: null, writer: { __proto__: null }, broadcast: channel };
    }
    const source = from(input);
    const made = broadcast(options);
    promiseThen(pump(source, made.writer, options?.signal), undefined, ignore);
    return made;
  },
};

module.exports = { Broadcast, broadcast, kDefaultBudget };
