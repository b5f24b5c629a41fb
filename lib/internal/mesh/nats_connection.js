// natives: structured_clone
// A connection to one of several NATS servers: what is published is written in the order of publishing, what is subscribed is subscribed
// again on the next server when one is lost. Values are encoded straight into the memory that is written to the socket. It knows no
// streams (jetstream.js) and no features of the mesh.
'use strict';

const { encode } = native('structured_clone');
const { Buffer } = require('internal/buffer/buffer');
const { MeshError, closedError } = require('internal/mesh/errors');
const { NatsLink } = require('internal/mesh/nats_link');

const kChunk = 1 << 16;
const kMostWaiting = 64 << 20; // bytes that wait for the socket, or for a server
const kControl = 1024; // of a publication: its line and its header
const kSizeDigits = 8;
const kRetryFirst = 50,
  kRetryMost = 2000;
const kPingEvery = 20_000;

const newline = '\r\n';
const kNoSizes = stringRepeat.call(' ', kSizeDigits * 2 + 1);

// 'NATS/1.0\r\ntraceparent: ' and 55 characters, '\r\nRondo-From: ' and 12
const kTraceAt = 23,
  kTraceEnd = kTraceAt + 55,
  kFromAt = kTraceEnd + 14,
  kFromEnd = kFromAt + 12;

class NatsConnection {
  #options;
  #events;
  #servers;
  #link; // the server we talk to; undefined while there is none
  #out = Buffer.allocUnsafeSlow(kChunk);
  #at = 0;
  #willFlush = false;
  #lastPrefix; // of the last publication, with its header
  #lastHeader;
  #lastControl; // with its sizes
  #lastTotal = -1;
  #isEncoding = false;
  #nested = []; // publications made meanwhile
  #unsent = []; // chunks for the next server
  #unsentBytes = 0;
  #subscriptions = new Map(); // sid -> { subject, group, callback }
  #lastSid = 0;
  #inbox;
  #requests = new Map(); // number -> { resolve, reject, timer }
  #lastRequest = 0;
  #holds = 0;
  #closed = false;
  #connected; // a promise while there is no server
  #pongs = [];
  #pinger;

