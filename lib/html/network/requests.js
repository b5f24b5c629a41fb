// natives: none
// Requests of a page: files of its own folder, http, and answers that the page's author has scripted (rondo.route). Who
// asks is a client: a document or a worker, with its origin; html/network/cors says what it may have. Each answer arrives as a task of the
// networking source; the virtual clock waits for what is under way.
'use strict';

const { loop, sources, queueTask } = require('html/agents/agent');
const { parse, withoutFragment } = require('html/network/addresses');
const cors = require('html/network/cors');
const cookies = require('html/network/cookies');

// URL without fragment → { status, headers, body, delay, owner: origin of the page that has scripted it, or 'file:' }
const routes = new Map();
let folder = ''; // of the run's own page, if that is of a file: what pages of files may read, and they alone

const kTypes = {
  __proto__: null,
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.txt': 'text/plain',
};

function setFolder(url) {
  folder = `${url}`.startsWith('file:') ? parse('.', `${url}`).href : '';
}

// address(): its present URL; site(): that of the page around it; origin; folder: what it may read of the machine.
function clientFor({ href, origin, address = () => href, site = address }) {
  const client = { __proto__: null, origin, address, site, folder: href.startsWith('file:') ? folder : '' };
  client.cookies = cookies.cookiesOf(client);
  // The key by which it shares channels: its origin; for pages of files their folder; without an origin none.
  let group;
  client.group = () =>
    (group ??=
      origin !== 'null' ? origin : client.folder !== '' ? client.folder : `alone ${require('internal/crypto/crypto').randomUUID()}`);
  return client;
}
// The user, who has named the page that is run.
const user = () => ({ ...clientFor({ href: 'about:blank', origin: 'null', site: () => '' }), folder });

const clients = new WeakMap(); // a window or a worker's scope → its client
function addClient(window, given) {
  clients.set(window, clientFor(given));
}
const clientOf = (window) => clients.get(window);

// A page of a file, which its author runs, may script the answers of all; one that a server sent those that it gets itself, and no page of
// another origin.
function route(url, answer, client) {
  const {
    status = 200,
    headers = {},
    body = '',
    delay = 0,
    error = false,
  } = typeof answer === 'string' ? { body: answer } : (answer ?? {});
  const owner = client.folder !== '' ? 'file:' : client.origin;
  routes.set(withoutFragment(url), { status, headers: { ...headers }, body: `${body}`, delay, error, owner });
}
function isRoutedFor(target, { client, mode }) {
  const owner = routes.get(withoutFragment(target.href))?.owner;
  if (owner === undefined || owner === 'file:') return owner !== undefined;
  return owner !== 'null' && owner === client.origin && (mode !== 'navigate' || target.origin === owner);
}

// The data that another agent of the page needs to ask as this one does.
function state() {
  return { folder, routes: [...each(routes)], cookies: cookies.state() };
}
function adopt(given) {
  folder = given.folder;
  cookies.adopt(given.cookies);
  for (const [url, answer] of eachEntry(given.routes)) routes.set(url, answer);
}

const bytesOf = (text) => require('internal/buffer/buffer').Buffer.from(text);

function fromFile(url, client) {
  const { realpathSync, readFileSync } = require('internal/fs/fs');
  const { pathToFileURL, fileURLToPath } = require('internal/url/url');
  if (client.folder === '') throw new Error(`${client.address()} may not read files`);
  const path = fileURLToPath(url.split('#')[0].split('?')[0]);
  const home = realpathSync(fileURLToPath(client.folder));
  const real = realpathSync(path);
  if (!pathToFileURL(real).href.startsWith(`${pathToFileURL(home).href.replace(/\/$/, '')}/`)) {
    throw new Error(`a page may read files of its own folder only, not ${path}`);
  }
  const type = kTypes[require('internal/path/path').extname(path)] ?? 'application/octet-stream';
  return { status: 200, statusText: 'OK', headers: [['content-type', type]], body: readFileSync(real) };
}

function fromRoute(url) {
  const { status, headers, body, error } = routes.get(withoutFragment(url));
  if (error) throw new Error(`no answer from ${url}`);
  return {
    status,
    statusText: '',
    headers: Object.entries({ 'content-type': 'text/plain', ...headers }).map((pair) => [pair[0].toLowerCase(), `${pair[1]}`]),
    body: bytesOf(body),
    url,
  };
}

// https://fetch.spec.whatwg.org/#data-urls
function fromData(url) {
  const comma = url.indexOf(',');
  if (comma < 0) throw new Error('a data: URL has a comma');
  const type = url.slice('data:'.length, comma).trim();
  const isBase64 = /;\s*base64$/i.test(type);
  const bytes = require('internal/buffer/buffer').Buffer.from(unescape(url.slice(comma + 1).split('#')[0]), 'latin1');
  const body = isBase64 ? require('internal/buffer/buffer').Buffer.from(bytes.toString('latin1'), 'base64') : bytes;
  return {
    status: 200,
    statusText: 'OK',
    headers: [['content-type', type.replace(/;\s*base64$/i, '') || 'text/plain;charset=US-ASCII']],
    body,
  };
}
// Bytes behind percent signs, each as one unit.
const unescape = (text) => text.replace(/%([0-9a-f]{2})/gi, (found, digits) => String.fromCharCode(parseInt(digits, 16)));

