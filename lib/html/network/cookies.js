// natives: none
// The cookies of an agent: those that its pages and their servers set, in one jar (tough-cookie's, which jsdom's document.cookie uses,
// too). Another agent of the run (a worker, a window of another origin) gets a copy when it starts.
'use strict';

const { parse } = require('html/network/addresses');

let jar;
let copied; // of the agent that started this one, until it is needed

function theJar() {
  if (jar !== undefined) return jar;
  const pack = require('html/jsdom/pack');
  pack.open();
  const { CookieJar } = pack.load('tough-cookie/dist/index.cjs');
  jar = copied === undefined ? new CookieJar(undefined, { looseMode: true }) : CookieJar.deserializeSync(copied);
  copied = undefined;
  return jar;
}

const state = () => (jar === undefined ? copied : jar.serializeSync());
function adopt(given) {
  copied = given;
}

// https://html.spec.whatwg.org/#same-site, by host where the host is no name with a registrable domain
function siteOf({ protocol, hostname }) {
  if (/^[\d.]+$|^\[/.test(hostname) || !hostname.includes('.')) return `${protocol}//${hostname}`;
  const { getDomain } = require('html/jsdom/pack').load('tldts/dist/cjs/index.js');
  return `${protocol}//${getDomain(hostname, { allowPrivateDomains: true }) ?? hostname}`;
}

// Whether a document is of the site of the page that is shown.
function isOfItsSite({ site, origin }) {
  const shown = parse(site());
  const own = parse(origin);
  return shown === undefined || (own !== undefined && siteOf(own) === siteOf(shown));
}

// Which cookies a request may carry: tough-cookie's words for
// https://httpwg.org/http-extensions/draft-ietf-httpbis-rfc6265bis.html#name-same-site-and-cross-site-re. The page that is shown and the
// document that asks must both be of the target's site.
function contextOf({ site, origin }, target, { mode, method, isNested }) {
  const from = parse(site());
  if (from === undefined) return 'strict'; // what the user asked for
  const own = parse(origin);
  if (from.protocol !== 'file:' && own !== undefined && siteOf(from) === siteOf(target) && siteOf(own) === siteOf(target)) return 'strict';
  return mode === 'navigate' && method === 'GET' && !isNested ? 'lax' : 'none';
}

// As a Chromium does: what says nothing about it is lax.
const isSent = (cookie, context) => context !== 'none' || cookie.sameSite === 'none';

// https://httpwg.org/http-extensions/draft-ietf-httpbis-rfc6265bis.html#name-cookie-name-prefixes, in letters of any case; a cookie without
// a name is sent as its value, which may look like a name.
function keepsPromise(text) {
  const parts = text.split(';').map((part) => part.trim().toLowerCase());
  const pair = parts[0];
  const prefix = /^=?\s*(__host-|__secure-)/.exec(pair)?.[1];
  if (prefix === undefined) return true;
  if (pair[0] === '=' || !pair.includes('=') || !parts.includes('secure')) return false;
  const isOfHost = parts.some((part) => /^path\s*=\s*\/$/.test(part)) && !parts.some((part) => /^domain\s*=\s*\S/.test(part));
  return prefix === '__secure-' || isOfHost;
}

const isForAllSites = (text) => /;\s*samesite\s*=\s*none\s*(;|$)/i.test(text);

// `client`: { site() }, the address of the page that is shown.
const cookiesOf = (client) => ({
  of(target, request) {
    if (jar === undefined && copied === undefined) return '';
    const context = contextOf(client, target, request);
    return theJar()
      .getCookiesSync(target.href, { sameSiteContext: context })
      .filter((cookie) => isSent(cookie, context))
      .map((cookie) => cookie.cookieString())
      .join('; ');
  },
  take(target, headers, request) {
    if (headers.length === 0) return;
    const sameSiteContext = contextOf(client, target, request);
    for (const header of each(headers)) {
      if (!keepsPromise(header) || (sameSiteContext === 'none' && !isForAllSites(header))) continue;
      theJar().setCookieSync(header, target.href, { ignoreError: true, sameSiteContext });
    }
  },
});

// https://html.spec.whatwg.org/#dom-document-cookie: a document of no origin has none; a frame in a page of another site sees those alone
// that its requests carry.
function contextIn(document) {
  const window = document._defaultView?._globalProxy;
  if (window === undefined) return undefined; // no browsing context, no cookies
  const client = require('html/network/requests').clientOf(window);
  if (client.folder !== '') return 'strict'; // pages of files
  if (client.origin !== 'null') return contextOf(client, parse(client.address()), { mode: 'no-cors', method: 'GET' });
  const message = "Failed to read the 'cookie' property from 'Document': Access is denied for this document.";
  throw new window.DOMException(message, 'SecurityError');
}
const addressOf = (document) => require('html/network/requests').clientOf(document._defaultView._globalProxy).address();

function guardDocuments() {
  require('html/jsdom/patches').patchAccessor('document: cookie', () => ({
    get() {
      const context = contextIn(this);
      if (context === undefined || (jar === undefined && copied === undefined)) return '';
      return theJar()
        .getCookiesSync(addressOf(this), { http: false })
        .filter((cookie) => isSent(cookie, context))
        .map((cookie) => cookie.cookieString())
        .join('; ');
    },
    set(given) {
      const context = contextIn(this);
      const text = `${given}`;
      if (context === undefined || !keepsPromise(text) || (context !== 'strict' && !isForAllSites(text))) return;
      theJar().setCookieSync(text, addressOf(this), { http: false, ignoreError: true });
    },
  }));
}

module.exports = {
  guardDocuments,
  siteOf,
  isOfItsSite,
  theJar,
  state,
  adopt,
  cookiesOf,
};
