// natives: none
// The mesh over NATS: what embedded_broker.js does inside of a process, with the same methods. Features (channel.js, call.js, queue.js …)
// are written against these methods alone.
'use strict';

const { MeshError } = require('internal/mesh/errors');
const { JetStream } = require('internal/mesh/jetstream');
const { NatsConnection } = require('internal/mesh/nats_connection');
const { authenticator } = require('internal/mesh/nats_auth');
const { NatsBucket } = require('internal/mesh/nats_bucket');
const { NatsQueue } = require('internal/mesh/nats_queue');

const kSilence = 30_000; // of a lost connection

function parseServer(text) {
  const url = regexpTest.call(/^[a-z]+:\/\//, text) ? text : `nats://${text}`;
  const { URL } = require('internal/url/url_class');
  let parsed;
  try {
    parsed = new URL(url);
  } catch {
    parsed = undefined;
  }
  if (parsed === undefined || !arrayIncludes.call(['nats:', 'tls:'], parsed.protocol) || parsed.hostname === '') {
    throw new MeshError('ERR_MESH_CONNECT', `'${text}' is no address of a NATS server, such as nats://host:4222`);
  }
  let host = parsed.hostname;
  if (stringStartsWith.call(host, '[')) host = stringSlice.call(host, 1, -1);
  const server = { host, port: parsed.port === '' ? 4222 : Number(parsed.port), tls: parsed.protocol === 'tls:' };
  const user = decodeURIComponent(parsed.username);
  if (user !== '' && parsed.password === '') server.token = user;
  else if (user !== '') Object.assign(server, { user, password: decodeURIComponent(parsed.password) });
  return server;
}

class NatsBroker {
  #connection;
  #js;
  #events;
  #id;
  #count = 0;
  #buckets = new Map();
  #queues = new Map();
  #silence;
  #lastTrace;
  #lastFrom;
  #lastHeader;
  #lastSubject;
  #lastPrefix;

  // events: { lost(error), found(), failed(error), recovered({ queue, sequences }) }
  constructor(options, id, events) {
    this.#id = id;
    this.#events = events;
    const servers = arrayMap.call(options.servers, parseServer);
    const settings = {
      servers,
      name: options.name,
      timeout: options.timeout,
      tls: options.tls,
      authenticate: authenticator(options),
    };
    this.#connection = new NatsConnection(settings, {
      connected: () => this.#connected(),
      disconnected: (error) => this.#disconnected(error, options.silence ?? kSilence),
      failed: (error) => events.failed(error),
    });
    this.#js = new JetStream(this.#connection, options.replicas, events.failed);
  }

  get kind() {
    return 'nats';
  }
  get maxPayload() {
    return this.#connection.info.max_payload;
  }

  // Whether there may be buckets and queues.
  get canKeep() {
    return this.#connection.info.jetstream === true;
  }

  open() {
    return this.#connection.open();
  }

  #isLost = false;
  #wasConnected = false;
  #connected() {
    clearTimeout(this.#silence);
    this.#silence = undefined;
    if (this.#wasConnected) {
      for (const bucket of each([...each(this.#buckets.values())]))
        promiseThen(
          bucket,
          (one) => one.reconnected(),
          () => {},
        );
      for (const queue of each([...each(this.#queues.values())]))
        promiseThen(
          queue,
          (one) => one.reconnected(),
          () => {},
        );
    }
    this.#wasConnected = true;
    if (this.#isLost) this.#events.found();
    this.#isLost = false;
  }
  #disconnected(error, silence) {
    this.#silence = setTimeout(() => {
      this.#isLost = true;
      this.#events.lost(error);
    }, silence);
    this.#silence.unref();
  }

  #newId = () => `r.${this.#id}.${++this.#count}`;

  // --- messages

  // Published messages have the cause as their first header, and those of channels the sender behind it.
  #header(trace, from) {
    if (trace === this.#lastTrace && from === this.#lastFrom) return this.#lastHeader;
    this.#lastTrace = trace;
    this.#lastFrom = from;
    this.#lastHeader = `NATS/1.0\r\ntraceparent: ${trace}\r\n${from === undefined ? '' : `Rondo-From: ${from}\r\n`}\r\n`;
    return this.#lastHeader;
  }
  publish(subject, reply, trace, value, from) {
    if (reply === undefined && subject === this.#lastSubject) {
      this.#connection.publishValue(this.#lastPrefix, this.#header(trace, from), value);
      return;
    }
    const prefix = `HPUB ${subject} ${reply === undefined ? '' : `${reply} `}`;
    if (reply === undefined) {
      this.#lastSubject = subject;
      this.#lastPrefix = prefix;
    }
    this.#connection.publishValue(prefix, this.#header(trace, from), value);
  }
  publishBytes(subject, reply, trace, bytes, from) {
    this.#connection.publishBytes(`HPUB ${subject} ${reply === undefined ? '' : `${reply} `}`, this.#header(trace, from), bytes);
  }
  // onMessage(message), valid until it returns: { chunk, bodyAt, end, reply, trace }. A function that ends it is returned.
  subscribe(subject, group, onMessage) {
    const sid = this.#connection.subscribe(subject, group, onMessage);
    return () => this.#connection.unsubscribe(sid);
  }
  // A subject for answers, each given to onMessage(message).
  answers(onMessage) {
    return this.#connection.answers(onMessage);
  }
  get bufferedAmount() {
    return this.#connection.bufferedAmount;
  }
  flush() {
    return this.#connection.flush();
  }
  hold() {
    this.#connection.hold();
  }
  release() {
    this.#connection.release();
  }

  // --- what is kept

  bucket(name, ttl) {
    let bucket = this.#buckets.get(name);
    if (bucket === undefined) {
      bucket = new NatsBucket(this.#js, name, this.#newId).open(ttl);
      this.#buckets.set(name, bucket);
      promiseThen(bucket, undefined, () => this.#buckets.delete(name));
    }
    return bucket;
  }
  queue(name, options) {
    let queue = this.#queues.get(name);
    if (queue === undefined) {
      queue = new NatsQueue(this.#js, name, this.#newId, this.#events).open(options);
      this.#queues.set(name, queue);
      promiseThen(queue, undefined, () => this.#queues.delete(name));
    }
    return queue;
  }

  async close() {
    clearTimeout(this.#silence);
    for (const queue of each([...each(this.#queues.values())]))
      promiseThen(
        queue,
        (one) => one.close(),
        () => {},
      );
    await this.#connection.close();
  }
}

module.exports = { NatsBroker };
