// natives: none
// https://urlpattern.spec.whatwg.org/#process-a-urlpatterninit: a dictionary of components, with what it takes over from its base
// URL; of a pattern ('pattern', texts stay patterns) or of something to be matched ('url', texts become as in a URL).
'use strict';

const { URL } = require('internal/url/url_class');
const { escapePattern } = require('internal/url_pattern/parts');
const {
  isSpecial,
  canonicalProtocol,
  canonicalUsername,
  canonicalPassword,
  canonicalHostname,
  canonicalPort,
  canonicalPathname,
  canonicalOpaquePathname,
  canonicalSearch,
  canonicalHash,
} = require('internal/url_pattern/canonical');

// Each component, and those which it takes over from the base only if the dictionary has none of them.
const kInherited = [
  ['protocol', ['protocol']],
  ['username', ['protocol', 'hostname', 'port', 'username']],
  ['password', ['protocol', 'hostname', 'port', 'username', 'password']],
  ['hostname', ['protocol', 'hostname']],
  ['port', ['protocol', 'hostname', 'port']],
  ['pathname', ['protocol', 'hostname', 'port', 'pathname']],
  ['search', ['protocol', 'hostname', 'port', 'pathname', 'search']],
  ['hash', ['protocol', 'hostname', 'port', 'pathname', 'search', 'hash']],
];

const withoutColon = (text) => (stringEndsWith.call(text, ':') ? stringSlice.call(text, 0, -1) : text);
const without = (text, sign) => (text[0] === sign ? stringSlice.call(text, 1) : text);

// A URL's components, without the signs that its own getters show.
function componentsOf(url) {
  return {
    protocol: withoutColon(url.protocol),
    username: url.username,
    password: url.password,
    hostname: url.hostname,
    port: url.port,
    pathname: url.pathname,
    search: without(url.search, '?'),
    hash: without(url.hash, '#'),
  };
}

function parseBase(text) {
  const base = URL.parse(text);
  if (base === null) throw new TypeError(`Invalid base URL '${text}'`);
  return base;
}

function inherit(result, init, base, isPattern) {
  const components = componentsOf(base);
  for (const [name, blockers] of eachEntry(kInherited)) {
    if (isPattern && (name === 'username' || name === 'password')) continue;
    if (arraySome.call(blockers, (blocker) => init[blocker] !== undefined)) continue;
    result[name] = isPattern ? escapePattern(components[name]) : components[name];
  }
}

function isAbsolute(pathname, isPattern) {
  return pathname[0] === '/' || (isPattern && (stringStartsWith.call(pathname, '\\/') || stringStartsWith.call(pathname, '{/')));
}

const hasOpaquePath = (url) => !stringStartsWith.call(url.pathname, '/') && !stringStartsWith.call(url.href, `${url.protocol}//`);

function resolvedPathname(pathname, base, isPattern) {
  if (base === undefined || hasOpaquePath(base) || isAbsolute(pathname, isPattern)) return pathname;
  const basePath = isPattern ? escapePattern(base.pathname) : base.pathname;
  return stringSlice.call(basePath, 0, stringLastIndexOf.call(basePath, '/') + 1) + pathname;
}

function processInit(init, isPattern, result) {
  const base = init.baseURL === undefined ? undefined : parseBase(init.baseURL);
  if (base !== undefined) inherit(result, init, base, isPattern);
  const take = (name, text, canonical) => {
    result[name] = isPattern ? text : canonical(text);
  };
  if (init.protocol !== undefined) take('protocol', withoutColon(init.protocol), canonicalProtocol);
  if (init.username !== undefined) take('username', init.username, canonicalUsername);
  if (init.password !== undefined) take('password', init.password, canonicalPassword);
  const protocol = result.protocol || undefined;
  if (init.hostname !== undefined) take('hostname', init.hostname, (text) => canonicalHostname(text, protocol));
  if (init.port !== undefined) take('port', init.port, (text) => canonicalPort(text, protocol));
  if (init.pathname !== undefined) {
    const canonical = protocol === undefined || isSpecial(protocol) ? canonicalPathname : canonicalOpaquePathname;
    take('pathname', resolvedPathname(init.pathname, base, isPattern), canonical);
  }
  if (init.search !== undefined) take('search', without(init.search, '?'), canonicalSearch);
  if (init.hash !== undefined) take('hash', without(init.hash, '#'), canonicalHash);
  return result;
}

module.exports = { processInit, componentsOf };
