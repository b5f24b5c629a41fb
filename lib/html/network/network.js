// natives: none
// One exchange over http for a page: a request, its answer, no redirect followed and nothing judged (html/network/cors does both). None of
// the classes that a page has takes part in it, so that a page cannot look in by replacing their methods.
'use strict';

const { parse } = require('html/network/addresses');

// https://w3c.github.io/webappsec-secure-contexts/#localhost: names beneath localhost are this machine, whoever is asked for them.
let isLocalKnown = false;
function knowLocalNames() {
  if (isLocalKnown) return;
  isLocalKnown = true;
  const dns = require('internal/dns/dns');
  const { lookup } = dns;
  dns.lookup = (name, ...args) => lookup(/\.localhost$/i.test(name) ? 'localhost' : name, ...each(args));
}

const userAgent = () => `Mozilla/5.0 (linux) AppleWebKit/605.1.15 (KHTML, like Gecko) Rondo/${process.version.slice(1)}`;

// Default headers of a request.
const defaults = (protocol) => [
  ['accept', '*/*'],
  ['accept-language', '*'],
  ['user-agent', userAgent()],
  ['accept-encoding', protocol === 'https:' ? 'br, gzip, deflate' : 'gzip, deflate'],
];

function withDefaults(headers, protocol) {
  const names = new Set(headers.map((pair) => pair[0]));
  return [...each(headers), ...each(defaults(protocol).filter((pair) => !names.has(pair[0])))];
}

const decoders = {
  __proto__: null,
  gzip: 'gunzipSync',
  'x-gzip': 'gunzipSync',
  deflate: 'inflateSync',
  br: 'brotliDecompressSync',
  zstd: 'zstdDecompressSync',
};

// https://fetch.spec.whatwg.org/#handle-content-codings
function decoded(body, headers) {
  const codings = headers
    .filter((pair) => pair[0] === 'content-encoding')
    .flatMap((pair) => pair[1].toLowerCase().split(','))
    .map((coding) => coding.trim());
  if (body.length === 0 || codings.some((coding) => decoders[coding] === undefined)) return body;
  const zlib = require('internal/zlib/zlib');
  return codings.reduceRight((bytes, coding) => zlib[decoders[coding]](bytes), body);
}

// Pairs of names in small letters and values.
function pairsOf(headers) {
  const pairs = [];
  for (const name of each(Object.keys(headers))) {
    const values = Array.isArray(headers[name]) ? headers[name] : [headers[name]];
    for (const value of each(values)) pairs.push([name.toLowerCase(), `${value}`.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')]);
  }
  return pairs;
}

// The handler that undici calls: told.head(answer), told.data(bytes), told.end(), told.fail(error), each as it happens.
class Exchange {
  #told;
  #controller;
  #isAborted = false;

  constructor(told) {
    this.#told = told;
  }
  onRequestStart(controller) {
    this.#controller = controller;
    if (this.#isAborted) controller.abort(new Error('aborted'));
  }
  onResponseStart(controller, status, headers, statusText) {
    if (status >= 200 && !this.#isAborted) this.#told.head({ status, statusText: statusText ?? '', headers: pairsOf(headers) });
  }
  onResponseData(controller, bytes) {
    if (!this.#isAborted) this.#told.data(bytes);
  }
  onResponseEnd() {
    if (!this.#isAborted) this.#told.end();
  }
  onResponseError(controller, error) {
    if (!this.#isAborted) this.#told.fail(error);
  }
  abort() {
    this.#isAborted = true;
    this.#controller?.abort(new Error('aborted'));
  }
}

// Begins; answers with what aborts it.
function begin({ url, method, headers, body }, told) {
  knowLocalNames();
  const { origin, protocol, pathname, search } = parse(url);
  const exchange = new Exchange(told);
  require('undici/lib/global')
    .getGlobalDispatcher()
    .dispatch(
      {
        origin,
        path: pathname + search,
        method,
        headers: withDefaults(headers, protocol).flat(),
        body: body ?? null,
        bodyTimeout: 0,
        headersTimeout: 0,
      },
      exchange,
    );
  return () => exchange.abort();
}

// The whole answer: done(error) or done(undefined, { status, statusText, headers, body }). Answers with what aborts it; an aborted one
// calls nothing.
function collect(request, done) {
  let answer;
  const parts = [];
  return begin(request, {
    head(given) {
      answer = given;
    },
    data(bytes) {
      parts.push(bytes);
    },
    end() {
      try {
        answer.body = decoded(require('internal/buffer/buffer').Buffer.concat(parts), answer.headers);
      } catch (error) {
        return done(error);
      }
      return done(undefined, answer);
    },
    fail: (error) => done(error),
  });
}

// The answer's head, then its bytes as they come: answer.read({ data(bytes), end(), fail(error) }), once, at any time.
function stream(request, done) {
  let answer;
  let reader;
  const waiting = [];
  const pass = (name, value) => {
    if (reader === undefined) waiting.push([name, value]);
    else reader[name](value);
  };
  const abort = begin(
    { ...request, headers: [...each(request.headers), ['accept-encoding', 'identity']] },
    {
      head(given) {
        answer = {
          ...given,
          body: require('internal/buffer/buffer').Buffer.alloc(0),
          abort: () => abort(),
          read(given) {
            reader = given;
            for (const [name, value] of eachEntry(waiting)) reader[name](value);
          },
        };
        done(undefined, answer);
      },
      data: (bytes) => pass('data', bytes),
      end: () => pass('end'),
      fail: (error) => (answer === undefined ? done(error) : pass('fail', error)),
    },
  );
  return abort;
}

module.exports = { collect, stream, withDefaults, userAgent };
