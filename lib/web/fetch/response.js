// natives: none
// Response (https://fetch.spec.whatwg.org/#response-class) with the body methods.
'use strict';

const { codes: { ERR_INVALID_THIS } } = require('internal/errors/coded');
const { enumerable, stringTag } = require('web/event');
const { Headers } = require('web/fetch/headers');

const kInspect = Symbol.for('nodejs.util.inspect.custom');

// A body init as a Blob (or a stream) and the content type it implies.
function extractBody(init) {
  const { Blob, isBlob } = require('web/blob');
  if (init === null || init === undefined) return { blob: null, stream: null, type: null };
  const { ReadableStream } = require('web/streams/readable_stream');
  if (init instanceof ReadableStream) return { blob: null, stream: init, type: null };
  if (isBlob(init)) return { blob: init, stream: null, type: init.type || null };
  if (ArrayBuffer.isView(init) || init instanceof ArrayBuffer) return { blob: new Blob([init]), stream: null, type: null };
  const { URLSearchParams } = require('web/url_search_params');
  const type = init instanceof URLSearchParams ?
    'application/x-www-form-urlencoded;charset=UTF-8' : 'text/plain;charset=UTF-8';
  return { blob: new Blob([`${init}`]), stream: null, type };
}

async function collect(stream) {
  const { Blob } = require('web/blob');
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return new Blob(chunks);
}

let stateOf;

class Response {
  #state;

  constructor(body = null, init = {}) {
    const { status = 200, statusText = '', headers } = init ?? {};
    if (!(status >= 200 && status <= 599)) {
      throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
    }
    const isNullBody = status === 204 || status === 205 || status === 304;
    if (isNullBody && body !== null && body !== undefined) {
      throw new TypeError(`Response constructor: Invalid response status code ${status}`);
    }
    const { blob, stream, type } = extractBody(body);
    this.#state = {
      status, statusText: `${statusText}`, headers: new Headers(headers), blob, stream, used: false, url: '', type: 'default',
    };
    if (type !== null && !this.#state.headers.has('content-type')) this.#state.headers.set('content-type', type);
  }

  static {
    stateOf = (response) => {
      if (typeof response !== 'object' || response === null || !(#state in response)) throw new ERR_INVALID_THIS('Response');
      return response.#state;
    };
  }

  static json(data, init = {}) {
    const text = JSON.stringify(data);
    if (text === undefined) throw new TypeError('The data is not JSON serializable');
    const response = new Response(text, init);
    if (!new Headers(init?.headers).has('content-type')) response.headers.set('content-type', 'application/json');
    return response;
  }

  static error() {
    const response = new Response();
    Object.assign(stateOf(response), { type: 'error', status: 0 });
    return response;
  }

  get type() {
    return stateOf(this).type;
  }

  get url() {
    return stateOf(this).url;
  }

  get redirected() {
    stateOf(this);
    return false;
  }

  get status() {
    return stateOf(this).status;
  }

  get ok() {
    const { status } = stateOf(this);
    return status >= 200 && status <= 299;
  }

  get statusText() {
    return stateOf(this).statusText;
  }

  get headers() {
    return stateOf(this).headers;
  }

  get body() {
    const state = stateOf(this);
    if (state.stream === null && state.blob !== null) state.stream = state.blob.stream();
    return state.stream;
  }

  get bodyUsed() {
    return stateOf(this).used;
  }

  async #consume() {
    const state = stateOf(this);
    if (state.used || state.stream?.locked) throw new TypeError('Body is unusable: Body has already been read');
    const { Blob } = require('web/blob');
    if (state.blob === null && state.stream === null) return new Blob();
    state.used = true;
    return state.stream === null ? state.blob : collect(state.stream);
  }

  async arrayBuffer() {
    return (await this.#consume()).arrayBuffer();
  }

  async bytes() {
    return (await this.#consume()).bytes();
  }

  async text() {
    return (await this.#consume()).text();
  }

  async json() {
    return JSON.parse(await (await this.#consume()).text());
  }

  async blob() {
    const { Blob } = require('web/blob');
    return new Blob([await this.#consume()], { type: this.headers.get('content-type') ?? '' });
  }

  clone() {
    const state = stateOf(this);
    if (state.used || state.stream?.locked) throw new TypeError('Response.clone: Body has already been consumed.');
    let body = state.blob;
    if (state.stream !== null) {
      const [mine, theirs] = each(state.stream.tee());
      state.stream = mine;
      state.blob = null;
      body = theirs;
    }
    const copy = new Response(body, { status: state.status, statusText: state.statusText, headers: state.headers });
    stateOf(copy).url = state.url;
    return copy;
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    const shown = {};
    for (const name of each(['status', 'statusText', 'headers', 'body', 'bodyUsed', 'ok', 'redirected', 'type', 'url'])) {
      shown[name] = this[name];
    }
    return `Response ${inspect(shown, options)}`;
  }
}

enumerable(Response.prototype, [
  'type', 'url', 'redirected', 'status', 'ok', 'statusText', 'headers', 'body', 'bodyUsed', 'arrayBuffer', 'bytes', 'text',
  'json', 'blob', 'clone',
]);
stringTag(Response, 'Response');

function responseFrom(url, body, type) {
  const response = new Response(body, { status: 200, statusText: 'OK', headers: { 'content-type': type } });
  Object.assign(stateOf(response), { url, type: 'basic' });
  return response;
}

module.exports = { Response, responseFrom };
