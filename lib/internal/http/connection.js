// natives: ledger
// One connection of an http.Server: reads requests, keeps their answers in order, says when the connection ends. Works on any Duplex;
// a net.Socket is read by the parser itself.
'use strict';

const ledger = native('ledger');

const { Buffer } = require('internal/buffer/buffer');
const { Socket } = require('internal/net/socket');
const { kTimeout } = require('internal/net/symbols');
const {
  codes: { ERR_HTTP_REQUEST_TIMEOUT, ERR_HTTP_SOCKET_ENCODING },
  ConnResetException,
} = require('internal/errors/coded');
const { enqueue } = require('internal/queues/ticks');
const { HTTPParser, freeParser, parsers } = require('internal/http/parser');
const { detachSignal, hasBodyHeaders, hasExpect, hasHost, isUnread } = require('internal/http/incoming');
const { emitClose } = require('internal/http/response');
const observers = require('internal/http/observers');
const { lenientBits, maxHeaderSize } = require('internal/http/validate');
const STATUS_CODES = require('internal/http/status');
const { kConnections, kNeedDrain, kOnFinish, kOptimizeEmpty, kServerResponse, kUniqueHeaders } = require('internal/http/symbols');

let debug = require('internal/util/debuglog').debuglog('http', (ready) => {
  debug = ready;
});

const kConnection = Symbol('the connection of a socket or response');
const continues = /(?:^|\W)100-continue(?:$|\W)/i;

const refusal = (code) => Buffer.from(`HTTP/1.1 ${code} ${STATUS_CODES[code]}\r\nConnection: close\r\n\r\n`, 'latin1');
const refusals = {
  __proto__: null,
  HPE_HEADER_OVERFLOW: refusal(431),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refusal(413),
  ERR_HTTP_REQUEST_TIMEOUT: refusal(408),
};
const badRequest = refusal(400);
const nop = () => {};
const orZero = (time) => (Number.isFinite(time) && time >= 0 ? time : 0);

class Connection {
  constructor(server, socket) {
    this.server = server;
    this.socket = socket;
    this.parser = null;
    this.incoming = [];
    this.outgoing = []; // answers whose turn has not come
    this.outgoingData = 0; // bytes they hold
    this.requests = 0;
    this.hasFailed = false; // what came was no HTTP, and has been reported
    this.isIdle = false;
    this.idleTimer = null; // see goIdle()
    this.idleTime = 0;
    this.upgradeStream = null;
    this.pendingData = (delta) => {
      this.outgoingData += delta;
      this.onDrain();
    };
    this.options = { highWaterMark: socket.writableHighWaterMark, rejectNonStandardBodyWrites: server.rejectNonStandardBodyWrites };
    this.onData = (bytes) => this.onBytes(bytes);
    this.onEnd = () => this.onSocketEnd();
    this.onClose = () => this.onSocketClose();
    this.drained = () => this.onDrain();
  }

  start() {
    const { server, socket } = this;
    socket.server = server;
    socket[kConnection] = this;
    for (const name of each(listening)) delete socket[name]; // of a connection that was upgraded
    if (server.timeout && typeof socket.setTimeout === 'function') socket.setTimeout(server.timeout);
    socket.on('timeout', onTimeout);
    const parser = (this.parser = parsers.alloc());
    parser.initialize(
      HTTPParser.REQUEST,
      server.maxHeaderSize || maxHeaderSize(),
      lenientBits(server.httpValidation, server.insecureHTTPParser),
    );
    parser.socket = socket;
    socket.parser = parser;
    if (typeof server.maxHeadersCount === 'number') parser.maxHeaderPairs = server.maxHeadersCount << 1;
    parser.onIncoming = (request, keepAlive) => this.onRequest(request, keepAlive);
    parser.onDone = (error) => this.onParsed(error);
    server[kConnections]?.add(this);
    socket.on('error', onError);
    socket.on('end', this.onEnd);
    socket.on('close', this.onClose);
    socket.on('drain', this.drained);
    socket._paused = false;
    socket.setEncoding = refuseEncoding;
    const { _handle: handle } = socket;
    if (typeof handle?.setConsumer === 'function' && handle.consumer === undefined && socket instanceof Socket && !socket.readableLength) {
      socket.on('resume', onResume);
      socket.on('pause', onPause);
      parser.consume(handle);
    }
    socket.on('data', this.onData);
    // A listener of the program's for data gets it: the parser then reads what the stream reads.
    for (const name of each(listening)) socket[name] = watchers[name];
  }

