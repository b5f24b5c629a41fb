// natives: none
// Proxies by environment: HTTP_PROXY, HTTPS_PROXY and NO_PROXY (or the same in lower case, which counts first), as an Agent's proxyEnv
// names them; and what a request through an HTTP proxy looks like.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const {
  codes: { ERR_INVALID_ARG_VALUE, ERR_PROXY_INVALID_CONFIG },
} = require('internal/errors/coded');
const { kProxyConfig } = require('internal/http/symbols');

const asNumber = (address) => arrayReduce.call(stringSplit.call(address, '.'), (sum, part) => sum * 256 + Number(part), 0);

function isInRange(host, entry) {
  const { isIPv4 } = require('internal/net/net');
  if (!stringIncludes.call(entry, '-') || !isIPv4(host)) return false;
  const [first, last] = each(arrayMap.call(stringSplit.call(entry, '-'), (part) => stringTrim.call(part)));
  return isIPv4(first) && isIPv4(last ?? '') && asNumber(host) >= asNumber(first) && asNumber(host) <= asNumber(last);
}

function isNamed(entry, host, port) {
  if (entry === '*' || entry === host || (port && entry === `${host}:${port}`)) return true;
  if (stringStartsWith.call(entry, '.') && (host === stringSlice.call(entry, 1) || stringEndsWith.call(host, entry))) return true;
  if (stringStartsWith.call(entry, '*.') && stringEndsWith.call(host, stringSlice.call(entry, 1))) return true;
  return isInRange(host, entry);
}

class ProxyConfig {
  constructor(url, keepAlive, exceptions) {
    const { URL } = require('internal/url/url_class');
    if (!URL.canParse(url)) throw new ERR_PROXY_INVALID_CONFIG(`Invalid proxy URL: ${url}`);
    const parsed = new URL(url);
    const { hostname, port, protocol, username, password } = parsed;
    this.href = url;
    this.protocol = protocol;
    if (username || password) {
      this.auth = `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`;
      parsed.username = parsed.password = '';
      this.href = parsed.href;
    }
    this.bypassList = exceptions
      ? arrayMap.call(stringSplit.call(exceptions, ','), (entry) => stringToLowerCase.call(stringTrim.call(entry)))
      : [];
    this.proxyConnectionOptions = {
      host: stringStartsWith.call(hostname, '[') ? stringSlice.call(hostname, 1, -1) : hostname,
      port: port ? Number(port) : protocol === 'https:' ? 443 : 80,
    };
  }

  shouldUseProxy(hostname, port) {
    const host = stringToLowerCase.call(hostname);
    return !arraySome.call(this.bypassList, (entry) => isNamed(entry, host, port));
  }
}

function proxyUrl(env, protocol) {
  const url = protocol === 'https:' ? env.https_proxy || env.HTTPS_PROXY : env.http_proxy || env.HTTP_PROXY;
  if (!url) return null;
  if (regexpTest.call(/[\r\n]/, url)) throw new ERR_PROXY_INVALID_CONFIG(`Invalid proxy URL: ${url}`);
  return url;
}

function proxyConfigFrom(env, protocol, keepAlive) {
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  const url = proxyUrl(env, protocol);
  if (url === null || !regexpTest.call(/^https?:\/\//, url)) return null;
  return new ProxyConfig(url, keepAlive, env.no_proxy || env.NO_PROXY);
}

function shouldUseProxy(config, options) {
  return Boolean(config) && !options.socketPath && config.shouldUseProxy(options.host || 'localhost', options.port);
}

// --- requests through an HTTP proxy

const refuse = (name, value, why) => new ERR_INVALID_ARG_VALUE(name, value, why);

function hostIn(headers) {
  let host;
  const pairs = Array.isArray(headers[0]);
  for (let i = 0; i < headers.length; i += pairs ? 1 : 2) {
    if (pairs && !Array.isArray(headers[i])) {
      throw refuse(`options.headers[${i}]`, typeof headers[i], 'must be an array when headers is passed as an array of pairs');
    }
    const [name, value] = each(pairs ? headers[i] : [headers[i], headers[i + 1]]);
    if (stringToLowerCase.call(`${name}`) !== 'host') continue;
    if (host !== undefined) throw refuse('options.headers', '(redacted)', 'must not contain duplicate Host headers');
    host = `${value}`;
  }
  return host;
}

function isSameAuthority(expected, host) {
  const { URL } = require('internal/url/url_class');
  if (!URL.canParse(`http://${host}`)) return false;
  const found = new URL(`http://${host}`);
  return !found.username && !found.password && found.pathname === '/' && !found.search && !found.hash && found.host === expected;
}

// The absolute URL that the proxy is asked for. Host header and target must agree with where the request goes.
function targetOf(path, authority, userHost, headerList) {
  const { URL } = require('internal/url/url_class');
  require('internal/util/validators').validatePort(authority.port, 'options.port', true);
  const base = new URL(`http://${authority.host}`);
  base.port = authority.port;
  const host = headerList === undefined ? userHost : hostIn(headerList);
  const agrees = host === undefined || (headerList === undefined ? isSameAuthority(base.host, host) : host === base.host);
  if (!agrees) throw refuse('Host in options.headers', host, `must match the request authority (${base.host})`);
  if (!URL.canParse(path)) {
    if (path[0] !== '/') throw refuse('options.path', path, 'must be in absolute-form or start with /');
    return { base, url: new URL(base.origin + path) };
  }
  const url = new URL(path);
  if (url.username || url.password) {
    url.username = url.password = '';
    throw refuse('options.path', url.href, 'must not contain userinfo, use options.auth instead');
  }
  if (url.protocol !== 'http:') throw refuse('options.path', url.protocol, 'must use http: scheme when specified as an absolute URL');
  if (base.host !== url.host) throw refuse('options.path', url, `must match the request authority (${base.host})`);
  return { base, url };
}

// Whether the request now goes through the agent's proxy, with an absolute target.
function rewriteForProxy(request, options, authority, userHost, headerList) {
  const { agent } = request;
  if (
    request._header ||
    !agent?.[kProxyConfig] ||
    (options.protocol || agent.protocol) !== 'http:' ||
    !shouldUseProxy(agent[kProxyConfig], options)
  )
    return false;
  let url;
  if (request.method !== 'CONNECT' && !(request.method === 'OPTIONS' && request.path === '*')) {
    const target = targetOf(`${request.path}`, authority, userHost, headerList);
    const host = headerList === undefined ? request.getHeader('host') : undefined;
    if (host !== undefined && host !== target.base.host) request.setHeader('Host', target.base.host);
    ({ url } = target);
  }
  const { auth } = agent[kProxyConfig];
  if (auth) request.setHeader('proxy-authorization', auth);
  request.setHeader('proxy-connection', request.shouldKeepAlive ? 'keep-alive' : 'close');
  if (url !== undefined) request.path = url.href;
  return url !== undefined;
}

module.exports = { proxyConfigFrom, proxyUrl, rewriteForProxy, shouldUseProxy };