  // events: { connected(), disconnected(error), failed(error) }
  constructor(options, events) {
    this.#options = options;
    this.#events = events;
    this.#servers = arraySlice.call(options.servers);
    const random = require('internal/crypto/crypto').randomBytes(12).toString('hex');
    this.#inbox = `_INBOX.${random}`;
    this.subscribe(`${this.#inbox}.*`, undefined, (message) => this.#answer(message));
  }

  get info() {
    return this.#link?.info ?? {};
  }
  get isConnected() {
    return this.#link !== undefined;
  }
  get bufferedAmount() {
    return this.#at + (this.#link?.bufferedAmount ?? 0) + this.#unsentBytes;
  }

  // --- servers

  // Tries each server once.
  async open() {
    const problems = [];
    this.hold();
    try {
      for (const server of each(this.#servers)) {
        try {
          return await this.#use(server);
        } catch (error) {
          arrayPush.call(problems, error);
        }
      }
    } finally {
      this.release();
    }
    if (problems.length === 1) throw problems[0];
    const text = arrayJoin.call(
      arrayMap.call(problems, (error) => error.message),
      '; ',
    );
    throw new MeshError(problems[0].code, text, { cause: problems[0] });
  }

  async #use(server) {
    const link = new NatsLink(server, this.#options, {
      message: (sid, chunk, subjectAt, subjectEnd, replyAt, replyEnd, headerAt, bodyAt, end) =>
        this.#deliver(sid, chunk, subjectAt, subjectEnd, replyAt, replyEnd, headerAt, bodyAt, end),
      pong: () => arrayShift.call(this.#pongs)?.(),
      lost: (error) => this.#lose(link, error),
      refused: (text) => this.#events.failed(new MeshError('ERR_MESH_SERVER', `The server refused something: ${text}`)),
      servers: (urls) => this.#discover(urls, server),
    });
    await link.open();
    if (this.#closed) {
      link.close();
      throw closedError();
    }
    this.#link = link;
    if (this.#holds === 0) link.unref();
    for (const [sid, { subject, group }] of eachEntry([...each(this.#subscriptions)])) {
      link.write(Buffer.from(`SUB ${subject}${group === undefined ? '' : ` ${group}`} ${sid}\r\n`, 'latin1'));
    }
    const waiting = this.#unsent;
    this.#unsent = [];
    this.#unsentBytes = 0;
    for (const chunk of each(waiting)) link.write(chunk);
    this.#pinger = setInterval(() => this.#checkAlive(link), this.#options.pingEvery ?? kPingEvery);
    this.#pinger.unref();
    this.#connected = undefined;
    this.#events.connected(link.info);
  }

  #checkAlive(link) {
    if (link.missedPongs >= 2) link.destroy(new MeshError('ERR_MESH_DISCONNECTED', 'The server does not answer'));
    else link.ping(false);
  }

  // URLs of INFO: servers of the same cluster, reached as the first was.
  #discover(urls, server) {
    for (const url of each(urls)) {
      const found = regexpExec.call(/^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/, `${url}`);
      if (found === null) continue;
      const host = found[1] ?? found[2];
      const port = Number(found[3]);
      if (arraySome.call(this.#servers, (one) => one.host === host && one.port === port)) continue;
      if (this.#servers.length < 64) arrayPush.call(this.#servers, { ...server, host, port });
    }
  }

  #lose(link, error) {
    if (this.#link !== link) return;
    this.#link = undefined;
    clearInterval(this.#pinger);
    for (const pong of each(this.#pongs)) pong(error);
    this.#pongs = [];
    for (const [number, request] of eachEntry([...each(this.#requests)])) {
      if (request.callback !== undefined) continue;
      this.#requests.delete(number);
      clearTimeout(request.timer);
      request.reject(error);
    }
    if (this.#closed) return;
    this.#events.disconnected(error);
    this.#connected = this.#reconnect(link.server);
  }

  // Until one server takes us; the one that was lost last.
  async #reconnect(lost) {
    this.hold();
    try {
      for (let delay = kRetryFirst; !this.#closed; delay = Math.min(delay * 2, kRetryMost)) {
        const order = arrayFilter.call(this.#servers, (server) => server !== lost);
        arrayPush.call(order, lost);
        for (const server of each(order)) {
          if (this.#closed) return;
          try {
            await this.#use(server);
            return;
          } catch (error) {
            this.#events.failed(error);
          }
        }
        await new Promise((resolve) => setTimeout(resolve, delay * (0.5 + Math.random())));
      }
    } finally {
      this.release();
    }
  }

  // Resolves when there is a server.
  async connected() {
    while (this.#link === undefined) {
      if (this.#closed) throw closedError();
      await this.#connected;
    }
  }

  // --- publishing

  // `prefix`: the line up to the sizes, 'HPUB subject reply ', and `header` its whole text. The value is encoded behind.
  publishValue(prefix, header, value) {
    if (this.#isEncoding) return this.publishBytes(prefix, header, encode(value));
    let at = this.#room(kControl + prefix.length + header.length);
    const start = at;
    const out = this.#out;
    at = this.#control(out, at, prefix, header);
    const size = this.#encode(value, out, at);
    if (typeof size !== 'number') return this.publishBytes(prefix, header, size);
    if (at + size + 2 > out.length) {
      // no room for the end of the line
      const bytes = Buffer.from(out.subarray(at, at + size));
      return this.publishBytes(prefix, header, bytes);
    }
    this.#checkSize(header.length + size);
    this.#size(out, start + prefix.length, header.length + size);
    at += size;
    out[at] = 13;
    out[at + 1] = 10;
    this.#at = at + 2;
    this.#flushSoon();
    return undefined;
  }

  // A getter of the value may publish: that goes behind.
  #encode(value, out, at) {
    this.#isEncoding = true;
    try {
      return encode(value, out, at);
    } finally {
      this.#isEncoding = false;
      if (this.#nested.length > 0) this.#publishNested();
    }
  }

  #publishNested() {
    const nested = this.#nested;
    this.#nested = [];
    process.nextTick(() => arrayForEach.call(nested, (publish) => publish()));
  }

  publishBytes(prefix, header, bytes) {
    if (this.#isEncoding) {
      arrayPush.call(this.#nested, () => this.publishBytes(prefix, header, bytes));
      return;
    }
    this.#checkSize(header.length + bytes.length);
    const need = kControl + prefix.length + header.length;
    const start = this.#room(bytes.length < kChunk - need ? need + bytes.length : need);
    let at = this.#control(this.#out, start, prefix, header);
    this.#size(this.#out, start + prefix.length, header.length + bytes.length);
    if (bytes.length + 2 <= this.#out.length - at) {
      bytesSet.call(this.#out, bytes, at);
      at += bytes.length;
      at += this.#out.latin1Write(newline, at);
      this.#at = at;
    } else {
      // Long ones go as they are, between two chunks.
      this.#at = at;
      this.#flush();
      this.#send(Buffer.from(bytes));
      this.#at = this.#out.latin1Write(newline, 0);
    }
    this.#flushSoon();
  }

  // Writes 'prefix', the two sizes, and the header; most are those of the publication before. One with a header has two sizes, one without
  // has one; the server takes zeros in front and more than one space.
  #control(out, at, prefix, header) {
    if (prefix !== this.#lastPrefix || header !== this.#lastHeader) {
      this.#lastPrefix = prefix;
      this.#lastHeader = header;
      this.#lastControl = Buffer.from(`${prefix}${kNoSizes}${newline}${header}`, 'latin1');
      this.#lastTotal = -1;
      if (header.length > 0) writeNumber(this.#lastControl, prefix.length, header.length);
    }
    bytesSet.call(out, this.#lastControl, at);
    return at + this.#lastControl.length;
  }

  // The whole size into a publication whose sizes begin at that place.
  #size(out, at, total) {
    if (total === this.#lastTotal) return;
    this.#lastTotal = total;
    writeNumber(out, at + kSizeDigits + 1, total);
    writeNumber(this.#lastControl, this.#lastPrefix.length + kSizeDigits + 1, total);
  }

  #checkSize(total) {
    const limit = this.info.max_payload ?? 1 << 20;
    if (total <= limit) return;
    throw new MeshError('ERR_MESH_TOO_LARGE', `The message has ${total} bytes; the server takes ${limit} at most`);
  }

  // A place with that many bytes.
  #room(need) {
    if (this.#out.length - this.#at < need) this.#flush();
    // Asked for the first of each chunk.
    if (this.#at === 0 && this.bufferedAmount > kMostWaiting) {
      throw new MeshError('ERR_MESH_FULL', `More than ${kMostWaiting} bytes wait for the server`);
    }
    return this.#at;
  }

  #flushSoon() {
    if (this.#willFlush) return;
    this.#willFlush = true;
    this.hold();
    process.nextTick(() => {
      this.#willFlush = false;
      this.#flush();
      this.release();
    });
  }

  #flush() {
    if (this.#at === 0) return;
    const chunk = this.#out.subarray(0, this.#at);
    // A short chunk leaves the remainder of the memory for the next one.
    this.#out = this.#out.length - this.#at >= kChunk / 4 ? this.#out.subarray(this.#at) : Buffer.allocUnsafeSlow(kChunk);
    this.#at = 0;
    this.#send(chunk);
  }

  #send(chunk) {
    if (this.#link !== undefined) {
      this.hold();
      this.#link.write(chunk, () => this.release());
      return;
    }
    if (this.#closed) return;
    arrayPush.call(this.#unsent, chunk);
    this.#unsentBytes += chunk.length;
  }

  #command(text) {
    if (this.#link === undefined) return; // subscriptions are told to the next server as a whole
    const need = text.length + 2;
    const at = this.#room(need);
    this.#at = at + this.#out.latin1Write(text, at);
    this.#flushSoon();
  }

  // Resolves when the server has read everything that was published before.
  async flush() {
    await this.connected();
    this.#flush();
    this.hold();
    try {
      await new Promise((resolve, reject) => {
        arrayPush.call(this.#pongs, (error) => (error === undefined ? resolve() : reject(error)));
        this.#link.ping(true);
      });
    } finally {
      this.release();
    }
  }

  // Resolves when few bytes wait for the socket.
  async drained() {
    while (this.bufferedAmount > kChunk * 4) await this.flush();
  }

  // --- subscriptions

  // callback({ connection, chunk, subjectAt, subjectEnd, replyAt, replyEnd, headerAt, bodyAt, end }): the same object each time.
  subscribe(subject, group, callback) {
    const sid = ++this.#lastSid;
    this.#subscriptions.set(sid, { subject, group, callback });
    this.#command(`SUB ${subject}${group === undefined ? '' : ` ${group}`} ${sid}\r\n`);
    return sid;
  }

  unsubscribe(sid) {
    if (this.#subscriptions.delete(sid)) this.#command(`UNSUB ${sid}\r\n`);
  }

  #message = new NatsMessage();
  #deliver(sid, chunk, subjectAt, subjectEnd, replyAt, replyEnd, headerAt, bodyAt, end) {
    const subscription = this.#subscriptions.get(sid);
    if (subscription === undefined) return;
    const message = this.#message;
    message.chunk = chunk;
    message.subjectAt = subjectAt;
    message.subjectEnd = subjectEnd;
    message.replyAt = replyAt;
    message.replyEnd = replyEnd;
    message.headerAt = headerAt;
    message.bodyAt = bodyAt;
    message.end = end;
    subscription.callback(message);
  }

  // --- requests

  // Resolves with take(message), which reads it at once; a status of the server's (503) is taken too.
  request(subject, header, body, timeout, take) {
    const number = ++this.#lastRequest;
    const reply = `${this.#inbox}.${number}`;
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(closedError());
      const timer = setTimeout(() => {
        this.#requests.delete(number);
        this.release();
        reject(new MeshError('ERR_MESH_TIMEOUT', `No answer within ${timeout} ms`));
      }, timeout);
      const done = (end) => (value) => {
        this.release();
        end(value);
      };
      this.#requests.set(number, { resolve: done(resolve), reject: done(reject), timer, take });
      this.hold();
      try {
        this.publishBytes(`${header.length > 0 ? 'HPUB' : 'PUB'} ${subject} ${reply} `, header, body);
      } catch (error) {
        this.#requests.delete(number);
        clearTimeout(timer);
        this.release();
        reject(error);
      }
    });
  }

  // A subject for answers that arrive at callback(message).
  answers(callback) {
    const number = ++this.#lastRequest;
    this.#requests.set(number, { callback });
    return { subject: `${this.#inbox}.${number}`, stop: () => this.#requests.delete(number) };
  }

  // The same for what a stream delivers, which has the subject that it was published under: a subscription of its own.
  deliveries(callback) {
    const subject = `${this.#inbox}d.${++this.#lastRequest}`;
    const sid = this.subscribe(subject, undefined, callback);
    return { subject, stop: () => this.unsubscribe(sid) };
  }

  #answer(message) {
    const { chunk } = message;
    let number = 0;
    for (let at = message.subjectAt + this.#inbox.length + 1; at < message.subjectEnd; at++) number = number * 10 + chunk[at] - 48;
    const request = this.#requests.get(number);
    if (request === undefined) return;
    if (request.callback !== undefined) return request.callback(message);
    this.#requests.delete(number);
    clearTimeout(request.timer);
    let value;
    try {
      value = request.take(message);
    } catch (error) {
      request.reject(error);
      return;
    }
    request.resolve(value);
  }

  // --- lifetime

  // The connection keeps the loop alive while somebody holds it.
  hold() {
    if (this.#holds++ === 0) this.#link?.ref();
  }
  release() {
    if (--this.#holds === 0) this.#link?.unref();
  }

  async close() {
    if (this.#closed) return;
    this.#flush();
    if (this.#link !== undefined) {
      try {
        await this.flush();
      } catch {}
    }
    this.#closed = true;
    const link = this.#link;
    const error = closedError();
    if (link !== undefined) {
      link.close();
      this.#lose(link, error);
    }
  }
}

function writeNumber(out, at, number) {
  for (let i = kSizeDigits - 1; i >= 0; i--) {
    out[at + i] = 48 + (number % 10);
    number = Math.trunc(number / 10);
  }
}

// Texts of one length that come again and again: one that is the same as the last makes no string.
class LastText {
  #bytes;
  #text;
  constructor(length) {
    this.#bytes = new Uint8Array(length);
  }
  read(chunk, at) {
    const bytes = this.#bytes;
    const { length } = bytes;
    let i = 0;
    while (i < length && bytes[i] === chunk[at + i]) i++;
    if (i === length && this.#text !== undefined) return this.#text;
    for (; i < length; i++) bytes[i] = chunk[at + i];
    return (this.#text = chunk.latin1Slice(at, at + length));
  }
}

// A message as its places in a chunk. It is valid until its receiver returns.
class NatsMessage {
  chunk = undefined;
  subjectAt = 0;
  subjectEnd = 0;
  replyAt = 0;
  replyEnd = 0;
  headerAt = 0;
  bodyAt = 0;
  end = 0;
  #lastTrace = new LastText(kTraceEnd - kTraceAt);
  #lastFrom = new LastText(kFromEnd - kFromAt);

  get subject() {
    return this.chunk.latin1Slice(this.subjectAt, this.subjectEnd);
  }
  get reply() {
    return this.replyAt === 0 ? undefined : this.chunk.latin1Slice(this.replyAt, this.replyEnd);
  }
  // The code behind 'NATS/1.0 '; 0 when there is none.
  get status() {
    if (this.bodyAt - this.headerAt < 12 || this.chunk[this.headerAt + 8] !== 32) return 0;
    return Number(this.chunk.latin1Slice(this.headerAt + 9, this.headerAt + 12));
  }
  // As nats_broker.js writes them, in that order, the lines behind 'NATS/1.0'.
  get trace() {
    const { chunk, headerAt } = this;
    if (this.bodyAt - headerAt < kTraceEnd || chunk[headerAt + 10] !== 116 || chunk[headerAt + 21] !== 58) return undefined;
    return this.#lastTrace.read(chunk, headerAt + kTraceAt);
  }
  get from() {
    const { chunk, headerAt } = this;
    if (this.bodyAt - headerAt < kFromEnd || chunk[headerAt + kTraceEnd + 2] !== 82) return undefined;
    return this.#lastFrom.read(chunk, headerAt + kFromAt);
  }
  get headerText() {
    return this.chunk.utf8Slice(this.headerAt, this.bodyAt);
  }
  header(name) {
    if (this.bodyAt === this.headerAt) return undefined;
    const text = this.headerText;
    const at = stringIndexOf.call(text, `\r\n${name}: `);
    if (at < 0) return undefined;
    const begin = at + name.length + 4;
    return stringSlice.call(text, begin, stringIndexOf.call(text, '\r\n', begin));
  }
  get size() {
    return this.end - this.bodyAt;
  }
  json() {
    return JSON.parse(this.chunk.utf8Slice(this.bodyAt, this.end));
  }
}

module.exports = { NatsConnection };