  // --- reading

  onBytes(bytes) {
    if (this.parser === null) return;
    const result = this.parser.execute(bytes);
    this.onParsed(typeof result === 'number' ? undefined : result);
  }

  // A piece has been read.
  onParsed(error) {
    const { parser, socket } = this;
    if (error !== undefined) {
      this.refuse(error);
    } else if (parser?.incoming?.upgrade) {
      this.upgrade(parser, parser.incoming);
    }
    if (socket._paused) socket.parser?.pause();
  }

  // A listener of 'clientError' that keeps the socket is told of every piece that is no HTTP.
  refuse(error) {
    this.hasFailed = true;
    call1(onError, this.socket, error);
  }

  // The request wants another protocol; if its body has come, the connection is the program's.
  upgrade(parser, request) {
    const { server, socket } = this;
    const event = request.method === 'CONNECT' ? 'connect' : 'upgrade';
    let stream = socket;
    let head = Buffer.alloc(0);
    if (request.complete) {
      head = parser.leftover();
      this.release();
    } else if (this.upgradeStream !== null) {
      return;
    } else {
      const { UpgradeStream } = require('internal/http/upgrade_stream');
      stream = this.upgradeStream = new UpgradeStream(socket, request);
    }
    if (server.listenerCount(event) === 0) {
      socket.destroy();
    } else if (request.complete && this.upgradeStream !== null) {
      this.upgradeStream.requestBodyCompleted(head);
    } else {
      socket.readableFlowing = null;
      server.emit(event, request, stream, head);
    }
  }

  release() {
    const { parser, socket } = this;
    for (const [name, listener] of eachEntry([
      ['data', this.onData],
      ['end', this.onEnd],
      ['close', this.onClose],
      ['drain', this.drained],
      ['error', onError],
      ['timeout', onTimeout],
    ]))
      socket.removeListener(name, listener);
    unconsume(parser, socket);
    this.server[kConnections]?.delete(this);
    freeParser(parser, null, socket);
    this.parser = null;
  }

  onSocketEnd() {
    const { server, socket, parser } = this;
    const error = parser?.finish();
    if (error !== undefined) {
      if (!this.hasFailed) this.refuse(error);
    } else if (!server.httpAllowHalfOpen) {
      socket.end();
    } else if (this.outgoing.length > 0) {
      this.outgoing[this.outgoing.length - 1]._last = true;
    } else if (socket._httpMessage) {
      socket._httpMessage._last = true;
    } else {
      socket.end();
    }
  }

  onSocketClose() {
    const { socket } = this;
    this.server[kConnections]?.delete(this);
    freeParser(this.parser, null, socket);
    this.parser = null;
    const aborted = () => new ConnResetException('aborted');
    while (this.incoming.length > 0) arrayShift.call(this.incoming).destroy(aborted());
    while (this.outgoing.length > 0) arrayShift.call(this.outgoing).destroy(aborted());
    const response = socket._httpMessage;
    if (response && response[kConnection] === this) emitClose(response);
  }

  onDrain() {
    const { socket } = this;
    if (socket._paused && this.outgoingData <= socket.writableHighWaterMark) {
      socket._paused = false;
      socket.parser?.resume();
      socket.resume();
    }
    const message = socket._httpMessage;
    if (message && !message.finished && message[kNeedDrain] && message.writableLength === 0) {
      message[kNeedDrain] = false;
      message.emit('drain');
    }
  }

  // --- requests

