// natives: none
// What the components of a URL become when a URL is parsed (https://urlpattern.spec.whatwg.org/#canon): for the fixed texts of a
// pattern, and for the components that are matched. Each answers '' for '' and throws a TypeError for what no URL can hold.
'use strict';

const { URL } = require('web/url');

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
  return url.protocol.slice(0, -1);
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
  const text = value.replace(/[\t\n\r]/g, '');
  const special = isSpecial(protocol);
  const end = text.search(special ? /[/?#\\]/ : /[/?#]/);
  const host = end === -1 ? text : text.slice(0, end);
  const url = host === '' || /[@]/.test(host) || /:[^\]]*$/.test(host) ? null : URL.parse(`${special ? 'https' : protocol}://${host}/`);
  if (url === null) throw invalid('hostname', value);
  return url.hostname;
}

function canonicalIPv6Hostname(value) {
  if (!/^[0-9a-fA-F[\]:]*$/.test(value)) throw invalid('hostname', value);
  return value.toLowerCase();
}

function canonicalPort(value, protocol = undefined) {
  if (value === '') return value;
  const digits = /^[0-9]+/.exec(value.replace(/[\t\n\r]/g, ''))?.[0];
  if (digits === undefined || Number(digits) > 65535) throw invalid('port', value);
  const port = `${Number(digits)}`;
  return protocol !== undefined && port === kDefaultPorts[protocol] ? '' : port;
}

function canonicalPathname(value) {
  if (value === '') return value;
  const isAbsolute = value[0] === '/';
  const url = new URL(kDummy);
  url.pathname = isAbsolute ? value : `/-${value}`;
  return isAbsolute ? url.pathname : url.pathname.slice(2);
}

function canonicalOpaquePathname(value) {
  return value.toWellFormed().replace(/[\t\n\r]/g, '').replace(/[^\x20-\x7e]/gu, encodeURIComponent);
}

function canonicalSearch(value) {
  if (value === '') return value;
  const url = new URL(kDummy);
  url.search = `?${value}`;
  return url.search.slice(1);
}

function canonicalHash(value) {
  if (value === '') return value;
  const url = new URL(kDummy);
  url.hash = `#${value}`;
  return url.hash.slice(1);
}

module.exports = {
  kDefaultPorts, isSpecial,
  canonicalProtocol, canonicalUsername, canonicalPassword, canonicalHostname, canonicalIPv6Hostname, canonicalPort,
  canonicalPathname, canonicalOpaquePathname, canonicalSearch, canonicalHash,
};
