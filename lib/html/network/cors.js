// natives: none
// Which answers a page may read: https://fetch.spec.whatwg.org/#main-fetch and #http-fetch as a generator. It yields each
// exchange that it needs, { url, method, headers, body } or { route: url }, and is resumed with the answer; html/network/requests runs it,
// at once or in tasks. Every hop of a redirect is judged anew.
'use strict';

const { loop } = require('html/agents/agent');
const { parse, isHttp } = require('html/network/addresses');

const kSimpleMethods = ['GET', 'HEAD', 'POST'];
const kSafeHeaders = ['accept', 'accept-language', 'content-language', 'content-type'];
const kSimpleTypes = /^\s*(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(;|$)/i;
const kUnsafeBytes = /[\x00-\x08\x0a-\x1f"():<>?@[\\\]{}\x7f]/;
const kSafeValueBytes = 128;
const kMostSafeBytes = 1024; // of all safe values
const kRedirects = [301, 302, 303, 307, 308];
const kMostRedirects = 20;
const kExposed = ['cache-control', 'content-language', 'content-length', 'content-type', 'expires', 'last-modified', 'pragma'];
const kForbiddenMethods = ['CONNECT', 'TRACE', 'TRACK'];
const kBodyHeaders = ['content-encoding', 'content-language', 'content-location', 'content-type', 'content-length'];
const kBadPorts = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117,
  119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636,
  989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

// https://fetch.spec.whatwg.org/#forbidden-request-header
const kForbidden = new Set([
  'accept-charset',
  'accept-encoding',
  'access-control-request-headers',
  'access-control-request-method',
  'access-control-request-private-network',
  'connection',
  'content-length',
  'cookie',
  'cookie2',
  'date',
  'dnt',
  'expect',
  'host',
  'keep-alive',
  'origin',
  'referer',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
]);
const kOverrides = ['x-http-method', 'x-http-method-override', 'x-method-override'];
function isForbiddenHeader(name, value) {
  if (kForbidden.has(name) || /^(proxy|sec)-/.test(name)) return true;
  return kOverrides.includes(name) && `${value}`.split(',').some((method) => kForbiddenMethods.includes(method.trim().toUpperCase()));
}

// https://fetch.spec.whatwg.org/#cors-safelisted-request-header
function isSafeHeader(name, value) {
  if (name === 'range') {
    const found = /^bytes=(\d+)-(\d*)$/.exec(value);
    return found !== null && (found[2] === '' || +found[1] <= +found[2]);
  }
  if (!kSafeHeaders.includes(name) || value.length > kSafeValueBytes) return false;
  if (name === 'content-type') return kSimpleTypes.test(value) && !kUnsafeBytes.test(value);
  return name === 'accept' ? !kUnsafeBytes.test(value) : !/[^0-9A-Za-z *,\-.;=]/.test(value);
}

// https://fetch.spec.whatwg.org/#cors-unsafe-request-header-names, sorted. Safe ones are not when they are many.
function unsafeNames(headers) {
  const safe = headers.filter((pair) => isSafeHeader(pair[0], pair[1]));
  const size = safe.reduce((sum, pair) => sum + pair[1].length, 0);
  const unsafe = size > kMostSafeBytes ? headers : headers.filter((pair) => !safe.includes(pair));
  return [...each(new Set(unsafe.map((pair) => pair[0])))].toSorted();
}

// Pairs of names in small letters and values, without those that a page may not set; of a request without CORS only the safe ones.
function headersOfPage(headers, mode) {
  const pairs =
    headers === undefined || headers === null
      ? []
      : typeof headers[Symbol.iterator] === 'function'
        ? [...each(headers)]
        : Object.entries(headers);
  const own = pairs.map((pair) => [`${pair[0]}`.toLowerCase(), `${pair[1]}`]).filter((pair) => !isForbiddenHeader(pair[0], pair[1]));
  return mode === 'no-cors' ? own.filter((pair) => pair[0] !== 'range' && isSafeHeader(pair[0], pair[1])) : own;
}

const valueOf = (headers, name) => {
  const values = headers.filter((pair) => pair[0].toLowerCase() === name).map((pair) => pair[1]);
  return values.length === 0 ? undefined : values.join(', ');
};
const namesIn = (headers, name) =>
  (valueOf(headers, name) ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
const listOf = (headers, name) => namesIn(headers, name).map((item) => item.toLowerCase());
const isToken = (text) => /^[!#$%&'*+\-.^_`|~\w]+$/.test(text);

// `isRefusal`: it would be the same another time.
const refusal = (state, target) =>
  Object.assign(new Error(`${target.origin} does not allow it to ${state.client.origin}`), { isRefusal: true });

// https://fetch.spec.whatwg.org/#byte-serializing-a-request-origin
const originHeader = (state) => (state.isTainted ? 'null' : state.client.origin);

// https://fetch.spec.whatwg.org/#concept-cors-check
function passes(state, headers) {
  const allowed = valueOf(headers, 'access-control-allow-origin');
  if (allowed === undefined) return false;
  if (state.credentials !== 'include' && allowed === '*') return true;
  if (allowed !== originHeader(state)) return false;
  return state.credentials !== 'include' || valueOf(headers, 'access-control-allow-credentials') === 'true';
}

// https://w3c.github.io/webappsec-referrer-policy/#determine-requests-referrer: the policy is the request's, else
// strict-origin-when-cross-origin
function referrerFor(state, target) {
  const from = state.referrer ?? state.client.address();
  const policy = state.referrerPolicy || 'strict-origin-when-cross-origin';
  if (!isHttp(from) || policy === 'no-referrer') return undefined;
  const { href, origin, protocol, username, password } = parse(from);
  if (protocol === 'https:' && target.protocol === 'http:' && !/^(unsafe-url|origin|origin-when-cross-origin)$/.test(policy))
    return undefined;
  if (origin !== target.origin) state.hasLeft = true; // and a way back through others is none of its own
  if (policy === 'same-origin' && state.hasLeft) return undefined;
  if (policy === 'origin' || policy === 'strict-origin' || (state.hasLeft && /-when-cross-origin$/.test(policy))) return `${origin}/`;
  const plain = href.split('#')[0];
  return username || password ? plain.replace(/\/\/[^@/]*@/, '//') : plain;
}

// https://fetch.spec.whatwg.org/#concept-cache: what another origin has allowed, until when. By origin, credentials and address.
const allowed = new Map(); // key → { until, methods, names }
const kMostAllowed = 1000;
const kDefaultAge = 5;
const kMostAge = 7200;
const keyOf = (state, target) => `${originHeader(state)} ${state.credentials === 'include'} ${target.href.split('#')[0]}`;

function isAllowed(state, { methods, names }, unsafe) {
  const isPlain = state.credentials !== 'include';
  const mayUse = kSimpleMethods.includes(state.method) || methods.includes(state.method) || (isPlain && methods.includes('*'));
  return mayUse && unsafe.every((name) => names.includes(name) || (isPlain && name !== 'authorization' && names.includes('*')));
}

function remember(key, answer, methods, names) {
  const said = valueOf(answer.headers, 'access-control-max-age');
  const age = said === undefined || !/^\d+$/.test(said) ? kDefaultAge : Math.min(+said, kMostAge);
  if (age === 0) return allowed.delete(key);
  if (allowed.size >= kMostAllowed) allowed.clear();
  return allowed.set(key, { until: loop.now() + age * 1000, methods, names });
}

// https://fetch.spec.whatwg.org/#cors-preflight-fetch: the other origin is asked first.
function* preflight(state, target) {
  const unsafe = unsafeNames(state.headers);
  if (unsafe.length === 0 && !state.mustAsk && kSimpleMethods.includes(state.method)) return;
  const key = keyOf(state, target);
  const known = allowed.get(key);
  if (known !== undefined && known.until > loop.now() && isAllowed(state, known, unsafe)) return;
  const asked = [
    ['origin', originHeader(state)],
    ['access-control-request-method', state.method],
  ];
  if (unsafe.length > 0) asked.push(['access-control-request-headers', unsafe.join(',')]);
  const referrer = referrerFor(state, target);
  if (referrer !== undefined) asked.push(['referer', referrer]);
  const answer = yield { url: target.href, method: 'OPTIONS', headers: asked, body: undefined };
  const methods = namesIn(answer.headers, 'access-control-allow-methods'); // unlike names of headers, as they are written
  const names = listOf(answer.headers, 'access-control-allow-headers');
  const isGood = answer.status >= 200 && answer.status <= 299 && passes(state, answer.headers);
  if (!isGood || !isAllowed(state, { methods, names }, unsafe) || ![...each(methods), ...each(names)].every(isToken)) {
    allowed.delete(key);
    throw refusal(state, target);
  }
  remember(key, answer, methods, names);
}

// Headers of a request: the page's own and those that only we may set.
function headersToSend(state, target, hasCredentials) {
  const headers = [...each(state.headers), ...each(state.added)];
  // A page of no origin says so wherever it goes.
  const isUnknown = state.mode === 'navigate' && state.client.origin === 'null' && !/^(about|file):/.test(state.client.address());
  if (state.tainting === 'cors' || isUnknown || (state.method !== 'GET' && state.method !== 'HEAD'))
    headers.push(['origin', originHeader(state)]);
  const referrer = referrerFor(state, target);
  if (referrer !== undefined) headers.push(['referer', referrer]);
  const cookies = hasCredentials ? state.client.cookies.of(target, state) : '';
  if (cookies !== '') headers.push(['cookie', cookies]);
  return headers;
}

// https://fetch.spec.whatwg.org/#main-fetch, steps 12 and following, for an address of the network.
function* overNetwork(state, target) {
  if (target.port !== '' && kBadPorts.has(+target.port)) throw new Error(`port ${target.port} is not for pages`);
  const isOwn = target.origin === state.client.origin && state.tainting === 'basic';
  if (!isOwn && state.mode !== 'navigate') {
    if (state.mode === 'same-origin') throw refusal(state, target);
    if (state.mode === 'no-cors') {
      if (state.redirect !== 'follow' || !kSimpleMethods.includes(state.method)) throw refusal(state, target);
      state.tainting = 'opaque';
    } else {
      state.tainting = 'cors';
      yield* preflight(state, target);
    }
  }
  const hasCredentials = state.credentials === 'include' || (state.credentials === 'same-origin' && state.tainting === 'basic');
  const answer = yield {
    url: target.href,
    method: state.method,
    headers: headersToSend(state, target, hasCredentials),
    body: state.body,
    streams: state.streams,
  };
  if (hasCredentials)
    state.client.cookies.take(
      target,
      answer.headers.filter((pair) => pair[0] === 'set-cookie').map((pair) => pair[1]),
      state,
    );
  if (state.tainting === 'cors' && !passes(state, answer.headers)) throw refusal(state, target);
  return answer;
}

// https://fetch.spec.whatwg.org/#http-redirect-fetch: the state for the next hop.
function redirectTo(state, from, answer) {
  const location = valueOf(answer.headers, 'location');
  const target = parse(location, from.href);
  if (target === undefined || !isHttp(target.href)) throw new Error(`a redirect to ${location} is not followed`);
  if (++state.redirects > kMostRedirects) throw new Error('too many redirects');
  const isForeign = target.origin !== state.client.origin;
  if ((target.username || target.password) && ((state.mode === 'cors' && isForeign) || state.tainting === 'cors'))
    throw refusal(state, target);
  const drops =
    ((answer.status === 301 || answer.status === 302) && state.method === 'POST') ||
    (answer.status === 303 && state.method !== 'GET' && state.method !== 'HEAD');
  if (drops) {
    state.method = 'GET';
    state.body = undefined;
    state.headers = state.headers.filter((pair) => !kBodyHeaders.includes(pair[0]));
  }
  if (target.origin !== from.origin) {
    state.headers = state.headers.filter((pair) => pair[0] !== 'authorization');
    if (state.client.origin !== from.origin) state.isTainted = true;
  }
  // The fragment is the first address's, unless the redirect names one.
  if (target.hash === '' && from.hash !== '') return parse(`${target.href.split('#')[0]}${from.hash}`);
  return target;
}

// https://fetch.spec.whatwg.org/#concept-filtered-response
function filtered(state, target, answer) {
  const type = state.tainting;
  const whole = { ...answer, url: target.href, redirected: state.redirects > 0, type, referrer: referrerFor(state, target) };
  if (type === 'opaque') return whole; // who may not see it gets nothing of it: html/network/fetch
  const listed = listOf(answer.headers, 'access-control-expose-headers');
  const exposed = listed.every(isToken) ? listed : []; // a list that is none exposes nothing
  const isShown = (name) => {
    if (name === 'set-cookie' || name === 'set-cookie2') return false;
    return (
      type === 'basic' || kExposed.includes(name) || exposed.includes(name) || (state.credentials !== 'include' && exposed.includes('*'))
    );
  };
  return { ...whole, headers: answer.headers.filter((pair) => isShown(pair[0])) };
}

// request: { url, method, headers (pairs, as headersOfPage makes them), added (headers that are not the page's: nobody is asked for them),
// body, mode, credentials, redirect, client, streams, local(target, client), isRouted(target, state) }.
// Returns { status, statusText, headers, body, url, type, redirected, referrer (as the last server was told) };
// throws an Error that says why not.
function* run(request) {
  const state = { ...request, tainting: 'basic', redirects: 0, isTainted: false, hasLeft: false };
  let target = parse(request.url);
  if (target === undefined) throw new Error(`${request.url} is not an address`);
  if (kForbiddenMethods.includes(request.method.toUpperCase())) throw new Error(`${request.method} is not a method for pages`);
  for (;;) {
    if (request.isRouted(target, state)) {
      if (target.origin !== state.client.origin && isHttp(target.href) && state.mode !== 'navigate') state.tainting = 'cors';
      const answer = yield { route: target.href };
      const referrer = referrerFor(state, target);
      return { ...answer, url: target.href, redirected: state.redirects > 0, type: state.tainting, referrer };
    }
    if (!isHttp(target.href)) return { ...request.local(target, state), url: target.href, redirected: false, type: 'basic' };
    const answer = yield* overNetwork(state, target);
    const isRedirect = kRedirects.includes(answer.status) && valueOf(answer.headers, 'location') !== undefined;
    if (!isRedirect || state.redirect === 'manual') {
      return isRedirect
        ? { status: 0, statusText: '', headers: [], body: undefined, url: target.href, redirected: false, type: 'opaqueredirect' }
        : filtered(state, target, answer);
    }
    answer.abort?.();
    if (state.redirect === 'error') throw new Error(`${target.href} redirects`);
    target = redirectTo(state, target, answer);
  }
}

module.exports = { run, headersOfPage, isForbiddenHeader, valueOf };
