// natives: structured_clone
// queue(name): jobs that are kept until one worker has done them. A worker that dies, or does not answer for the time of a lease, loses
// its jobs to others; a job that failed too often goes to the dead ones.
'use strict';

const { decode, encode } = native('structured_clone');
const { validateAbortSignal, validateInteger, validateNumber, validateObject } = require('internal/util/validators');
const {
  codes: { ERR_INVALID_STATE },
} = require('internal/errors/coded');
const { MeshError } = require('internal/mesh/errors');
const { checkName, decodeKey, encodeKey } = require('internal/mesh/names');

const kLimit = 1_000_000;
const kPartitions = 4;
const kAttempts = 10;
const kWindow = 120_000;
const kLease = 30_000;
const kFirstRetry = 1000,
  kLongestRetry = 300_000;

// FNV-1a
function partitionOf(text, partitions) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ stringCharCodeAt.call(text, i), 0x01000193);
  return (hash >>> 0) % partitions;
}

function checkSettings(options) {
  validateObject(options, 'options');
  const { limit = kLimit, partitions = kPartitions, attempts = kAttempts, window = kWindow, lease = kLease } = options;
  validateInteger(limit, 'options.limit', 1);
  validateInteger(partitions, 'options.partitions', 0, 64);
  validateInteger(attempts, 'options.attempts', 1);
  validateInteger(window, 'options.window', 100);
  validateInteger(lease, 'options.lease', 100);
  return { limit, partitions, attempts, window, lease };
}

class Queue {
  #mesh;
  #name;
  #settings;
  #store;

  constructor(mesh, name, options = {}) {
    this.#mesh = mesh;
    this.#name = checkName(name);
    this.#settings = checkSettings(options);
  }

  get name() {
    return this.#name;
  }

