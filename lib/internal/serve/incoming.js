// natives: http
// A request as a server keeps it: the text of its head, from which method, address and fields are made when somebody asks, and the
// body as it comes. The program holds a Request over it (leanRequest) that is laid out on demand.
'use strict';

const http = native('http');
const { kComplete, kHasExpect, kHasHost, kKeepAlive, kMinor, kUpgrade } = http;
const { Buffer } = require('internal/buffer/buffer');

const methods = http.methods();

const kHighWater = 256 * 1024;

// Addresses that a parser of URLs would leave as they are.
const plainTarget = /^\/(?:[\w\-~!$&()*+,;=:@/?%]|\.(?![./]|$))*$/;
const plainHost = /^[a-z\d][a-z\d.-]*[a-z](?::\d+)?$|^\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?$/;
const hostField = /\nhost:[ \t]*([^\r\n]*?)[ \t]*\r?\n/i;

class Incoming {
  constructor(connection, flags, target, head) {
    this.connection = connection;
    this.flags = flags;
    this.target = target;
    this.head = head;
    this.address = undefined;
    this.controller = undefined;
    this.queue = undefined; // pieces of the body that nobody has taken
    this.queued = 0;
    this.taken = 0;
    this.ended = (flags & kComplete) !== 0;
    this.failure = undefined;
    this.source = undefined; // the controller of the body's stream
    this.waiting = undefined;
    this.madeBody = undefined;
  }

  get method() {
    return methods[this.flags & 0x3ff];
  }
  get isHead() {
    return (this.flags & 0x3ff) === kHeadMethod;
  }
  get isConnect() {
    return (this.flags & 0x3ff) === kConnectMethod;
  }
  get keepsAlive() {
    return (this.flags & kKeepAlive) !== 0;
  }
  get isOld() {
    return (this.flags & kMinor) === 0;
  }
  get asksUpgrade() {
    return (this.flags & kUpgrade) !== 0;
  }
  get hasHost() {
    return (this.flags & kHasHost) !== 0;
  }

  get url() {
    return (this.address ??= this.makeUrl());
  }
  makeUrl() {
    const {
      target,
      connection: { server },
    } = this;
    const host = regexpExec.call(hostField, this.head)?.[1] || server.authority;
    if (regexpTest.call(plainTarget, target) && regexpTest.call(plainHost, host) && !stringEndsWith.call(host, server.defaultPort))
      return `${server.scheme}//${host}${target}`;
    const { URL } = require('internal/url/url_class');
    const base = URL.parse(`${server.scheme}//${host}/`)?.href ?? `${server.scheme}//${server.authority}/`;
    if (target[0] === '/') return URL.parse(stringSlice.call(base, 0, -1) + target)?.href ?? base;
    return URL.parse(target, base)?.href ?? base;
  }

  headersList(HeadersList) {
    const list = new HeadersList();
    const raw = http.rawHeaders(this.head, 0);
    for (let i = 0; i < raw.length; i += 2) list.append(stringToLowerCase.call(raw[i]), raw[i + 1], true);
    return list;
  }
  // A field by its name in lower case; several are joined.
  field(name) {
    const value = http.headers(this.head, true, 0)[name];
    return typeof value === 'object' ? value[0] : value;
  }

  // Aborted when the client goes away before it has its answer.
  get signal() {
    this.controller ??= new (require('internal/events/abort').AbortController)();
    if (this.failure !== undefined) this.controller.abort(this.failure);
    return this.controller.signal;
  }

  get body() {
    if (this.madeBody !== undefined) return this.madeBody;
    if ((this.flags & kComplete) !== 0 || this.isEmpty) return (this.madeBody = null);
    const { ReadableStream } = require('internal/webstreams/readable_stream');
    const stream = new ReadableStream(
      {
        type: 'bytes',
        start: (controller) => {
          this.source = controller;
        },
        pull: () => this.pull(),
        cancel: () => {
          this.source = undefined;
          this.dropBody();
        },
      },
      { highWaterMark: 0 },
    );
    return (this.madeBody = { stream, source: null, length: null });
  }
  get isEmpty() {
    return this.ended && this.queued === 0 && this.source === undefined;
  }

  // From the parser.
  push(bytes) {
    const { connection } = this;
    this.taken += bytes.length;
    if (this.taken > connection.server.maxBodySize) {
      connection.refuse(413);
      return;
    }
    if (this.queue === null) return; // dropped
    if (this.waiting !== undefined) {
      this.enqueue(bytes);
      return;
    }
    arrayPush.call((this.queue ??= []), bytes);
    this.queued += bytes.length;
    if (this.queued > kHighWater) connection.pause();
  }
  finish() {
    this.ended = true;
    if (this.waiting !== undefined) this.pull();
  }
  enqueue(bytes) {
    const { source, waiting } = this;
    this.waiting = undefined;
    source.enqueue(new Uint8Array(bytes));
    waiting?.resolve();
  }

  pull() {
    const { source, queue } = this;
    if (this.failure !== undefined) {
      source.error(this.failure);
      return undefined;
    }
    if (queue?.length > 0) {
      const bytes = queue.length === 1 ? queue[0] : Buffer.concat(queue);
      this.queue = [];
      this.queued = 0;
      source.enqueue(new Uint8Array(bytes));
      this.connection.resume();
      return undefined;
    }
    if (this.ended) {
      const { waiting } = this;
      this.waiting = undefined;
      this.source = undefined;
      source.close();
      source.byobRequest?.respond(0);
      waiting?.resolve();
      return undefined;
    }
    this.waiting = Promise.withResolvers();
    if ((this.flags & kHasExpect) !== 0) {
      this.flags &= ~kHasExpect;
      this.connection.link.send('HTTP/1.1 100 Continue\r\n\r\n', undefined, () => {});
    }
    return this.waiting.promise;
  }

  // The remainder of the body has no reader.
  dropBody() {
    this.queue = null;
    this.queued = 0;
    this.connection.resume();
  }

  fail(reason) {
    this.failure = reason;
    this.controller?.abort(reason);
    const { source, waiting } = this;
    this.source = this.waiting = undefined;
    if (this.ended && this.queued === 0) return;
    source?.error(reason);
    waiting?.resolve();
  }
}

const kHeadMethod = arrayIndexOf.call(methods, 'HEAD');
const kConnectMethod = arrayIndexOf.call(methods, 'CONNECT');

module.exports = { Incoming };
