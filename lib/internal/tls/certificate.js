// natives: none
// A certificate's plain object, as programs get it: the text of infoAccess becomes an object, along the chain of issuers.
'use strict';

function informationOf(text) {
  const found = { __proto__: null };
  for (const line of each(stringSplit.call(text, '\n'))) {
    const colon = stringIndexOf.call(line, ':');
    if (colon === -1) continue;
    const key = stringSlice.call(line, 0, colon);
    const value = stringSlice.call(line, colon + 1);
    // A value that begins with a quote is a JSON string: the native half quotes values that contain separators.
    arrayPush.call((found[key] ??= []), stringStartsWith.call(value, '"') ? JSON.parse(value) : value);
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
