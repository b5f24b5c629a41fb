// natives: none
// A ClientRequest on its connection: gets the socket, reads the answer, gives the socket back to the agent or ends it.
'use strict';

const asyncContext = require('internal/async_hooks/context');
const { finished } = require('internal/streams/stream');
const { ConnResetException } = require('internal/errors/coded');
const { enqueue } = require('internal/queues/ticks');
const { HTTPParser, freeParser, parsers } = require('internal/http/parser');
const { detachSignal } = require('internal/http/incoming');
const observers = require('internal/http/observers');
const { lenientBits, maxHeaderSize } = require('internal/http/validate');
const { kNeedDrain, kSkipPendingData } = require('internal/http/symbols');

const kContext = Symbol('async context of the request');
const kError = Symbol('kError');
let debug = require('internal/util/debuglog').debuglog('http', (ready) => {
  debug = ready;
});

function emitError(request, error) {
  observers.clientFailed(request, error);
  request.emit('error', error);
}

function emitClose(request) {
  request._closed = true;
  request.emit('close');
}

const hangUp = () => new ConnResetException('socket hang up');
const isInformational = (status) => status >= 100 && status < 200 && status !== 101;

function destroy(request, error) {
  if (request.destroyed) return request;
  request.destroyed = true;
  request.res?._dump();
  request[kError] = error;
  request.socket?.destroy(error);
  return request;
}

// --- getting the socket

// Errors count from now on; everything else from the next tick.
function onSocket(request, socket, error) {
  if (socket && !error) {
    socket._httpMessage = request;
    request[kContext] = asyncContext.get();
    socket.on('error', onError);
  }
  enqueue(takeSocket, [request, socket, error]);
}

function takeSocket(request, socket, error) {
  if (request.destroyed || error) giveUp(request, socket, error);
  else {
    use(request, socket);
    request._flush();
  }
}

function giveUp(request, socket, error) {
  request.destroyed = true;
  const tell = (failure) => {
    if (!request.aborted && !failure) failure = hangUp();
    if (failure && failure.code !== 'ERR_PROXY_TUNNEL' && !socket?._hadError) emitError(request, failure);
    emitClose(request);
  };
  if (socket && (error || !request.agent || socket.destroyed)) {
    finished(socket.destroy(error || request[kError]), (failure) => {
      tell((failure?.code === 'ERR_STREAM_PREMATURE_CLOSE' ? null : failure) || error || request[kError]);
    });
    return;
  }
  if (socket) {
    socket.emit('free');
    socket.removeListener('error', onError);
  }
  tell(error || request[kError]);
}

function use(request, socket) {
  debug('%s %s gets a socket', request.method, request.path);
  const parser = parsers.alloc();
  request.socket = socket;
  parser.initialize(
    HTTPParser.RESPONSE,
    request.maxHeaderSize || maxHeaderSize(),
    lenientBits(request.httpValidation, request.insecureHTTPParser),
  );
  parser.socket = socket;
  parser.outgoing = request;
  request.parser = parser;
  socket.parser = parser;
  socket._httpMessage = request;
  if (typeof request.maxHeadersCount === 'number') parser.maxHeaderPairs = request.maxHeadersCount << 1;
  parser.joinDuplicateHeaders = request.joinDuplicateHeaders;
  parser.onIncoming = (response, keepAlive) => onResponse(socket, response, keepAlive);
  socket.on('data', onData);
  socket.on('end', onEnd);
  socket.on('close', onClose);
  socket.on('drain', onDrain);
  if (request.timeout !== undefined || request.agent?.options?.timeout) listenForTimeout(request);
  request.emit('socket', socket);
}

// --- what the socket tells

function release(socket, request, parser) {
  if (!parser) return;
  parser.finish();
  freeParser(parser, request, socket);
}

function onDrain() {
  const request = this._httpMessage;
  if (!request || request.finished || !request[kNeedDrain]) return;
  request[kNeedDrain] = false;
  request.emit('drain');
}

function onClose() {
  debug('socket closed');
  const request = this._httpMessage;
  const { parser } = this;
  const { res: response } = request;
  request.destroyed = true;
  if (response) {
    if (!response.complete) response.destroy(new ConnResetException('aborted'));
    emitClose(request);
    if (!response.aborted && response.readable) response.push(null);
  } else {
    if (!request.socket._hadError) {
      request.socket._hadError = true;
      emitError(request, hangUp());
    }
    emitClose(request);
  }
  request.outputData = [];
  release(this, request, parser);
}

function onError(error) {
  debug('socket failed: %s', error.message);
  const request = this._httpMessage;
  if (request) {
    this._hadError = true;
    emitError(request, error);
  }
  release(this, request, this.parser);
  this.removeListener('data', onData);
  this.removeListener('end', onEnd);
  this.destroy();
}

function onEnd() {
  const request = this._httpMessage;
  const { parser } = this;
  if (!request.res && !request.socket._hadError) {
    request.socket._hadError = true;
    emitError(request, hangUp());
  }
  release(this, request, parser);
  this.destroy();
}

// A connection that is used again reads in the async context of its first request; the answer belongs to its own.
function executeFor(request, parser, bytes) {
  if (!asyncContext.active) return parser.execute(bytes);
  const outer = asyncContext.exchange(request[kContext]);
  let isDone = false;
  try {
    const result = parser.execute(bytes);
    isDone = true;
    return result;
  } finally {
    if (isDone) asyncContext.set(outer);
    else asyncContext.noteThrow(outer);
  }
}

