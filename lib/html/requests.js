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

// What another agent of the page needs to ask as this one does.
function state() { return { folder, routes: [...each(routes)] }; }
function adopt(given) {
  folder = given.folder;
  for (const [url, answer] of eachEntry(given.routes)) routes.set(url, answer);
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

// https://fetch.spec.whatwg.org/#data-urls
function fromData(url) {
  const comma = url.indexOf(',');
  if (comma < 0) throw new Error('a data: URL has a comma');
  const type = url.slice('data:'.length, comma).trim();
  const isBase64 = /;\s*base64$/i.test(type);
  const bytes = require('buffer').Buffer.from(unescape(url.slice(comma + 1).split('#')[0]), 'latin1');
  const body = isBase64 ? require('buffer').Buffer.from(bytes.toString('latin1'), 'base64') : bytes;
  return { status: 200, statusText: 'OK', headers: [['content-type', type.replace(/;\s*base64$/i, '') || 'text/plain;charset=US-ASCII']], body, url };
}
// Bytes behind percent signs, each as one unit.
const unescape = (text) => text.replace(/%([0-9a-f]{2})/gi, (found, digits) => String.fromCharCode(parseInt(digits, 16)));

// What URL.createObjectURL of this agent has made: URL → { type, body }.
const blobs = new Map();
function fromBlob(url) {
  const blob = blobs.get(url.split('#')[0]);
  if (blob === undefined) throw new Error(`${url} names no blob`);
  return { status: 200, statusText: 'OK', headers: [['content-type', blob.type]], body: blob.body, url };
}

const isRouted = (url) => routes.has(withoutFragment(url));
const isFile = (url) => url.startsWith('file:');

// What can be answered without asking anybody else: how; else undefined.
function localAnswer(url) {
  if (isRouted(url)) return fromRoute;
  if (isFile(url)) return fromFile;
  if (url.startsWith('data:')) return fromData;
  return url.startsWith('blob:') ? fromBlob : undefined;
}

// https://fetch.spec.whatwg.org/#cors-check: whether a page of `origin` may have the answer.
function isAllowed({ url, headers }, origin) {
  if (!/^https?:/.test(url) || new URL(url).origin === origin) return true;
  const allowed = headers.find((pair) => pair[0].toLowerCase() === 'access-control-allow-origin')?.[1];
  return allowed === '*' || allowed === origin;
}

// A module's text, at once.
function read(url, origin) {
  const answer = requestSync(url);
  if (answer.status >= 400) throw new Error(`status ${answer.status}`);
  if (!isRouted(url) && !isAllowed(answer, origin)) throw new Error(`${new URL(answer.url).origin} does not allow it to ${origin}`);
  return answer.body.toString('utf8');
}

// While the page waits, and nothing else runs.
function requestSync(url, options) {
  loop.block(true);
  try {
    if (isRouted(url)) loop.advance(routes.get(withoutFragment(url)).delay);
    return localAnswer(url)?.(url) ?? require('html/blocking').request(url, options);
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
  const local = localAnswer(url);
  if (local !== undefined) return settle(() => local(url));
  loop.hold(true);
  const end = (make) => {
    loop.hold(false);
    settle(make);
  };
  promiseThen(overHttp(url, { method, headers, body, signal }), (answer) => end(() => answer), (error) => end(() => { throw error; }));
}

// https://w3c.github.io/webappsec-secure-contexts/#localhost: names beneath localhost are this machine, whoever is asked for them.
let isLocalKnown = false;
function knowLocalNames() {
  if (isLocalKnown) return;
  isLocalKnown = true;
  const dns = require('dns');
  const { lookup } = dns;
  dns.lookup = (name, ...args) => lookup(/\.localhost$/i.test(name) ? 'localhost' : name, ...each(args));
}

async function overHttp(url, options) {
  knowLocalNames();
  const response = await require('web/fetch').fetch(url, options);
  return {
    status: response.status, statusText: response.statusText, headers: [...each(response.headers)],
    body: require('buffer').Buffer.from(await response.arrayBuffer()), url: response.url,
  };
}

module.exports = { read, request, requestSync, route, setFolder, isFile, isRouted, isAllowed, state, adopt, blobs };
