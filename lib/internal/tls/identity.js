// natives: none
// tls.checkServerIdentity: whether a certificate speaks for a host (RFC 6125, with Node's stricter rules).
'use strict';

const { codes } = require('internal/errors/coded');

const kJsonString = /^"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/;  // eslint-disable-line no-control-regex

const withoutDot = (host) => host.replace(/[.]$/, '');
// Only A-Z: lower case by locale would make other names of some.
const labelsOf = (host) => withoutDot(host).replace(/[A-Z]/g, (letter) => String.fromCharCode(32 + letter.charCodeAt(0))).split('.');

function matches(host, pattern, wildcards) {
  if (!pattern) return false;
  const labels = labelsOf(pattern);
  // Unicode, blanks and control characters say nothing certain; empty labels are mistakes.
  if (host.length !== labels.length || labels.some((label) => label === '' || /[^\u0021-\u007F]/u.test(label))) return false;
  for (let i = host.length - 1; i > 0; i--) if (host[i] !== labels[i]) return false;
  const parts = labels[0].split('*');
  if (parts.length === 1 || labels[0].includes('xn--')) return host[0] === labels[0];
  if (!wildcards || parts.length > 2 || labels.length <= 2) return false;
  const [before, after] = each(parts);
  return before.length + after.length <= host[0].length && host[0].startsWith(before) && host[0].endsWith(after);
}

// The names of a certificate's extension: separated by ", ", some of them (in part) JSON strings.
function splitNames(text) {
  if (!text.includes('"')) return text.split(', ');
  const names = [];
  let name = '';
  for (let at = 0; at < text.length;) {
    const comma = text.indexOf(',', at);
    const quote = text.indexOf('"', at);
    if (quote !== -1 && (comma === -1 || quote < comma)) {
      const quoted = kJsonString.exec(text.slice(quote));
      if (quoted === null) throw new codes.ERR_TLS_CERT_ALTNAME_FORMAT();
      name += text.slice(at, quote) + JSON.parse(quoted[0]);
      at = quote + quoted[0].length;
    } else if (comma !== -1) {
      names.push(name + text.slice(at, comma));
      name = '';
      at = comma + 2;
    } else {
      name += text.slice(at);
      at = text.length;
    }
  }
  names.push(name);
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
      if (name.startsWith('DNS:')) dnsNames.push(name.slice(4));
      else if (name.startsWith('IP Address:')) addresses.push(canonicalAddress(name.slice(11)));
    }
  }
  hostname = withoutDot(hostname);
  let valid = false;
  let reason = 'Unknown reason';
  if (require('net').isIP(hostname)) {
    valid = addresses.includes(canonicalAddress(hostname));
    if (!valid) reason = `IP: ${hostname} is not in the cert's list: ${addresses.join(', ')}`;
  } else if (dnsNames.length > 0 || subject?.CN) {
    const host = labelsOf(require('url').domainToASCII(hostname));
    if (dnsNames.length > 0) {
      valid = dnsNames.some((pattern) => matches(host, pattern, true));
      if (!valid) reason = `Host: ${hostname}. is not in the cert's altnames: ${subjectaltname}`;
    } else {
      const common = subject.CN;
      valid = Array.isArray(common) ? common.some((pattern) => matches(host, pattern, true)) : matches(host, common, true);
      if (!valid) reason = `Host: ${hostname}. is not cert's CN: ${common}`;
    }
  } else {
    reason = 'Cert does not contain a DNS name';
  }
  return valid ? undefined : new codes.ERR_TLS_CERT_ALTNAME_INVALID(reason, hostname, cert);
}

module.exports = { checkServerIdentity };
