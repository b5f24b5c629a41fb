// natives: none
// Serves the page of rondo see to this machine: to a browser that has the address with its token, under this server's own name, from a page
// of this server or from none.
'use strict';

const { pageOf } = require('internal/observe/page_text');
const { Buffer } = require('internal/buffer/buffer');
const { URL } = require('internal/url/url');

const kMostBody = 4096;
const kWord = /^(?:pause|go|norules|step:[a-z]{1,12}|slow:\d{1,5}|rule:\d{1,6}:[a-z]{1,12}:[^\r\n]{1,120})$/;

// "0:1200:30,1:17:2": of each runtime the next record and the next name that a page lacks.
function parseHave(text) {
  const have = new Map();
  const parts = stringSplit.call(text, ',');
  for (let i = 0; i < parts.length; i++) {
    const { 0: number, 1: next, 2: names } = arrayMap.call(stringSplit.call(parts[i], ':'), Number);
    if (next >= 0 && names >= 0) have.set(number, { next, names });
  }
  return have;
}

function readBody(request) {
  return new Promise((resolve) => {
    const chunks = [];
    let length = 0;
    request.on('data', (chunk) => {
      length += chunk.length;
      if (length <= kMostBody) arrayPush.call(chunks, chunk);
    });
    request.on('end', () => resolve(length > kMostBody ? undefined : Buffer.concat(chunks).toString()));
    request.on('error', () => resolve(undefined));
  });
}

class PageServer {
  // `quizzes`: { titles, record(number) → a recording }, where the page is for them
  constructor(recorder, quizzes) {
    this.recorder = recorder;
    this.quizzes = quizzes;
    this.token = require('internal/crypto/crypto').randomBytes(16).toString('hex');
    this.server = require('internal/http/http').createServer((request, response) => this.answer(request, response));
    this.routes = {
      __proto__: null,
      'GET /': () => this.page(),
      'GET /recording': (query) => this.json(this.recorder.since(parseHave(query.get('have') ?? ''))),
      'GET /source': (query) => this.source(query.get('file') ?? ''),
      'GET /alive': (query) => this.alive(Number(query.get('runtime') ?? 0)),
      'GET /quiz': (query) => this.quiz(Number(query.get('number') ?? 0)),
      'POST /control': (query, request) => this.control(request),
    };
  }

  listen(port) {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, '127.0.0.1', () => resolve(this.server.address().port));
    });
  }

  // Another name for this machine is how a foreign page would come here (DNS rebinding).
  isAllowed({ headers, url }) {
    const { port } = this.server.address();
    const names = [`127.0.0.1:${port}`, `localhost:${port}`];
    if (!arrayIncludes.call(names, headers.host)) return false;
    const origins = arrayMap.call(names, (name) => `http://${name}`);
    if (headers.origin !== undefined && !arrayIncludes.call(origins, headers.origin)) return false;
    const given = Buffer.from(new URL(url, 'http://localhost').searchParams.get('token') ?? '');
    const wanted = Buffer.from(this.token);
    return given.length === wanted.length && require('internal/crypto/crypto').timingSafeEqual(given, wanted);
  }

  async answer(request, response) {
    const send = ({ status = 200, type = 'text/plain; charset=utf-8', text = '' }) => {
      response.writeHead(status, {
        'content-type': type,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
      response.end(text);
    };
    if (!this.isAllowed(request)) return send({ status: 403, text: 'no\n' });
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    const route = this.routes[`${request.method} ${pathname}`];
    return send(route === undefined ? { status: 404 } : await route(searchParams, request));
  }

  json(value) {
    return { type: 'application/json', text: JSON.stringify(value) };
  }
  page() {
    const recording = this.quizzes === undefined ? this.recorder.live() : this.quizzes.first;
    return { type: 'text/html; charset=utf-8', text: pageOf(recording) };
  }
  source(file) {
    const text = this.recorder.source(file);
    return text === undefined ? { status: 404 } : { text };
  }
  async alive(number) {
    const runtime = this.recorder.runtimes.get(number);
    const answer = await runtime?.peer.ask('alive', runtime.ownNumber);
    return answer === undefined ? { status: 404 } : this.json(answer.said);
  }
  async quiz(number) {
    const recording = await this.quizzes?.record(number);
    return recording === undefined ? { status: 404 } : this.json(recording);
  }

  // { runtime, words }: see src/observe/control.cpp. A page of another origin cannot send this type unasked.
  async control(request) {
    if (request.headers['content-type'] !== 'application/json') return { status: 415 };
    let order;
    try {
      order = JSON.parse((await readBody(request)) ?? '');
    } catch {
      return { status: 400 };
    }
    const runtime = this.recorder.runtimes.get(order?.runtime);
    const isWords = Array.isArray(order?.words) && arrayEvery.call(order.words, (word) => regexpTest.call(kWord, word));
    if (runtime === undefined || !isWords) return { status: 400 };
    for (let i = 0; i < order.words.length; i++) runtime.peer.send(`control page ${runtime.ownNumber} ${order.words[i]}`);
    return { status: 204 };
  }
}

module.exports = { PageServer };
