// natives: none
// EventSource of a window or a worker (https://html.spec.whatwg.org/#server-sent-events), over html/network/requests: another origin's
// events are a page's only if that origin says so. Events are tasks of the networking source.
'use strict';

const { loop, sources, queueTask, define } = require('html/agents/agent');
const { attribute } = require('html/window/handler_attribute');
const { fire } = require('html/window/events');
const { isHttp, parse, originOf } = require('html/network/addresses');
const { valueOf } = require('html/network/cors');
const requests = require('html/network/requests');

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

function addressOf(window, url, base) {
  const target = parse(`${url}`, base);
  if (target !== undefined) return target.href;
  throw new window.DOMException(
    `Failed to construct 'EventSource': Cannot open an EventSource to '${url}'. The URL is invalid.`,
    'SyntaxError',
  );
}

function optionsOf(lastId, withCredentials) {
  const added = [
    ['accept', 'text/event-stream'],
    ['cache-control', 'no-cache'],
  ];
  if (lastId !== '') added.push(['last-event-id', lastId]);
  return { added, mode: 'cors', credentials: withCredentials ? 'include' : 'same-origin', streams: true };
}

const isStream = ({ status, headers }) => status === 200 && /^\s*text\/event-stream\s*(;|$)/i.test(valueOf(headers, 'content-type') ?? '');

const messageOf = (window, { type, data, lastEventId }, origin) => new window.MessageEvent(type, { data, origin, lastEventId });

function readInto(stream, answer, ended) {
  if (answer.read !== undefined) return answer.read({ data: (bytes) => stream.take(bytes), end: ended, fail: ended });
  stream.take(answer.body); // a scripted answer
  return ended();
}

// The connection behind an EventSource `target`: it comes back by itself until it is closed.
class Connection {
  #window;
  #document;
  #target;
  #hold;
  #delay = kReconnectionMilliseconds;
  #lastId = '';
  #stop = () => {};
  #release = () => {};
  state = kConnecting;

  constructor(window, document, target, hold, url, withCredentials) {
    this.#window = window;
    this.#document = document;
    this.#target = target;
    this.#hold = hold;
    this.url = url;
    this.withCredentials = withCredentials;
    this.#connect();
  }

  #queue(steps) {
    const stepsIfOpen = () => {
      if (this.state !== kClosed) steps();
    };
    queueTask(sources.networking, stepsIfOpen, this.#document);
  }

  #connect() {
    this.#release = this.#hold();
    this.#stop = requests.request(
      this.url,
      optionsOf(this.#lastId, this.withCredentials),
      requests.clientOf(this.#window),
      (error, answer) => {
        this.#release();
        if (this.state === kClosed) return undefined;
        // Only a server may answer another time.
        if (error !== undefined) return error.isRefusal || !isHttp(this.url) ? this.#fail() : this.#reconnect();
        return isStream(answer) ? this.#open(answer) : this.#fail(answer);
      },
    );
  }

  #open(answer) {
    this.state = kOpen;
    this.#stop = () => answer.abort?.();
    fire(this.#window, this.#target, new this.#window.Event('open'));
    const origin = originOf(answer.url);
    const stream = new EventStream({
      retry: (milliseconds) => {
        this.#delay = milliseconds;
      },
      event: (event, id) => {
        this.#lastId = id;
        if (event !== undefined) this.#queue(() => fire(this.#window, this.#target, messageOf(this.#window, event, origin)));
      },
    });
    readInto(stream, answer, () => this.#queue(() => this.#reconnect()));
  }

  #fail(answer) {
    answer?.abort?.();
    this.state = kClosed;
    fire(this.#window, this.#target, new this.#window.Event('error'));
  }

  #reconnect() {
    this.state = kConnecting;
    const again = () => {
      if (this.state === kConnecting) this.#connect();
    };
    const timer = loop.setTimer(this.#delay, false, again, this.#document);
    this.#stop = () => loop.clearTimer(timer);
    fire(this.#window, this.#target, new this.#window.Event('error'));
  }

  close() {
    this.state = kClosed;
    this.#release();
    this.#stop();
  }
}

function eventSourceClass(window, document, base, hold) {
  return class EventSource extends window.EventTarget {
    #connection;

    constructor(url, init = {}) {
      super();
      if (arguments.length === 0) throw new window.TypeError("Failed to construct 'EventSource': 1 argument required, but only 0 present.");
      this.#connection = new Connection(window, document, this, hold, addressOf(window, url, base()), !!init?.withCredentials);
    }
    close() {
      this.#connection.close();
    }
    get url() {
      return this.#connection.url;
    }
    get readyState() {
      return this.#connection.state;
    }
    get withCredentials() {
      return this.#connection.withCredentials;
    }
  };
}

function install(window, document, base, constants, hold) {
  const EventSource = eventSourceClass(window, document, base, hold);
  constants(EventSource, ['CONNECTING', 'OPEN', 'CLOSED']);
  for (const type of each(['open', 'message', 'error'])) attribute(EventSource.prototype, type);
  define(EventSource.prototype, Symbol.toStringTag, 'EventSource', false);
  define(window, 'EventSource', EventSource, false);
}

module.exports = { install };
