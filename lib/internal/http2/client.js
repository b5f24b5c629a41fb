// natives: http2
// ClientHttp2Session and http2.connect(): a session whose requests are streams, started when the connection is there.
'use strict';

const { kNoBody, kBody, kBodyAndTrailers, kNoMoreStreams } = native('http2');
const {
  codes: {
    ERR_HTTP2_CONNECT_AUTHORITY,
    ERR_HTTP2_CONNECT_PATH,
    ERR_HTTP2_CONNECT_SCHEME,
    ERR_HTTP2_GOAWAY_SESSION,
    ERR_HTTP2_INVALID_SESSION,
    ERR_HTTP2_OUT_OF_STREAMS,
    ERR_HTTP2_UNSUPPORTED_PROTOCOL,
  },
} = require('internal/errors/coded');
const { validateAbortSignal, validateBoolean, validateNumber, validateObject, validateString } = require('internal/util/validators');
const { Http2Session } = require('internal/http2/session');
const { ClientHttp2Stream, kState } = require('internal/http2/stream');
const { fromList, packHeaders, withPseudo, kRequestPseudo } = require('internal/http2/headers');
const observers = require('internal/http2/observers');
const { NghttpError } = require('internal/http2/nghttp_error');

const kWithoutBody = new Set(['GET', 'HEAD', 'DELETE']);

const kRequestDefaults = [':method', ':authority', ':scheme', ':path'];

function requestFields(headers, session) {
  const fields = { __proto__: null, ...headers };
  fields[':method'] ??= 'GET';
  const isConnect = fields[':method'] === 'CONNECT' && fields[':protocol'] === undefined;
  if (isConnect) {
    if (fields[':authority'] === undefined) throw new ERR_HTTP2_CONNECT_AUTHORITY();
    if (fields[':scheme'] !== undefined) throw new ERR_HTTP2_CONNECT_SCHEME();
    if (fields[':path'] !== undefined) throw new ERR_HTTP2_CONNECT_PATH();
    return fields;
  }
  if (fields[':authority'] === undefined && fields.host === undefined) fields[':authority'] = session.authority;
  fields[':scheme'] ??= stringSlice.call(session.protocol, 0, -1);
  fields[':path'] ??= '/';
  return fields;
}

// Priorities have no meaning any more (RFC 9113); what is said of them has to be well formed all the same, as in Node.
let warnedOfWeight = false;
function checkRequestOptions({ weight, parent, exclusive, silent, endStream, signal }) {
  if (weight !== undefined && !warnedOfWeight) {
    warnedOfWeight = true;
    process.emitWarning('Priority signaling has been deprecated as of RFC 9113.', 'DeprecationWarning', 'DEP0194');
  }
  if (parent !== undefined) validateNumber(parent, 'options.parent', 0);
  if (exclusive !== undefined) validateBoolean(exclusive, 'options.exclusive');
  if (silent !== undefined) validateBoolean(silent, 'options.silent');
  if (endStream !== undefined) validateBoolean(endStream, 'options.endStream');
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
}

class ClientHttp2Session extends Http2Session {
  #waiting; // requests for the connection

  constructor(options, socket, authority, protocol) {
    super(false, options, socket);
    for (const [name, value] of eachEntry([
      ['authority', authority],
      ['protocol', protocol],
    ])) {
      Object.defineProperty(this, name, { __proto__: null, value, enumerable: false });
    }
  }

