// natives: http
// One connection of a server: requests one after another, each answered before the next is begun.
//
//  SC1 `incoming` is the request whose answer is not out yet; while it is there no further head is handed on (a second one, of a
//      client that does not wait, is kept in `backlog` and reading pauses).
//  SC2 The parser is asked for further events only by pump(), which never runs within itself.
//  SC3 After close() nothing is sent and nothing comes.
'use strict';

const http = native('http');
const { kBody, kComplete, kEnd, kFailed, kHead, kMore, kUpgraded } = http;
const { Incoming } = require('internal/serve/incoming');
const { answer, answerLean, lineOf } = require('internal/serve/answer');
const { leanResponseOf } = require('undici/lib/web/fetch/response');
const { leanRequest } = require('undici/lib/web/fetch/request');

// Of a body that nobody reads, this much is let through to keep the connection.
const kMostDropped = 1024 * 1024;

class Connection {
  constructor(server, link) {
    this.server = server;
    this.link = link;
    this.parser = http.newParser(false, server.maxHeaderSize, 0);
    this.incoming = undefined;
    this.backlog = undefined;
    this.closing = false;
    this.closed = false;
    this.paused = false;
    this.pumping = false;
    this.within = false; // the native side is calling, and will keep what is left
    this.draining = undefined; // an answered request whose body is still coming
    this.socket = undefined; // a WebSocket has taken over
    this.sweeps = 0;
    this.taken = 0; // by the client, when it was looked at last
    this.stalled = 0;
    this.onPiece = (size, event, a, b, c) => this.piece(size, event, a, b, c);
    this.onAnswered = (status) => this.answered(status);
    link.consume(this.parser, this.onPiece);
  }

  keepsAlive(incoming) {
    return incoming.keepsAlive && !this.closing && !this.server.stopping;
  }

  piece(size, event, a, b, c) {
    this.sweeps = 0;
    if (size <= 0) {
      this.lost(size);
      return;
    }
    this.within = true;
    this.handle(event, a, b, c);
    if (event !== kHead || (a & kMore) !== 0) this.pump();
    this.within = false;
  }

  // The rest of what has arrived, as far as it may be looked at.
  pump() {
    if (this.pumping) return;
    this.pumping = true;
    while (!this.closed && this.backlog === undefined && this.socket === undefined) {
      const event = this.parser.next(false);
      if (event === undefined || event === kUpgraded) break;
      if (typeof event === 'number') this.handle(event);
      else if (Array.isArray(event)) this.handle(typeof event[0] === 'string' ? kFailed : kHead, event[0], event[1], event[2]);
      else this.handle(kBody, event);
    }
    this.pumping = false;
    if (!this.within && !this.closed) this.parser.keepRest();
  }

  handle(event, a, b, c) {
    if (event === kHead) {
      if (this.incoming === undefined && this.draining === undefined) {
        this.begin(a, b, c);
      } else {
        this.backlog = [a, b, c];
        this.pause();
      }
    } else if (event === kBody) {
      this.bodyPiece(a);
    } else if (event === kEnd) {
      const { draining } = this;
      (draining ?? this.incoming)?.finish();
      if (draining !== undefined) {
        this.draining = undefined;
        this.next();
      }
    } else if (event === kFailed) {
      this.refuse(a === 'HPE_HEADER_OVERFLOW' ? 431 : 400);
    }
  }

  bodyPiece(bytes) {
    if (this.draining === undefined) {
      this.incoming?.push(bytes);
      return;
    }
    this.draining.taken += bytes.length;
    if (this.draining.taken > kMostDropped) this.close();
  }

  begin(flags, target, head) {
    const incoming = (this.incoming = new Incoming(this, flags, target, head));
    this.server.pending++;
    if (!incoming.hasHost && !incoming.isOld) {
      this.refuse(400);
      return;
    }
    if (incoming.isConnect) {
      // any 2xx would promise a tunnel
      this.refuse(501);
      return;
    }
    if (incoming.asksUpgrade) this.beginUpgrade();
    let result;
    try {
      result = this.server.handler(leanRequest(incoming), this.server.infoOf(incoming));
    } catch (error) {
      this.failed(incoming, error);
      return;
    }
    this.settle(incoming, result);
  }

  // The following bytes may be another protocol's: then an ordinary answer is the connection's last.
  beginUpgrade() {
    if (this.server.webSocketHandlers === undefined) this.parser.setUpgrade(false);
    else this.closing = true;
  }

  settle(incoming, result) {
    const lean = leanResponseOf(result);
    if (lean === null) {
      this.settleLater(incoming, result);
    } else if (this.incoming === incoming) {
      if (lean !== undefined) answerLean(incoming, lean, this.onAnswered);
      else this.answerSlowly(incoming, result);
    }
  }

