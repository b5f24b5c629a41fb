// natives: none
// What a page asks of the outside world: files of its own folder, http, and answers that the page's author has scripted
// (rondo.route). Each answer arrives as a task of the networking source; the virtual clock waits for what is under way.
'use strict';

const { URL } = require('web/url');
const { loop, sources, queueTask } = require('html/agent');

const routes = new Map();  // URL without fragment → { status, headers, body, delay }
let folder = '';  // of the page: files elsewhere are not its business

const kTypes = { __proto__: null, '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.txt': 'text/plain' };

function setFolder(url) { folder = new URL('.', url).href; }

function route(url, answer = {}) {
  const { status = 200, headers = {}, body = '', delay = 0, error = false } = typeof answer === 'string' ? { body: answer } : answer;
  routes.set(withoutFragment(url), { status, headers, body: `${body}`, delay, error });
}

function withoutFragment(url) {
  const copy = new URL(url);
  copy.hash = '';
  return copy.href;
}

const bytesOf = (text) => require('buffer').Buffer.from(text);

function fromFile(url) {
  const path = require('url').fileURLToPath(new URL(url.split('#')[0].split('?')[0]));
  const { realpathSync, readFileSync } = require('fs');
  const { pathToFileURL, fileURLToPath } = require('url');
  const home = realpathSync(fileURLToPath(folder));
  if (!pathToFileURL(realpathSync(path)).href.startsWith(`${pathToFileURL(home).href.replace(/\/$/, '')}/`)) {
    throw new Error(`a page may read files of its own folder only, not ${path}`);
  }
  const type = kTypes[require('path').extname(path)] ?? 'application/octet-stream';
  return { status: 200, statusText: 'OK', headers: [['content-type', type]], body: readFileSync(path), url };
}

function fromRoute(url) {
  const { status, headers, body, error } = routes.get(withoutFragment(url));
  if (error) throw new Error(`no answer from ${url}`);
  return { status, statusText: '', headers: Object.entries({ 'content-type': 'text/plain', ...headers }).map((pair) => [pair[0].toLowerCase(), `${pair[1]}`]), body: bytesOf(body), url };
}

const isRouted = (url) => routes.has(withoutFragment(url));
const isFile = (url) => url.startsWith('file:');

// A module's text, at once.
function read(url) {
  if (isRouted(url)) return fromRoute(url).body.toString('utf8');
  if (isFile(url)) return fromFile(url).body.toString('utf8');
  throw new Error(`modules are files of the page's folder or scripted answers, not ${url}`);
}

// While the page waits, and nothing else runs.
function requestSync(url) {
  loop.block(true);
  try {
    if (isRouted(url)) {
      loop.advance(routes.get(withoutFragment(url)).delay);
      return fromRoute(url);
    }
    if (isFile(url)) return fromFile(url);
    throw new Error(`a synchronous request can read files and scripted answers only, not ${url}`);
  } finally {
    loop.block(false);
  }
}

// Calls back in a task of the networking source: (error) or (undefined, { status, statusText, headers, body, url }).
function request(url, { method = 'GET', headers, body, signal } = {}, callback) {
  const settle = (make) => queueTask(sources.networking, () => {
    let answer;
    try {
      answer = make();
    } catch (error) {
      return callback(error);
    }
    return callback(undefined, answer);
  });
  if (isRouted(url)) {
    const timer = loop.setTimer(routes.get(withoutFragment(url)).delay, false, () => settle(() => fromRoute(url)));
    signal?.addEventListener('abort', () => loop.clearTimer(timer));
    return;
  }
  if (isFile(url)) return settle(() => fromFile(url));
  loop.hold(true);
  const end = (make) => {
    loop.hold(false);
    settle(make);
  };
  promiseThen(overHttp(url, { method, headers, body, signal }), (answer) => end(() => answer), (error) => end(() => { throw error; }));
}

async function overHttp(url, options) {
  const response = await require('web/fetch').fetch(url, options);
  return {
    status: response.status, statusText: response.statusText, headers: [...each(response.headers)],
    body: require('buffer').Buffer.from(await response.arrayBuffer()), url: response.url,
  };
}

module.exports = { read, request, requestSync, route, setFolder, isFile };
