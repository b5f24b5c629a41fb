// natives: none
// A queue on JetStream: a stream with work-queue retention, which keeps each message until one worker has acknowledged it. Jobs without
// order lie under one subject with one consumer; jobs with an order are spread over partitions, each with a consumer that has one job out
// at a time. Jobs that failed too often go to a stream of their own.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { MeshError } = require('internal/mesh/errors');
const { KeptJobs } = require('internal/mesh/nats_kept');
const { StrandedJobs } = require('internal/mesh/nats_stranded');
const {
  checkFields,
  isTemporary,
  kConsumerNotFound,
  kNanoseconds,
  kTooManyBytes,
  kTooManyMessages,
  pause,
} = require('internal/mesh/jetstream');

const kExpires = 5000; // of one request for jobs
const kMostAtOnce = 256;

const kAck = Buffer.from('+ACK'),
  kProgress = Buffer.from('+WPI');

const kMostPartitions = 64,
  kShortestLease = 100; // as of queue()
function isCount(value, least, most) {
  return Number.isSafeInteger(value) && value >= least && value <= most;
}

function isFull(error) {
  return error.errCode === kTooManyMessages || error.errCode === kTooManyBytes;
}

class NatsQueue {
  #js;
  #name;
  #stream;
  #newId;
  #dead;
  #pullers = new Set();
  #kept; // of a cluster
  #rescue; // told of what no call can be told of

  // events: { failed(error), recovered({ queue, sequences }) }
  constructor(js, name, newId, events) {
    this.#js = js;
    this.#rescue = { failed: events.failed, recovered: (sequences) => events.recovered({ queue: name, sequences }) };
    this.#name = name;
    this.#stream = `RONDO_Q_${name}`;
    this.#newId = newId;
  }