function onData(bytes) {
  const request = this._httpMessage;
  const { parser } = this;
  const result = executeFor(request, parser, bytes);
  if (typeof result !== 'number') {
    freeParser(parser, request, this);
    this.removeListener('data', onData);
    this.removeListener('end', onEnd);
    this.destroy();
    request.socket._hadError = true;
    emitError(request, result);
  } else if (parser.incoming?.upgrade) {
    upgrade(this, request, parser);
  } else if (parser.incoming?.complete && !isInformational(parser.incoming.statusCode)) {
    this.removeListener('data', onData);
    this.removeListener('end', onEnd);
    this.removeListener('drain', onDrain);
    freeParser(parser, request, this);
  }
}

// 101, or the answer to CONNECT: the connection is the program's.
function upgrade(socket, request, parser) {
  const response = parser.incoming;
  request.res = response;
  socket.removeListener('data', onData);
  socket.removeListener('end', onEnd);
  socket.removeListener('drain', onDrain);
  if (request.timeoutCb) socket.removeListener('timeout', request.timeoutCb);
  socket.removeListener('timeout', onResponseTimeout);
  const head = parser.leftover();
  freeParser(parser, request, socket);
  const event = request.method === 'CONNECT' ? 'connect' : 'upgrade';
  if (request.listenerCount(event) === 0) {
    socket.destroy();
    return;
  }
  request.upgradeOrConnect = true;
  socket.emit('agentRemove');
  socket.removeListener('close', onClose);
  socket.removeListener('error', onError);
  socket._httpMessage = null;
  socket.readableFlowing = null;
  request.emit(event, response, socket, head);
  request.destroyed = true;
  emitClose(request);
}

// --- the answer; returns 0, 1: it has no body, or 2: what follows is another protocol's

function onResponse(socket, response, keepAlive) {
  debug('answer %d', response.statusCode);
  const request = socket._httpMessage;
  if (request.res) {
    // A second answer to one request.
    socket.destroy();
    if (socket.parser) {
      socket.parser.incoming = request.res;
      socket.parser.incoming[kSkipPendingData] = true;
    }
    return 0;
  }
  request.res = response;
  if (response.upgrade) return 2;
  if (request.method === 'CONNECT') {
    response.upgrade = true;
    return 2;
  }
  if (isInformational(response.statusCode)) return inform(request, response);
  if (request.shouldKeepAlive && !keepAlive && !request.upgradeOrConnect) request.shouldKeepAlive = false;
  observers.clientAnswered(request, response);
  response.req = request;
  response.on('end', onResponseEnd);
  request.on('finish', onFinish);
  socket.on('timeout', onResponseTimeout);
  if (request.aborted || !request.emit('response', response)) response._dump();
  if (request.method === 'HEAD') return 1;
  if (response.statusCode === 304) {
    response.complete = true;
    return 1;
  }
  return 0;
}

function inform(request, response) {
  request.res = null;
  if (response.statusCode === 100) request.emit('continue');
  const { statusCode, statusMessage, httpVersion, httpVersionMajor, httpVersionMinor, headers, rawHeaders } = response;
  request.emit('information', { statusCode, statusMessage, httpVersion, httpVersionMajor, httpVersionMinor, headers, rawHeaders });
  return 1;
}

function onResponseTimeout() {
  this._httpMessage?.res?.emit('timeout');
}

function onResponseEnd() {
  const { req: request } = this;
  const { socket } = request;
  detachSignal(this);
  if (socket) {
    if (request.timeoutCb) socket.removeListener('timeout', emitTimeout);
    socket.removeListener('timeout', onResponseTimeout);
  }
  request._ended = true;
  if (!request.shouldKeepAlive) {
    if (!socket?.writable) return;
    if (typeof socket.destroySoon === 'function') socket.destroySoon();
    else socket.end();
  } else if (request.writableFinished && !this.aborted) {
    keepAlive(request);
  }
}

// The whole answer came before the request was sent.
function onFinish() {
  if (this.shouldKeepAlive && this._ended && !this.destroyed) keepAlive(this);
}

function keepAlive(request) {
  const { socket } = request;
  if (request.timeoutCb) {
    socket.setTimeout(0, request.timeoutCb);
    request.timeoutCb = null;
  }
  for (const [event, listener] of eachEntry([
    ['close', onClose],
    ['error', onError],
    ['data', onData],
    ['end', onEnd],
  ])) {
    socket.removeListener(event, listener);
  }
  enqueue(giveBack, [request]);
  request.destroyed = true;
  if (request.res) request.res.socket = null;
}

// After the program's own listeners for 'end'.
function giveBack(request) {
  emitClose(request);
  request.socket?.emit('free');
}

// --- time-outs, and calls that need the connection

function emitTimeout() {
  this._httpMessage?.emit('timeout');
}

function listenForTimeout(request) {
  if (request.timeoutCb) return;
  request.timeoutCb = emitTimeout;
  if (request.socket) request.socket.once('timeout', emitTimeout);
  else request.on('socket', (socket) => socket.once('timeout', emitTimeout));
}

function applyTimeout(socket, msecs) {
  if (socket.connecting) socket.once('connect', () => socket.setTimeout(msecs));
  else socket.setTimeout(msecs);
}

function setRequestTimeout(request, msecs, callback) {
  if (request._ended) return request;
  listenForTimeout(request);
  const time = require('internal/net/timeouts').duration(msecs, 'msecs');
  if (callback) request.once('timeout', callback);
  if (request.socket) applyTimeout(request.socket, time);
  else request.once('socket', (socket) => applyTimeout(socket, time));
  return request;
}

function whenConnected(request, method, args) {
  const call = () => {
    if (method) Reflect.apply(request.socket[method], request.socket, args);
  };
  const onceThere = () => {
    if (request.socket.writable) call();
    else request.socket.once('connect', call);
  };
  if (request.socket) onceThere();
  else request.once('socket', onceThere);
}

module.exports = { destroy, emitError, onSocket, setTimeout: setRequestTimeout, whenConnected };