  // The broker's queue, made with the first use.
  async #open() {
    if (this.#store !== undefined) return this.#store;
    const broker = this.#mesh.broker ?? (await this.#mesh.ready());
    return (this.#store = await broker.queue(this.#name, this.#settings));
  }

  // Resolves when the job is kept: false when one with this key had been pushed before. Waits while the queue is full.
  async push(value, options = {}) {
    validateObject(options, 'options');
    const { delay, key, order, signal } = options;
    if (delay !== undefined) validateNumber(delay, 'options.delay', 0);
    if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
    signal?.throwIfAborted();
    const meta = { trace: this.#mesh.tracing.current() };
    if (key !== undefined) meta.key = encodeKey(key);
    const orderName = order === undefined ? undefined : encodeKey(order);
    const bytes = encode(value);
    if (delay > 0) meta.due = Date.now() + delay;
    const store = this.#store ?? (await this.#open());
    if (orderName !== undefined) {
      if (store.partitions === 0)
        throw new MeshError('ERR_MESH_ORDER', `The queue '${this.#name}' was made without partitions: it has no order`);
      meta.order = { name: orderName, partition: partitionOf(orderName, store.partitions) };
    }
    const { isDuplicate } = await this.#mesh.untilClosed(store.append(bytes, meta, signal));
    return !isDuplicate;
  }

  async count() {
    return (await this.#open()).count();
  }

  // An async iterable of jobs. A worker has at most `concurrency` that it has neither done nor given back.
  work(options = {}) {
    return new Work(this.#mesh, () => this.#open(), options, { attempts: this.#settings.attempts, isDead: false });
  }

  // The same for jobs that failed too often. done() forgets one, retry() pushes it again.
  dead(options = {}) {
    return new Work(this.#mesh, () => this.#open(), options, {
      attempts: Infinity,
      isDead: true,
      pushAgain: (value, key) => this.push(value, { key: key === undefined ? undefined : `${key} again ${Date.now()}` }),
    });
  }
}

class Work {
  #mesh;
  #open;
  #concurrency;
  #signal;
  #kind;
  #store;
  #consumer;
  #ready = []; // jobs that nobody has asked for yet
  #waiting = []; // those who ask: { resolve, reject }
  #unfinished = new Set();
  #keeper;
  #state = 'new';
  #error;

  constructor(mesh, open, options, kind) {
    validateObject(options, 'options');
    const { concurrency = 1, signal } = options;
    validateInteger(concurrency, 'options.concurrency', 1, 10_000);
    if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
    this.#mesh = mesh;
    this.#open = open;
    this.#concurrency = concurrency;
    this.#signal = signal;
    this.#kind = kind;
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  async next() {
    if (this.#state === 'new') await this.#start();
    if (this.#error !== undefined) throw this.#error;
    if (this.#ready.length > 0) return { value: arrayShift.call(this.#ready), done: false };
    if (this.#state === 'ended') return { value: undefined, done: true };
    return new Promise((resolve, reject) => arrayPush.call(this.#waiting, { resolve, reject }));
  }

  async return(value) {
    this.#end(undefined);
    return { value, done: true };
  }

  async [Symbol.asyncDispose]() {
    this.#end(undefined);
  }

  async #start() {
    this.#state = 'starting';
    if (this.#signal?.aborted) return this.#end(undefined);
    this.#signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.#mesh.closing.add(this.#onAbort);
    const store = await this.#open();
    this.#store = store;
    const consume = this.#kind.isDead ? store.consumeDead : store.consume;
    const onError = (error) => this.#end(error);
    const consumer = await call3(consume, store, this.#concurrency, (job) => this.#arrive(job), onError);
    if (this.#state === 'ended') return consumer.close();
    this.#consumer = consumer;
    this.#state = 'running';
    this.#keeper = setInterval(() => this.#keepLeases(), store.lease / 3);
    this.#keeper.unref();
    return undefined;
  }

  #onAbort = () => this.#end(undefined);

  // Jobs that were not finished are given back at once.
  #end(error) {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#error = error;
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#mesh.closing.delete(this.#onAbort);
    clearInterval(this.#keeper);
    for (const job of each([...each(this.#unfinished)])) job.giveUp();
    this.#unfinished.clear();
    this.#ready = [];
    this.#consumer?.close();
    for (const { resolve, reject } of each(this.#waiting)) {
      if (error === undefined) resolve({ value: undefined, done: true });
      else reject(error);
    }
    this.#waiting = [];
  }

  #keepLeases() {
    for (const job of each([...each(this.#unfinished)])) job.keepLease();
  }

  #arrive(raw) {
    if (this.#state === 'ended') return raw.nak(0);
    let value;
    try {
      value = decode(raw.bytes, 0, raw.bytes.length);
    } catch (error) {
      if (!this.#kind.isDead) return this.#bury(raw, `it cannot be read: ${error.message}`);
    }
    if (raw.deliveries > this.#kind.attempts) return this.#bury(raw, `it was given out ${raw.deliveries - 1} times and never done`);
    const job = new Job(raw, value, this.#ends, this.#mesh.tracing);
    this.#unfinished.add(job);
    const waiting = arrayShift.call(this.#waiting);
    if (waiting === undefined) arrayPush.call(this.#ready, job);
    else waiting.resolve({ value: job, done: false });
    return undefined;
  }

  // How a job ends; a job calls one of them once.
  #ends = {
    done: (job, raw) => {
      raw.ack();
      this.#finished(job);
    },
    retry: (job, raw, ms, reason) => {
      if (this.#kind.isDead) return this.#again(job, raw);
      if (raw.deliveries >= this.#kind.attempts) return this.#bury(raw, reason ?? `it failed ${raw.deliveries} times`, job);
      raw.nak(ms ?? Math.min(kFirstRetry * 2 ** (raw.deliveries - 1), kLongestRetry));
      return this.#finished(job);
    },
    fail: (job, raw, reason) => this.#bury(raw, reason, job),
  };

  #finished(job) {
    this.#unfinished.delete(job);
    if (this.#state !== 'ended') this.#consumer?.finished();
  }

  async #again(job, raw) {
    await this.#kind.pushAgain(job.value, job.key);
    raw.ack();
    this.#finished(job);
  }

  async #bury(raw, reason, job) {
    const { bytes, sequence, key, trace, deliveries } = raw;
    try {
      await this.#store.bury(bytes, sequence, { trace, key, deliveries, reason: stringSlice.call(`${reason}`, 0, 1000) });
      raw.ack();
    } catch (error) {
      this.#mesh.failed(error);
      raw.nak(kFirstRetry); // it comes again
    }
    this.#finished(job);
  }
}

class Job {
  #raw;
  #ends;
  #tracing;
  #isOver = false;

  constructor(raw, value, ends, tracing) {
    this.#raw = raw;
    this.#ends = ends;
    this.#tracing = tracing;
    this.value = value;
  }

  // How often it has been given to a worker, this time included.
  get attempt() {
    return Number(this.#raw.buried ?? this.#raw.deliveries);
  }
  get key() {
    return this.#raw.key === undefined ? undefined : decodeKey(this.#raw.key);
  }
  get order() {
    return this.#raw.order === undefined ? undefined : decodeKey(this.#raw.order);
  }
  // A number that grows with the order of pushing.
  get sequence() {
    return this.#raw.sequence;
  }
  get pushed() {
    return new Date(this.#raw.time);
  }
  // Of a dead job: why.
  get reason() {
    const { reason } = this.#raw;
    try {
      return reason === undefined ? undefined : decodeURIComponent(reason);
    } catch {
      return reason;
    }
  }

  #finish() {
    if (this.#isOver) throw new ERR_INVALID_STATE('The job has been finished already');
    this.#isOver = true;
  }
  async done() {
    this.#finish();
    return this.#ends.done(this, this.#raw);
  }
  async retry(ms) {
    if (ms !== undefined) validateNumber(ms, 'ms', 0);
    this.#finish();
    return this.#ends.retry(this, this.#raw, ms);
  }
  // To the dead ones at once.
  async fail(reason = 'it was refused') {
    this.#finish();
    return this.#ends.fail(this, this.#raw, reason?.message ?? reason);
  }
  // Calls run(job) as work that the one who pushed it has caused.
  run(run) {
    return this.#tracing.run(this.#raw.trace, run, this);
  }

  giveUp() {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#raw.nak(0);
  }
  keepLease() {
    if (!this.#isOver) this.#raw.progress();
  }
}

module.exports = { Queue };
