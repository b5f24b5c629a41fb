// natives: none
// EventSource of a window or a worker (https://html.spec.whatwg.org/#server-sent-events), over html/requests: another origin's events are a
// page's only if that origin says so. Events are tasks of the networking source.
'use strict';

const { loop, sources, queueTask, define } = require('html/agent');
const { attribute } = require('html/messaging');
const { fire } = require('html/events');
const { parse, originOf } = require('html/addresses');
const { valueOf } = require('html/cors');
const requests = require('html/requests');

const kConnecting = 0,
  kOpen = 1,
  kClosed = 2;
const kReconnectionMilliseconds = 3000;

// https://html.spec.whatwg.org/#event-stream-interpretation: bytes in, events out.
class EventStream {
  #decoder = new (require('internal/buffer/string_decoder').StringDecoder)('utf8');
  #rest = '';
  #isFirst = true;
  #data = [];
  #type = '';
  #id = '';
  #told;

  // told.event({ type, data, lastEventId }), told.retry(milliseconds)
  constructor(told) {
    this.#told = told;
  }

  take(bytes) {
    let text = this.#rest + this.#decoder.write(bytes);
    if (this.#isFirst && text !== '') {
      this.#isFirst = false;
      text = text.replace(/^\ufeff/, '');
    }
    // A carriage return at the end may be half of a line's end.
    const end = text.endsWith('\r') ? text.length - 1 : text.length;
    const lines = text.slice(0, end).split(/\r\n|\n|\r/);
    this.#rest = lines.pop() + text.slice(end);
    for (const line of each(lines)) this.#line(line);
  }

  #line(line) {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#type = value;
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) this.#told.retry(+value);
    return undefined;
  }

  #dispatch() {
    const data = this.#data.join('\n');
    const isEmpty = this.#data.length === 0;
    const type = this.#type || 'message';
    this.#data = [];
    this.#type = '';
    this.#told.event(isEmpty ? undefined : { type, data, lastEventId: this.#id }, this.#id);
  }
}

function install(window, document, base, constants, hold) {
  class EventSource extends window.EventTarget {
    #url;
    #state = kConnecting;
    #withCredentials;
    #delay = kReconnectionMilliseconds;
    #lastId = '';
    #stop = () => {};
    #release = () => {};

    constructor(url, init = {}) {
      super();
      if (arguments.length === 0) throw new window.TypeError("Failed to construct 'EventSource': 1 argument required, but only 0 present.");
      const target = parse(`${url}`, base());
      if (target === undefined)
        throw new window.DOMException(
          `Failed to construct 'EventSource': Cannot open an EventSource to '${url}'. The URL is invalid.`,
          'SyntaxError',
        );
      this.#url = target.href;
      this.#withCredentials = !!init?.withCredentials;
      this.#connect();
    }

    #queue(steps) {
      queueTask(
        sources.networking,
        () => {
          if (this.#state !== kClosed) steps();
        },
        document,
      );
    }

    #connect() {
      this.#release = hold();
      const added = [
        ['accept', 'text/event-stream'],
        ['cache-control', 'no-cache'],
      ];
      if (this.#lastId !== '') added.push(['last-event-id', this.#lastId]);
      const options = { added, mode: 'cors', credentials: this.#withCredentials ? 'include' : 'same-origin', streams: true };
      this.#stop = requests.request(this.#url, options, requests.clientOf(window), (error, answer) => {
        this.#release();
        if (this.#state === kClosed) return undefined;
        if (error !== undefined) return error.isRefusal ? this.#fail() : this.#reconnect();
        const isStream = answer.status === 200 && /^\s*text\/event-stream\s*(;|$)/i.test(valueOf(answer.headers, 'content-type') ?? '');
        return isStream ? this.#open(answer) : this.#fail(answer);
      });
    }

    #open(answer) {
      this.#state = kOpen;
      this.#stop = () => answer.abort?.();
      fire(window, this, new window.Event('open'));
      const origin = originOf(answer.url);
      const stream = new EventStream({
        retry: (milliseconds) => {
          this.#delay = milliseconds;
        },
        event: (event, id) => {
          this.#lastId = id;
          if (event !== undefined)
            this.#queue(() =>
              fire(window, this, new window.MessageEvent(event.type, { data: event.data, origin, lastEventId: event.lastEventId })),
            );
        },
      });
      const ended = () => this.#queue(() => this.#reconnect());
      if (answer.read === undefined) {
        // a scripted answer
        stream.take(answer.body);
        ended();
      } else {
        answer.read({ data: (bytes) => stream.take(bytes), end: ended, fail: ended });
      }
    }

    #fail(answer) {
      answer?.abort?.();
      this.#state = kClosed;
      fire(window, this, new window.Event('error'));
    }

    #reconnect() {
      this.#state = kConnecting;
      const timer = loop.setTimer(
        this.#delay,
        false,
        () => {
          if (this.#state === kConnecting) this.#connect();
        },
        document,
      );
      this.#stop = () => loop.clearTimer(timer);
      fire(window, this, new window.Event('error'));
    }

    close() {
      this.#state = kClosed;
      this.#release();
      this.#stop();
    }

    get url() {
      return this.#url;
    }
    get readyState() {
      return this.#state;
    }
    get withCredentials() {
      return this.#withCredentials;
    }
  }
  constants(EventSource, ['CONNECTING', 'OPEN', 'CLOSED']);
  for (const type of each(['open', 'message', 'error'])) attribute(EventSource.prototype, type);
  define(EventSource.prototype, Symbol.toStringTag, 'EventSource', false);
  define(window, 'EventSource', EventSource, false);
}

module.exports = { install };