  settleLater(incoming, result) {
    if (typeof result?.then !== 'function') {
      this.failed(incoming, new TypeError('serve: fetch must return a Response or a promise of one'));
      return;
    }
    const onResponse = (response) => {
      if (leanResponseOf(response) === null)
        this.failed(incoming, new TypeError('serve: fetch must return a Response or a promise of one'));
      else this.settle(incoming, response);
    };
    promiseThen(Promise.resolve(result), onResponse, (error) => this.failed(incoming, error));
  }

  answerSlowly(incoming, response) {
    if (this.server.isUpgrade(response)) {
      this.pause();
      this.server.takeOver(incoming, response);
      return;
    }
    if (response.type === 'error') this.failed(incoming, new TypeError('serve: fetch returned Response.error()'));
    else answer(incoming, response, this.onAnswered);
  }

  // The handler threw or rejected, or gave something that cannot be sent.
  failed(incoming, error) {
    if (this.incoming !== incoming) return;
    if (incoming.pump !== undefined || incoming.hasFailed) {
      this.server.report(error);
      if (incoming.pump !== undefined) this.close();
      else answerLean(incoming, this.server.defaultError, this.onAnswered);
      return;
    }
    incoming.hasFailed = true;
    let result;
    try {
      result = this.server.onError(error, incoming);
    } catch (second) {
      this.failed(incoming, second);
      return;
    }
    this.settle(incoming, result);
  }

  // 0: the answer is out. Negative: the client is gone. An Error: the body broke off.
  answered(status) {
    const { incoming } = this;
    if (incoming === undefined) return;
    if (typeof status !== 'number') {
      this.failed(incoming, status);
      return;
    }
    if (status < 0) {
      this.close();
      return;
    }
    this.server.pending--;
    this.incoming = undefined;
    if (this.closed) return;
    if (!this.keepsAlive(incoming)) {
      this.finish();
      return;
    }
    if (!incoming.ended) {
      this.draining = incoming;
      incoming.dropBody();
      return;
    }
    this.next();
  }

  next() {
    if (this.backlog !== undefined) {
      const { 0: flags, 1: target, 2: head } = this.backlog;
      this.backlog = undefined;
      this.resume();
      this.begin(flags, target, head);
      if ((flags & kComplete) !== 0 && (flags & kMore) === 0) return;
      this.pump();
    } else if (this.paused) {
      this.resume();
      this.pump();
    }
  }

  pause() {
    if (this.paused || this.closed) return;
    this.paused = true;
    this.link.pause();
  }
  resume() {
    if (!this.paused || this.closed || this.backlog !== undefined) return;
    this.paused = false;
    this.link.consume(this.parser, this.onPiece);
  }

  // An answer that no handler gives, and the end.
  refuse(status) {
    if (this.closed) return;
    this.closing = true;
    const { incoming } = this;
    if (incoming?.pump === undefined)
      this.link.send(`${lineOf(status)}Connection: close\r\nContent-Length: 0\r\n\r\n`, undefined, () => {});
    this.drop(incoming, 'The request could not be read');
    this.finish();
  }

  // The client has gone, or will send no more.
  lost() {
    if (this.socket !== undefined) return;
    this.close();
  }

  drop(incoming, message) {
    if (incoming === undefined) return;
    this.incoming = undefined;
    this.server.pending--;
    const { DOMException } = require('internal/errors/dom_exception');
    const reason = new DOMException(message, 'AbortError');
    incoming.pump?.cancel(reason);
    incoming.fail(reason);
  }

  // Everything sent is still delivered.
  finish() {
    if (this.closed) return;
    this.closed = true;
    this.server.forget(this);
    this.server.linger(this.link);
  }
  close() {
    if (this.closed) return;
    this.closed = true;
    this.server.forget(this);
    this.link.close();
    this.drop(this.incoming, 'The client closed the connection');
  }

  // Bytes after the request, for the protocol that takes over.
  takeRest() {
    return this.parser.leftover();
  }
  // The WebSocket is over; what it sent last is still delivered.
  finishSocket() {
    if (this.closed) return;
    this.server.pending--;
    this.incoming = undefined;
    this.finish();
  }

  get isIdle() {
    return this.incoming === undefined && this.draining === undefined && this.socket === undefined;
  }
  age() {
    return this.parser.ageOf();
  }
  // How long the client has taken nothing of what waits for it; asked every `step`.
  stalledFor(step) {
    const { waiting, taken } = this.link.progress;
    this.stalled = waiting > 0 && taken === this.taken ? this.stalled + step : 0;
    this.taken = taken;
    return this.stalled;
  }
}

module.exports = { Connection };
