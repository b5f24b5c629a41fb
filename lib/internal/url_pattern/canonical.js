// natives: none
// Canonical forms of the components of a URL when a URL is parsed (https://urlpattern.spec.whatwg.org/#canon): for the fixed texts of a
// pattern, and for the components that are matched. Each answers '' for '' and throws a TypeError for what no URL can hold.
'use strict';

const { URL } = require('internal/url/url_class');

const kDefaultPorts = { __proto__: null, http: '80', https: '443', ws: '80', wss: '443', ftp: '21', file: '' };
const kDummy = 'https://dummy.invalid/';
const isSpecial = (scheme) => kDefaultPorts[scheme] !== undefined;

function invalid(what, value) {
  return new TypeError(`Invalid ${what} '${value}'`);
}

function canonicalProtocol(value) {
  if (value === '') return value;
  const url = URL.parse(`${value}://dummy.invalid`);
  if (url === null || url.hostname !== 'dummy.invalid') throw invalid('protocol', value);
  return stringSlice.call(url.protocol, 0, -1);
}

function canonicalUsername(value) {
  if (value === '') return value;
  const url = new URL(kDummy);
  url.username = value;
  return url.username;
}

function canonicalPassword(value) {
  if (value === '') return value;
  const url = new URL(kDummy);
  url.password = value;
  return url.password;
}

// The host parser stops where the host ends; a setter would take what comes before and drop the rest.
function canonicalHostname(value, protocol = 'https') {
  if (value === '') return value;
  const text = replaceMatches(value, /[\t\n\r]/g, '');
  const special = isSpecial(protocol);
  const end = regexpSearch.call(special ? /[/?#\\]/ : /[/?#]/, text);
  const host = end === -1 ? text : stringSlice.call(text, 0, end);
  const url =
    host === '' || regexpTest.call(/[@]/, host) || regexpTest.call(/:[^\]]*$/, host)
      ? null
      : URL.parse(`${special ? 'https' : protocol}://${host}/`);
  if (url === null) throw invalid('hostname', value);
  return url.hostname;
}

function canonicalIPv6Hostname(value) {
  if (!regexpTest.call(/^[0-9a-fA-F[\]:]*$/, value)) throw invalid('hostname', value);
  return stringToLowerCase.call(value);
}

function canonicalPort(value, protocol = undefined) {
  if (value === '') return value;
  const digits = regexpExec.call(/^[0-9]+/, replaceMatches(value, /[\t\n\r]/g, ''))?.[0];
  if (digits === undefined || Number(digits) > 65535) throw invalid('port', value);
  const port = `${Number(digits)}`;
  return protocol !== undefined && port === kDefaultPorts[protocol] ? '' : port;
}

function canonicalPathname(value) {
  if (value === '') return value;
  const isAbsolute = value[0] === '/';
  const url = new URL(kDummy);
  url.pathname = isAbsolute ? value : `/-${value}`;
  return isAbsolute ? url.pathname : stringSlice.call(url.pathname, 2);
}

function canonicalOpaquePathname(value) {
  return replaceMatches(replaceMatches(stringToWellFormed.call(value), /[\t\n\r]/g, ''), /[^\x20-\x7e]/gu, encodeURIComponent);
}

function canonicalSearch(value) {
  if (value === '') return value;
  const url = new URL(kDummy);
  url.search = `?${value}`;
  return stringSlice.call(url.search, 1);
}

function canonicalHash(value) {
  if (value === '') return value;
  const url = new URL(kDummy);
  url.hash = `#${value}`;
  return stringSlice.call(url.hash, 1);
}

module.exports = {
  kDefaultPorts,
  isSpecial,
  canonicalProtocol,
  canonicalUsername,
  canonicalPassword,
  canonicalHostname,
  canonicalIPv6Hostname,
  canonicalPort,
  canonicalPathname,
  canonicalOpaquePathname,
  canonicalSearch,
  canonicalHash,
};
