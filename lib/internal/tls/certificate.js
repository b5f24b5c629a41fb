// natives: none
// A certificate's plain object, as programs get it: the text of infoAccess becomes an object, along the chain of issuers.
'use strict';

function informationOf(text) {
  const found = { __proto__: null };
  for (const line of each(text.split('\n'))) {
    const colon = line.indexOf(':');
    if (colon === -1) continue;
    const key = line.slice(0, colon);
    const value = line.slice(colon + 1);
    // Whatever begins like a JSON string is one: the native half quotes what could be taken for more.
    (found[key] ??= []).push(value.startsWith('"') ? JSON.parse(value) : value);
  }
  return found;
}

function translate(certificate) {
  if (!certificate) return null;
  for (let one = certificate; ; one = one.issuerCertificate) {
    if (typeof one.infoAccess === 'string') one.infoAccess = informationOf(one.infoAccess);
    if (one.issuerCertificate == null || one.issuerCertificate === one) return certificate;
  }
}

module.exports = { translate };