// Objects of URL.createObjectURL of this agent: URL → { type, body, origin }.
const blobs = new Map();
function fromBlob(url, client) {
  const blob = blobs.get(url.split('#')[0]);
  if (blob === undefined || blob.origin !== client.origin) throw new Error(`${url} names no blob of ${client.origin}`);
  return { status: 200, statusText: 'OK', headers: [['content-type', blob.type]], body: blob.body };
}

const isRouted = (url) => routes.has(withoutFragment(url));
const isFile = (url) => url.startsWith('file:');

// https://fetch.spec.whatwg.org/#scheme-fetch, without the network: no redirect leads here.
function local({ href, protocol }, { client, redirects, method }) {
  if (redirects > 0) throw new Error(`a redirect to ${href} is not followed`);
  if (protocol === 'file:') return fromFile(href, client);
  if (protocol === 'data:') return fromData(href);
  if (protocol === 'blob:' && method === 'GET') return fromBlob(href, client);
  throw new Error(`nobody answers for ${protocol}`);
}

// The request as html/network/cors takes it. Resources of a document (mode 'no-cors') and pages ('navigate') come with credentials.
function stepsOf(
  url,
  {
    method = 'GET',
    headers = [],
    added = [],
    body,
    mode = 'no-cors',
    credentials,
    redirect = 'follow',
    mustAsk = false,
    streams = false,
    referrerPolicy = '',
    referrer,
    isNested = false,
  },
  client,
) {
  const sent = credentials ?? (mode === 'no-cors' || mode === 'navigate' ? 'include' : 'same-origin');
  return cors.run({
    url,
    method,
    headers,
    added,
    body,
    mode,
    credentials: sent,
    redirect,
    mustAsk,
    streams,
    referrerPolicy,
    referrer,
    isNested,
    client,
    isRouted: isRoutedFor,
    local,
  });
}

// The text of a script or module, at once, as `mode` allows it.
function read(url, client, mode = 'cors') {
  const answer = requestSync(url, { mode }, client);
  if (answer.status < 200 || answer.status > 299) throw new Error(`status ${answer.status}`);
  return answer;
}

// While the page waits, and nothing else runs.
function requestSync(url, options, client) {
  loop.block(true);
  try {
    const steps = stepsOf(url, options, client);
    let step = steps.next();
    while (!step.done) {
      const { route: routed } = step.value;
      let answer;
      try {
        if (routed !== undefined) loop.advance(routes.get(withoutFragment(routed)).delay);
        answer = routed === undefined ? require('html/network/blocking').request(step.value) : fromRoute(routed);
      } catch (error) {
        step = steps.throw(error);
        continue;
      }
      step = steps.next(answer);
    }
    return step.value;
  } finally {
    loop.block(false);
  }
}

// Calls back in a task of the networking source: (error) or (undefined, { status, statusText, headers, body, url, type, redirected }).
// Answers with what aborts it: nothing calls back then, and nothing waits.
function request(url, options, client, callback) {
  const steps = stepsOf(url, options, client);
  let isOver = false;
  let stop = () => {};
  let isHeld = false;
  const hold = (begins) => {
    if (isHeld !== begins) loop.hold(begins);
    isHeld = begins;
  };
  const settle = (error, answer) => {
    if (isOver) return;
    hold(false);
    queueTask(sources.networking, () => {
      if (isOver) return;
      isOver = true;
      callback(error, answer);
    });
  };
  const go = (resume) => {
    let step;
    try {
      step = resume();
    } catch (error) {
      return settle(error);
    }
    if (step.done) return settle(undefined, step.value);
    const { route: routed, streams } = step.value;
    if (routed !== undefined) {
      const timer = loop.setTimer(routes.get(withoutFragment(routed)).delay, false, () => {
        if (!isOver) go(() => steps.next(fromRoute(routed)));
      });
      stop = () => loop.clearTimer(timer);
      return undefined;
    }
    hold(true);
    const done = (error, answer) => {
      if (!isOver) go(() => (error === undefined ? steps.next(answer) : steps.throw(error)));
    };
    const { collect, stream } = require('html/network/network');
    stop = (streams ? stream : collect)(step.value, done);
    return undefined;
  };
  go(() => steps.next());
  return () => {
    if (isOver) return;
    isOver = true;
    hold(false);
    stop();
  };
}

module.exports = {
  folder: () => folder,
  read,
  request,
  requestSync,
  route,
  setFolder,
  isFile,
  isRouted,
  state,
  adopt,
  blobs,
  addClient,
  clientFor,
  clientOf,
  user,
};
