// natives: none
// tls.checkServerIdentity: whether a certificate speaks for a host (RFC 6125, with Node's stricter rules).
'use strict';

const { codes } = require('internal/errors/coded');

const kJsonString = /^"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/;

const withoutDot = (host) => replaceMatches(host, /[.]$/, '');
// Only A-Z: lower case by locale would make other names of some.
const labelsOf = (host) =>
  stringSplit.call(
    replaceMatches(withoutDot(host), /[A-Z]/g, (letter) => String.fromCharCode(32 + stringCharCodeAt.call(letter, 0))),
    '.',
  );

function matches(host, pattern, wildcards) {
  if (!pattern) return false;
  const labels = labelsOf(pattern);
  // Unicode, blanks and control characters say nothing certain; empty labels are mistakes.
  if (host.length !== labels.length || arraySome.call(labels, (label) => label === '' || regexpTest.call(/[^\u0021-\u007F]/u, label)))
    return false;
  for (let i = host.length - 1; i > 0; i--) if (host[i] !== labels[i]) return false;
  const parts = stringSplit.call(labels[0], '*');
  if (parts.length === 1 || stringIncludes.call(labels[0], 'xn--')) return host[0] === labels[0];
  if (!wildcards || parts.length > 2 || labels.length <= 2) return false;
  const [before, after] = each(parts);
  return before.length + after.length <= host[0].length && stringStartsWith.call(host[0], before) && stringEndsWith.call(host[0], after);
}

// The names of a certificate's extension: separated by ", ", some of them (in part) JSON strings.
function splitNames(text) {
  if (!stringIncludes.call(text, '"')) return stringSplit.call(text, ', ');
  const names = [];
  let name = '';
  for (let at = 0; at < text.length; ) {
    const comma = stringIndexOf.call(text, ',', at);
    const quote = stringIndexOf.call(text, '"', at);
    if (quote !== -1 && (comma === -1 || quote < comma)) {
      const quoted = regexpExec.call(kJsonString, stringSlice.call(text, quote));
      if (quoted === null) throw new codes.ERR_TLS_CERT_ALTNAME_FORMAT();
      name += stringSlice.call(text, at, quote) + JSON.parse(quoted[0]);
      at = quote + quoted[0].length;
    } else if (comma !== -1) {
      arrayPush.call(names, name + stringSlice.call(text, at, comma));
      name = '';
      at = comma + 2;
    } else {
      name += stringSlice.call(text, at);
      at = text.length;
    }
  }
  arrayPush.call(names, name);
  return names;
}

function canonicalAddress(text) {
  const { parseIP } = require('internal/tls/addresses');
  return parseIP(text);
}

function checkServerIdentity(hostname, cert) {
  const { subject, subjectaltname } = cert;
  const dnsNames = [];
  const addresses = [];
  hostname = `${hostname}`;
  if (subjectaltname) {
    for (const name of each(splitNames(subjectaltname))) {
      if (stringStartsWith.call(name, 'DNS:')) arrayPush.call(dnsNames, stringSlice.call(name, 4));
      else if (stringStartsWith.call(name, 'IP Address:')) arrayPush.call(addresses, canonicalAddress(stringSlice.call(name, 11)));
    }
  }
  hostname = withoutDot(hostname);
  let valid = false;
  let reason = 'Unknown reason';
  if (require('internal/net/net').isIP(hostname)) {
    valid = arrayIncludes.call(addresses, canonicalAddress(hostname));
    if (!valid) reason = `IP: ${hostname} is not in the cert's list: ${arrayJoin.call(addresses, ', ')}`;
  } else if (dnsNames.length > 0 || subject?.CN) {
    const host = labelsOf(require('internal/url/url').domainToASCII(hostname));
    if (dnsNames.length > 0) {
      valid = arraySome.call(dnsNames, (pattern) => matches(host, pattern, true));
      if (!valid) reason = `Host: ${hostname}. is not in the cert's altnames: ${subjectaltname}`;
    } else {
      const common = subject.CN;
      valid = Array.isArray(common) ? arraySome.call(common, (pattern) => matches(host, pattern, true)) : matches(host, common, true);
      if (!valid) reason = `Host: ${hostname}. is not cert's CN: ${common}`;
    }
  } else {
    reason = 'Cert does not contain a DNS name';
  }
  return valid ? undefined : new codes.ERR_TLS_CERT_ALTNAME_INVALID(reason, hostname, cert);
}

module.exports = { checkServerIdentity };