  request(headers = undefined, options = undefined) {
    const list = Array.isArray(headers) ? headers : undefined;
    if (list !== undefined) headers = fromList(list);
    else if (headers !== undefined) validateObject(headers, 'headers');
    const { endStream, waitForTrailers = false, signal } = options ?? {};
    checkRequestOptions(options ?? {});
    const fields = requestFields(headers, this);
    const packed = packHeaders(fields, kRequestPseudo, this.isStrict, list && withPseudo(list, fields, kRequestDefaults));
    const isOver = endStream ?? kWithoutBody.has(fields[':method']);
    const stream = new ClientHttp2Stream(this);
    stream[kState].sentHeaders = fields;
    // Of a session that is over the stream tells, so that a program that asks again inside of a callback need not catch.
    if (this.closed || this.destroyed) {
      const error = this.destroyed ? new ERR_HTTP2_INVALID_SESSION() : new ERR_HTTP2_GOAWAY_SESSION();
      process.nextTick(() => stream.destroy(error));
      return stream;
    }
    if (isOver) stream.end();
    this.pendingStreams.add(stream);
    if (signal !== undefined) require('internal/streams/add_abort_signal').addAbortSignal(signal, stream);
    const start = () => this.#start(stream, packed, isOver ? kNoBody : waitForTrailers ? kBodyAndTrailers : kBody);
    if (!this.connecting) {
      start();
    } else if (this.#waiting === undefined) {
      this.#waiting = [start];
      this.once('connect', () => {
        for (const begin of each(arraySplice.call(this.#waiting, 0))) begin();
      });
    } else {
      arrayPush.call(this.#waiting, start);
    }
    observers.created(stream, fields);
    return stream;
  }

  #start(stream, packed, body) {
    if (stream.destroyed || this.destroyed) return;
    if (this.closed) {
      stream.destroy(new ERR_HTTP2_GOAWAY_SESSION());
      return;
    }
    const id = this.handle.request(packed, body);
    if (id === kNoMoreStreams) {
      stream.destroy(new ERR_HTTP2_OUT_OF_STREAMS());
      return;
    }
    if (id < 0) {
      stream.destroy(new NghttpError(id));
      return;
    }
    stream.start(id);
    this.scheduleFlush();
    observers.started(stream, stream.sentHeaders);
  }

  // A stream that the server begins by itself: its answer comes as headers.
  onPromise(id, headers, flags, list) {
    const stream = new ClientHttp2Stream(this);
    stream[kState].id = id;
    this.register(stream, id);
    observers.created(stream, headers);
    observers.started(stream, headers);
    stream.end();
    stream.onHeaders = (answer, answerFlags, raw) => {
      delete stream.onHeaders;
      stream.hasAnswer = true;
      stream.emit('push', answer, answerFlags, raw);
      observers.answered(stream, answer, answerFlags);
    };
    if (!this.emit('stream', stream, headers, flags, list)) stream.close(8);
  }

  onNewStream(id) {
    this.handle.reset(id, 1);
  }
}

function hostOf(authority, options) {
  let host = 'localhost';
  if (authority.hostname) host = authority.hostname[0] === '[' ? stringSlice.call(authority.hostname, 1, -1) : authority.hostname;
  else if (authority.host) host = authority.host;
  const protocol = authority.protocol || options.protocol || 'https:';
  const port = `${authority.port !== '' && authority.port !== undefined ? authority.port : protocol === 'http:' ? 80 : 443}`;
  return { host, port, protocol };
}

function openSocket(authority, options, { host, port, protocol }) {
  if (typeof options.createConnection === 'function') return options.createConnection(authority, options);
  if (protocol === 'http:') return require('internal/net/net').connect({ port, host, ...options });
  if (protocol !== 'https:') throw new ERR_HTTP2_UNSUPPORTED_PROTOCOL(protocol);
  const isAddress = require('internal/net/net').isIP(host) !== 0;
  return require('internal/tls/tls').connect(port, host, { ALPNProtocols: ['h2'], servername: isAddress ? undefined : host, ...options });
}

function connect(authority, options = undefined, listener = undefined) {
  if (typeof options === 'function') [options, listener] = each([undefined, options]);
  const { URL } = require('internal/url/url_class');
  if (typeof authority === 'string') authority = new URL(authority);
  validateObject(authority, 'authority');
  const given = { ...options };
  if (given.maxOriginSetSize != null) validateNumber(given.maxOriginSetSize, 'options.maxOriginSetSize', 0);
  if (given.strictSingleValueFields !== undefined) validateBoolean(given.strictSingleValueFields, 'options.strictSingleValueFields');
  const place = hostOf(authority, given);
  validateString(place.protocol, 'protocol');
  const socket = openSocket(authority, given, place);
  const shown = given.servername || (stringIncludes.call(place.host, ':') ? `[${place.host}]` : place.host);
  const session = new ClientHttp2Session(given, socket, `${shown}:${place.port}`, place.protocol);
  const event = place.protocol === 'https:' || socket.secureConnecting ? 'secureConnect' : 'connect';
  const onConnected = () => {
    if (!session.destroyed) session.emit('connect', session, session.socket);
  };
  if (session.connecting) socket.once(event, onConnected);
  else process.nextTick(onConnected);
  if (typeof listener === 'function') session.once('connect', listener);
  return session;
}

// util.promisify(connect)(authority, options) → the session, once it is connected.
const connectLater = (authority, options) =>
  new Promise((resolve, reject) => {
    const session = connect(authority, options, () => {
      session.removeListener('error', reject);
      resolve(session);
    });
    session.once('error', reject);
  });
Object.defineProperty(connectLater, 'name', { __proto__: null, value: 'connect', configurable: true });
Object.defineProperty(connect, Symbol.for('nodejs.util.promisify.custom'), { __proto__: null, value: connectLater });

module.exports = { connect };
