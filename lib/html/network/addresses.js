// natives: none
// Addresses as the library reads them: plain records. Workers have lib/'s URL for their own, so its getters are taken before a page can
// replace them.
'use strict';

const { URL } = require('internal/url/url_class');

const kParts = ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'];
const getters = kParts.map((name) => [name, Object.getOwnPropertyDescriptor(URL.prototype, name).get]);

// The parts of `text`, read against `base`; undefined when it is no address.
function parse(text, base) {
  let url;
  try {
    url = new URL(text, base);
  } catch {
    return undefined;
  }
  const parts = { __proto__: null };
  for (let i = 0; i < getters.length; i++) parts[getters[i][0]] = Reflect.apply(getters[i][1], url, []);
  return parts;
}

const originOf = (text) => parse(text)?.origin ?? 'null';
const withoutFragment = (text) => parse(text)?.href.split('#')[0] ?? `${text}`;
const isHttp = (text) => /^https?:/i.test(text);

module.exports = { parse, originOf, withoutFragment, isHttp };