  onRequest(request, keepAlive) {
    const { server, socket } = this;
    if (this.isIdle) this.wake();
    if (request.upgrade) {
      request.upgrade = request.method === 'CONNECT' || Boolean(server.shouldUpgradeCallback(request));
      if (request.upgrade) return 0;
    }
    arrayPush.call(this.incoming, request);
    // A client that does not read its answers gets no more requests read.
    if (!socket._paused && (socket._writableState.needDrain || this.outgoingData >= socket.writableHighWaterMark)) {
      socket._paused = true;
      this.parser?.pause();
      socket.pause();
    }
    this.options.highWaterMark = socket.writableHighWaterMark;
    const response = new server[kServerResponse](request, this.options);
    this.prepare(response, request, keepAlive);
    if (server[kOptimizeEmpty] && !hasBodyHeaders(request)) {
      request._dumpAndCloseReadable();
      request._read();
    }
    this.dispatch(request, response);
    return 0;
  }

  prepare(response, request, keepAlive) {
    const { server, socket } = this;
    response[kConnection] = this;
    response[kOnFinish] = onFinish;
    response._keepAliveTimeout = server.keepAliveTimeout;
    if (server.maxRequestsPerSocket) response._maxRequestsPerSocket = server.maxRequestsPerSocket;
    response._onPendingData = this.pendingData;
    response.shouldKeepAlive = keepAlive;
    if (server[kUniqueHeaders] !== null) response[kUniqueHeaders] = server[kUniqueHeaders];
    observers.requestStarted(request, response, socket, server);
    if (socket._httpMessage) arrayPush.call(this.outgoing, response);
    else this.assign(response);
  }

  assign(response) {
    const { socket } = this;
    socket._httpMessage = response;
    response.socket = socket;
    response.emit('socket', socket);
    if (response.outputData.length > 0 || response.finished) response._flush();
  }

  dispatch(request, response) {
    const { server, socket } = this;
    if (request.httpVersionMinor === 1 && request.httpVersionMajor === 1) {
      if (server.requireHostHeader && !hasHost(request)) {
        response.writeHead(400, ['Connection', 'close']);
        response.end();
        return;
      }
      const most = server.maxRequestsPerSocket;
      if (typeof most === 'number' && most > 0) {
        this.requests++;
        response.maxRequestsOnConnectionReached = most <= this.requests;
        if (most < this.requests) {
          server.emit('dropRequest', request, socket);
          response.writeHead(503);
          response.end();
          return;
        }
      }
      if (hasExpect(request)) {
        this.expect(request, response);
        return;
      }
    }
    if (ledger.enabled) ledger.detail(request.method, request.url);
    server.emit('request', request, response);
  }

  expect(request, response) {
    const { server } = this;
    if (regexpTest.call(continues, request.headers.expect)) {
      response._expect_continue = true;
      if (server.listenerCount('checkContinue') > 0) {
        server.emit('checkContinue', request, response);
      } else {
        response.writeContinue();
        server.emit('request', request, response);
      }
    } else if (server.listenerCount('checkExpectation') > 0) {
      server.emit('checkExpectation', request, response);
    } else {
      response.writeHead(417);
      response.end();
    }
  }

  // --- the end of an answer

  sent(response) {
    const { server, socket } = this;
    const { req: request } = response;
    observers.responseFinished(request, response, socket, server);
    detachSignal(request);
    if (this.incoming.length === 1) arrayPop.call(this.incoming);
    else arrayShift.call(this.incoming);
    if (!request._consuming && (isUnread(request) || !isBeingRead(request._readableState))) request._dump();
    response.detachSocket(socket);
    this.forget(request);
    enqueue(emitClose, [response]);
    if (response._last) {
      if (typeof socket.destroySoon === 'function') socket.destroySoon();
      else socket.end();
    } else if (this.outgoing.length > 0) {
      this.assign(arrayShift.call(this.outgoing));
    } else {
      this.goIdle();
    }
  }

  // The parser need not know the request any more.
  forget(request) {
    const { parser } = this;
    if (parser === null || parser.incoming !== request) return;
    if (isUnread(request) || request.readableEnded) parser.incoming = null;
    else request.on('end', () => this.forget(request));
  }

