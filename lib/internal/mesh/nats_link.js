// natives: none
// One TCP or TLS connection to one NATS server, from the first INFO to its end. nats_connection.js makes a new one for each attempt.
'use strict';

const { MeshError } = require('internal/mesh/errors');
const { Parser } = require('internal/mesh/nats_parser');

const kMostPayload = 64 << 20;

class NatsLink {
  #options;
  #receiver;
  #socket;
  #parser;
  #opened; // { resolve, reject } until the server has taken us
  #isOver = false;
  #pongsToTell = []; // for each PING: whether somebody waits for its PONG

  info = undefined;
  missedPongs = 0;

  // receiver: { message(…), pong(), lost(error), refused(text), servers(urls) }
  constructor(server, options, receiver) {
    this.server = server;
    this.#options = options;
    this.#receiver = receiver;
    this.message = receiver.message;
    this.#parser = new Parser(this, kMostPayload);
  }

  get bufferedAmount() {
    return this.#socket.writableLength;
  }

  open() {
    const { host, port } = this.server;
    return new Promise((resolve, reject) => {
      const timeout = this.#options.timeout;
      const timer = setTimeout(() => {
        this.destroy(new MeshError('ERR_MESH_CONNECT', `${this.#place} did not answer within ${timeout} ms`));
      }, timeout);
      const settle = (end) => (value) => {
        clearTimeout(timer);
        this.#opened = undefined;
        end(value);
      };
      this.#opened = { resolve: settle(resolve), reject: settle(reject) };
      this.#use(require('internal/net/net').connect({ host, port, noDelay: true, keepAlive: true }));
    });
  }

  get #place() {
    return `NATS server ${this.server.host}:${this.server.port}`;
  }

  #use(socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', (error) => this.#end(error));
    socket.on('close', () => this.#end(undefined));
  }

  #read(chunk) {
    try {
      this.#parser.read(chunk);
    } catch (error) {
      if (error.code !== 'ERR_MESH_PROTOCOL') throw error;
      this.destroy(error);
    }
  }

  #end(cause) {
    if (this.#isOver) return;
    this.#isOver = true;
    const error = cause instanceof MeshError ? cause : this.#problem(cause);
    if (this.#opened !== undefined) this.#opened.reject(error);
    else this.#receiver.lost(error);
  }

  #problem(cause) {
    const why = cause === undefined ? 'closed the connection' : `cannot be reached: ${cause.message}`;
    const isTls = cause !== undefined && regexpTest.call(/^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/, `${cause.code}`);
    let code = 'ERR_MESH_DISCONNECTED';
    if (this.#opened !== undefined) code = isTls ? 'ERR_MESH_TLS' : 'ERR_MESH_CONNECT';
    return new MeshError(
      code,
      `${this.#place} ${isTls ? `was refused: ${cause.message}` : why}`,
      cause === undefined ? undefined : { cause },
    );
  }

  // --- what the parser reads

  onInfo(text) {
    let info;
    try {
      info = JSON.parse(text);
    } catch {
      return this.destroy(new MeshError('ERR_MESH_PROTOCOL', `${this.#place} sent an INFO that is no JSON`));
    }
    const isFirst = this.info === undefined;
    this.info = info;
    if (Array.isArray(info.connect_urls)) this.#receiver.servers(info.connect_urls);
    if (isFirst) this.#greet();
    return undefined;
  }

  #greet() {
    const wantsTls = this.server.tls || this.#options.tls !== undefined;
    if (this.info.tls_required || wantsTls) {
      if (!this.info.tls_required && !this.info.tls_available) {
        return this.destroy(new MeshError('ERR_MESH_TLS', `${this.#place} has no TLS`));
      }
      return this.#secure();
    }
    return this.#introduce();
  }

  #secure() {
    const plain = this.#socket;
    for (const event of each(['data', 'error', 'close'])) plain.removeAllListeners(event);
    const { host } = this.server;
    const options = { ...this.#options.tls, socket: plain };
    if (options.servername === undefined && require('internal/net/net').isIP(host) === 0) options.servername = host;
    options.host = host;
    this.#use(require('internal/tls/tls').connect(options, () => this.#introduce()));
  }

  #introduce() {
    const fields = {
      verbose: false,
      pedantic: false,
      headers: true,
      no_responders: true,
      echo: true,
      protocol: 1,
      lang: 'rondo',
      version: process.versions.rondo ?? '0',
      name: this.#options.name,
    };
    try {
      Object.assign(fields, this.#options.authenticate(this.info.nonce, this.server));
    } catch (error) {
      return this.destroy(error);
    }
    if (!this.info.headers)
      return this.destroy(new MeshError('ERR_MESH_SERVER', `${this.#place} is older than NATS 2.2: it has no headers`));
    this.#socket.write(`CONNECT ${JSON.stringify(fields)}\r\n`);
    this.ping(false);
    return undefined;
  }

  onPing() {
    this.#socket.write('PONG\r\n');
  }

  onPong() {
    this.missedPongs = 0;
    if (this.#opened !== undefined) return this.#opened.resolve();
    if (arrayShift.call(this.#pongsToTell)) this.#receiver.pong();
    return undefined;
  }

  onError(text) {
    const isAuth = regexpTest.call(/authoriz|authenticat|expired/i, text);
    const isFatal = this.#opened !== undefined || isAuth || !regexpTest.call(/^(?:permissions violation|invalid subject)/i, text);
    if (!isFatal) return this.#receiver.refused(text);
    // One that has taken us ends the connection with a word ('Stale Connection', 'Slow Consumer'): the next one is tried.
    let code = isAuth ? 'ERR_MESH_AUTH' : 'ERR_MESH_SERVER';
    if (this.#opened === undefined) code = 'ERR_MESH_DISCONNECTED';
    return this.destroy(new MeshError(code, `${this.#place} says: ${text}`));
  }

  // --- what the connection asks for

  write(chunk, callback) {
    this.#socket.write(chunk, callback);
  }
  ping(isAwaited) {
    this.missedPongs++;
    if (this.#opened === undefined) arrayPush.call(this.#pongsToTell, isAwaited);
    this.#socket.write('PING\r\n');
  }
  ref() {
    this.#socket.ref();
  }
  unref() {
    this.#socket.unref();
  }
  destroy(error) {
    this.#socket.destroy();
    this.#end(error);
  }
  close() {
    this.#isOver = true;
    this.#socket.end();
  }
}

module.exports = { NatsLink };