  async open({ limit, partitions, window, lease }) {
    const info = await this.#js.stream({
      name: this.#stream,
      subjects: [`rondo.q.${this.#name}.>`],
      description: JSON.stringify({ rondo: 1, partitions, lease }),
      retention: 'workqueue',
      storage: 'file',
      discard: 'new',
      max_msgs: limit,
      duplicate_window: window * kNanoseconds,
    });
    let known;
    try {
      known = JSON.parse(info.config.description);
    } catch {}
    const isOurs = known?.rondo === 1 && isCount(known.partitions, 0, kMostPartitions) && isCount(known.lease, kShortestLease, Infinity);
    if (!isOurs) throw new MeshError('ERR_MESH_SERVER', `The stream ${this.#stream} is not one of rondo:mesh`);
    this.partitions = known.partitions;
    this.lease = known.lease;
    if (info.config.num_replicas > 1) this.#kept = new KeptJobs(this.#js, this.#stream, info.created, this.#rescue);
    return this;
  }

  // Stores a job: { sequence, isDuplicate }. Waits while the queue is full.
  async append(bytes, { key, order, due, trace }, signal) {
    let header = `traceparent: ${trace}\r\n`;
    if (due !== undefined) header += `Rondo-Due: ${due}\r\n`;
    if (key !== undefined) header += `Rondo-Key: ${key}\r\n`;
    if (order !== undefined) header += `Rondo-Order: ${order.name}\r\n`;
    const id = key === undefined ? this.#newId() : `k.${key}`;
    const subject = `rondo.q.${this.#name}.${order === undefined ? 'w' : `o.${order.partition}`}`;
    const kept = this.#kept;
    for (let wait = 5; ; wait = Math.min(wait * 2, 500)) {
      if (kept?.recovering !== undefined) await promiseThen(kept.recovering, undefined, () => {});
      try {
        const answer = await this.#js.persist(() => this.#js.publish(subject, header, id, bytes), undefined, signal);
        const isDuplicate = answer.duplicate === true;
        kept?.add(subject, header, id, bytes, answer.seq, isDuplicate);
        return { sequence: answer.seq, isDuplicate };
      } catch (error) {
        if (!isFull(error)) throw error;
      }
      signal?.throwIfAborted();
      await pause(wait);
    }
  }

  // Jobs that are not done. The consumers know; without them, the stream. A stream of a cluster was seen to keep messages that had been
  // acknowledged (nats-server 2.9.10).
  async count() {
    const { consumers, missing } = await this.#js.api(`CONSUMER.LIST.${this.#stream}`, { offset: 0 });
    if (Array.isArray(consumers) && consumers.length > this.partitions && !(missing?.length > 0)) {
      const sum = arrayReduce.call(consumers, (before, one) => before + one?.num_pending + one?.num_ack_pending, 0);
      if (Number.isSafeInteger(sum)) return sum;
    }
    const { state } = await this.#js.streamInfo(this.#stream);
    return checkFields(state, [], ['messages']).messages;
  }

  // Jobs for at most `concurrency` workers: onJob(job) for each. { resume(), close() }
  async consume(concurrency, onJob, onError) {
    const group = new Consumption(concurrency, onError);
    const lists = [['w', 'w', -1]];
    for (let i = 0; i < this.partitions; i++) arrayPush.call(lists, [`o${i}`, `o.${i}`, 1]);
    for (const { 0: durable, 1: subject, 2: most } of each(lists)) {
      const config = {
        durable_name: durable,
        filter_subject: `rondo.q.${this.#name}.${subject}`,
        deliver_policy: 'all',
        ack_policy: 'explicit',
        ack_wait: this.lease * kNanoseconds,
        max_deliver: -1,
        max_ack_pending: most,
        max_waiting: 5000,
        replay_policy: 'instant',
      };
      const puller = new Puller(this.#js, this.#stream, config, group, onJob, most === 1 ? 1 : kMostAtOnce);
      puller.stranded = new StrandedJobs(this.#js, this.#stream, config, this.#rescue);
      arrayPush.call(group.pullers, puller);
      this.#pullers.add(puller);
    }
    await Promise.all(arrayMap.call(group.pullers, (puller) => puller.open()));
    group.resume();
    return {
      resume: () => group.resume(),
      finished: () => group.finished(),
      close: () => {
        for (const puller of each(group.pullers)) {
          this.#pullers.delete(puller);
          puller.close();
        }
      },
    };
  }

  // Jobs that failed too often, in a stream of their own, which the first of them makes.
  async #deadStream() {
    this.#dead ??= this.#js.stream({
      name: `RONDO_D_${this.#name}`,
      subjects: [`rondo.d.${this.#name}`],
      retention: 'workqueue',
      storage: 'file',
      discard: 'new',
      max_msgs: 100_000,
      duplicate_window: 120_000 * kNanoseconds,
    });
    return this.#dead;
  }

  async bury(bytes, sequence, { trace, key, deliveries, reason }) {
    await this.#deadStream();
    let header = `traceparent: ${trace}\r\nRondo-Deliveries: ${deliveries}\r\nRondo-Reason: ${encodeURIComponent(reason)}\r\n`;
    if (key !== undefined) header += `Rondo-Key: ${key}\r\n`;
    await this.#js.persist(() => this.#js.publish(`rondo.d.${this.#name}`, header, `d.${sequence}`, bytes), 30_000);
  }

  // The dead jobs, oldest first, as consume() gives jobs.
  async consumeDead(concurrency, onJob, onError) {
    await this.#deadStream();
    const group = new Consumption(concurrency, onError);
    const stream = `RONDO_D_${this.#name}`;
    const config = {
      durable_name: 'd',
      deliver_policy: 'all',
      ack_policy: 'explicit',
      ack_wait: this.lease * kNanoseconds,
      max_deliver: -1,
    };
    config.max_ack_pending = -1;
    config.replay_policy = 'instant';
    const puller = new Puller(this.#js, stream, config, group, onJob, kMostAtOnce);
    arrayPush.call(group.pullers, puller);
    this.#pullers.add(puller);
    await puller.open();
    group.resume();
    return {
      resume: () => group.resume(),
      finished: () => group.finished(),
      close: () => {
        this.#pullers.delete(puller);
        puller.close();
      },
    };
  }

  reconnected() {
    for (const puller of each([...each(this.#pullers)])) puller.reconnected();
  }
  close() {
    this.#kept?.stop();
  }
}

// State that the pullers of one worker share: how many more jobs it may have.
class Consumption {
  pullers = [];
  constructor(concurrency, onError) {
    this.free = concurrency;
    this.onError = onError;
  }
  resume() {
    for (const puller of each(this.pullers)) puller.pull();
  }
  // A job has been done, or given back.
  finished() {
    this.free++;
    this.resume();
  }
}

class Puller {
  #js;
  #stream;
  #config;
  #group;
  #onJob;
  #most;
  #answers;
  #expected = 0; // jobs that the server may still send for our requests
  #waiting = []; // jobs that came when the worker had no place
  #expiry;
  #isClosed = false;
  stranded = undefined;

  constructor(js, stream, config, group, onJob, most) {
    this.#js = js;
    this.#stream = stream;
    this.#config = config;
    this.#group = group;
    this.#onJob = onJob;
    this.#most = most;
  }

  async open() {
    await this.#js.consumer(this.#stream, this.#config);
    this.#answers = this.#js.connection.deliveries((message) => this.#take(message));
    this.#js.connection.hold();
  }

  // Asks for as many as have a place. Several pullers may ask for the same place: a job too many waits here, and is kept alive.
  pull() {
    if (this.#isClosed || this.#answers === undefined) return;
    while (this.#waiting.length > 0 && this.#group.free > 0) this.#hand(arrayShift.call(this.#waiting));
    const wanted = Math.min(this.#group.free, this.#most) - this.#expected - this.#waiting.length;
    if (wanted <= 0 || (this.#expected > 0 && wanted < this.#most / 2 && wanted < this.#group.free)) return;
    if (!this.#js.connection.isConnected) return;
    this.#expected += wanted;
    const body = Buffer.from(JSON.stringify({ batch: wanted, expires: kExpires * kNanoseconds }));
    const subject = `$JS.API.CONSUMER.MSG.NEXT.${this.#stream}.${this.#config.durable_name}`;
    this.#js.connection.publishBytes(`PUB ${subject} ${this.#answers.subject} `, '', body);
    clearTimeout(this.#expiry);
    // A consumer says when a request has expired. A server that has none of the name says nothing (2.9.10 was seen to lose one when it
    // reset the state of its stream): silence makes it again.
    this.#expiry = setTimeout(() => this.#revive(true), kExpires + 2000);
  }

  #again() {
    this.#expected = 0;
    this.pull();
  }

  reconnected() {
    this.#again();
  }

  #hand(job) {
    this.#group.free--;
    this.#onJob(job);
  }

  #take(message) {
    if (this.#isClosed) return;
    this.stranded?.look();
    const { status } = message;
    if (status !== 0) return this.#status(status, message);
    this.#expected = Math.max(0, this.#expected - 1);
    const job = this.#job(message);
    if (job === undefined) return;
    if (job.due > Date.now()) job.nak(job.due - Date.now());
    else if (this.#group.free > 0) this.#hand(job);
    else arrayPush.call(this.#waiting, job);
    this.pull();
  }

  #status(status, message) {
    if (status === 100) return;
    // 503: the consumer has no leader, or is gone; 409: it was deleted or has too many requests; 404, 408: nothing came in time.
    this.#expected = 0;
    if (status === 404 || status === 408) return this.pull();
    const text = message.headerText;
    const isGone = status === 409 && stringIncludes.call(text, 'Deleted');
    clearTimeout(this.#expiry);
    this.#expiry = setTimeout(() => this.#revive(isGone || status === 503), 200);
  }

  // Making a consumer that is there changes nothing.
  async #revive(mustMake) {
    try {
      if (mustMake && !this.#isClosed) await this.#js.consumer(this.#stream, this.#config);
    } catch (error) {
      if (!isTemporary(error) && error.errCode !== kConsumerNotFound) this.#group.onError(error);
    }
    this.#again();
  }

  #job(message) {
    const { reply } = message;
    // $JS.ACK.[domain.account.]stream.consumer.deliveries.stream-sequence.consumer-sequence.time.pending
    const parts = stringSplit.call(reply ?? '', '.');
    if (parts.length < 9) return undefined;
    const at = parts.length >= 11 ? 4 : 2;
    const header = message.headerText;
    const job = new NatsJob(this.#js.connection, reply);
    job.deliveries = Number(parts[at + 2]);
    job.sequence = Number(parts[at + 3]);
    job.time = Math.floor(Number(parts[at + 5]) / kNanoseconds);
    job.bytes = Buffer.from(message.chunk.subarray(message.bodyAt, message.end));
    if (stringStartsWith.call(header, 'NATS/1.0\r\ntraceparent: ')) job.trace = stringSlice.call(header, 23, 78);
    if (stringIncludes.call(header, '\r\nRondo-')) {
      job.due = Number(message.header('Rondo-Due') ?? 0);
      job.key = message.header('Rondo-Key');
      job.order = message.header('Rondo-Order');
      job.reason = message.header('Rondo-Reason');
      job.buried = message.header('Rondo-Deliveries');
      const sequence = Number(message.header('Rondo-Sequence'));
      if (sequence > 0) job.sequence = sequence; // one that nats_stranded.js has pushed again
    }
    return job;
  }

  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#expiry);
    if (this.#answers === undefined) return;
    for (const job of each(this.#waiting)) job.nak(0);
    this.#answers.stop();
    this.#js.connection.release();
  }
}

class NatsJob {
  #connection;
  #reply;

  constructor(connection, reply) {
    this.#connection = connection;
    this.#reply = reply;
    this.deliveries = 1;
    this.sequence = 0;
    this.time = 0;
    this.bytes = undefined;
    this.trace = undefined;
    this.due = 0;
    this.key = undefined;
    this.order = undefined;
    this.reason = undefined;
    this.buried = undefined;
  }

  #tell(bytes) {
    try {
      this.#connection.publishBytes(`PUB ${this.#reply} `, '', bytes);
    } catch {} // no room for it: the job comes again
  }
  ack() {
    this.#tell(kAck);
  }
  nak(ms) {
    this.#tell(Buffer.from(ms > 0 ? `-NAK {"delay": ${Math.ceil(ms) * kNanoseconds}}` : '-NAK'));
  }
  progress() {
    this.#tell(kProgress);
  }
}

module.exports = { NatsQueue };