  // Nothing is to be done until the next request. The timer stays when that comes, and is started again when it has been answered; if
  // it fires in between, nobody hears of it.
  goIdle() {
    const { server, socket } = this;
    const time = orZero(server.keepAliveTimeout);
    if (time === 0 || typeof socket.setTimeout !== 'function') return;
    const buffer =
      Number.isFinite(server.keepAliveTimeoutBuffer) && server.keepAliveTimeoutBuffer >= 0 ? server.keepAliveTimeoutBuffer : 1000;
    this.isIdle = true;
    if (this.idleTimer !== null && this.idleTimer === socket[kTimeout] && this.idleTime === time + buffer) {
      socket.timeout = this.idleTime;
      this.idleTimer.refresh();
      return;
    }
    socket.setTimeout(time + buffer);
    this.idleTimer = socket[kTimeout] ?? null;
    this.idleTime = time + buffer;
    if (Object.hasOwn(socket, '_onTimeout') && socket._onTimeout !== onIdleTimeout)
      this.idleTimer = null; // the program's own
    else if (this.idleTimer !== null) socket._onTimeout = onIdleTimeout;
  }

  wake() {
    const { server, socket } = this;
    this.isIdle = false;
    if (!server.timeout && this.idleTimer !== null && this.idleTimer === socket[kTimeout]) socket.timeout = 0;
    else socket.setTimeout(server.timeout || 0);
  }
}

function onIdleTimeout() {
  const connection = this[kConnection];
  if (connection.isIdle || this[kTimeout] !== connection.idleTimer) {
    Reflect.apply(Socket.prototype._onTimeout, this, []);
    return;
  }
  clearTimeout(connection.idleTimer);
  this[kTimeout] = connection.idleTimer = null;
}

const isBeingRead = (state) => state.resumeScheduled || state.dataEmitted;

function onFinish(response) {
  response[kConnection].sent(response);
}

function refuseEncoding() {
  throw new ERR_HTTP_SOCKET_ENCODING();
}

function onTimeout() {
  const request = this.parser?.incoming;
  const byRequest = request && !request.complete && request.emit('timeout', this);
  const response = this._httpMessage;
  const byResponse = response && response.emit('timeout', this);
  const byServer = this.server.emit('timeout', this);
  if (!byRequest && !byResponse && !byServer) this.destroy();
}

// Handles an error of the connection; answered if nothing has been sent yet.
function onError(error) {
  debug('connection failed: %s', error.message);
  this.removeListener('error', onError);
  if (this.listenerCount('error', nop) === 0) this.on('error', nop);
  if (this.server.emit('clientError', error, this)) return;
  if (this.writable && (!this._httpMessage || !this._httpMessage._headerSent)) this.write(refusals[error.code] ?? badRequest);
  this.destroy(error);
}

function onResume() {
  if (this._paused) this.pause();
  else if (this._handle && !this._handle.reading) this._handle.readStart();
}

function onPause() {
  if (this._handle?.reading) this._handle.readStop();
}

function unconsume(parser, socket) {
  if (!parser?._consumed) return;
  parser.unconsume();
  socket.removeListener('pause', onPause);
  socket.removeListener('resume', onResume);
}

function watchListeners(name) {
  const plain = Socket.prototype[name];
  return function listen(event, listener) {
    const result = Reflect.apply(plain, this, [event, listener]);
    if (!this.parser) {
      for (const own of each(listening)) delete this[own];
    } else if (event === 'data' || event === 'readable') {
      unconsume(this.parser, this);
    }
    return result;
  };
}

const listening = ['on', 'addListener', 'prependListener'];
const watchers = Object.fromEntries(each(arrayMap.call(listening, (name) => [name, watchListeners(name)])));

function connectionListener(socket) {
  debug('new connection');
  new Connection(this, socket).start();
}

// Requests that take too long, as the server's two limits say.
function checkConnections(server) {
  const headers = orZero(server.headersTimeout);
  const whole = orZero(server.requestTimeout);
  if (headers === 0 && whole === 0) return;
  for (const { parser, socket } of each([...each(server[kConnections])])) {
    const age = parser === null ? NaN : parser.age();
    const isLate = (headers > 0 && age >= headers) || (whole > 0 && Math.abs(age) >= whole);
    if (!isLate) continue;
    parser.forgetAge(); // one report a message
    call1(onError, socket, new ERR_HTTP_REQUEST_TIMEOUT());
  }
}

// Also one that has not sent anything yet.
const isIdle = ({ parser, socket }) => parser !== null && parser.isIdle() && !(socket._httpMessage && !socket._httpMessage.finished);

module.exports = { checkConnections, connectionListener, isIdle };
