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

// Which cookies a request may carry: tough-cookie's words for
// https://httpwg.org/http-extensions/draft-ietf-httpbis-rfc6265bis.html#name-same-site-and-cross-site-re
function contextOf(client, target, { mode, method }) {
  const from = parse(client.site());
  if (from === undefined) return 'strict'; // what the user asked for
  if (from.protocol !== 'file:' && siteOf(from) === siteOf(target)) return 'strict';
  return mode === 'navigate' && method === 'GET' ? 'lax' : 'none';
}

// As a Chromium does: what says nothing about it is lax.
const isSent = (cookie, context) => context !== 'none' || cookie.sameSite === 'none';

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
      if (sameSiteContext === 'none' && !/;\s*samesite\s*=\s*none\s*(;|$)/i.test(header)) continue;
      theJar().setCookieSync(header, target.href, { ignoreError: true, sameSiteContext });
    }
  },
});

module.exports = { theJar, state, adopt, cookiesOf };
