// natives: none
// Clients that ask for the same get the same context: making one costs as much as half a handshake, and nothing of a client's is kept in
// it. Only for options without secrets, compared by what they say, not by who says it; the last few are remembered.
'use strict';

const { createSecureContext } = require('internal/tls/secure_context');

const kMost = 8;
const plain = [
  'ciphers',
  'ecdhCurve',
  'honorCipherOrder',
  'maxVersion',
  'minVersion',
  'secureOptions',
  'secureProtocol',
  'sigalgs',
  'allowPartialTrustChain',
  'sessionTimeout',
  'sessionIdContext',
];
const unshared = [
  'cert',
  'certificateCompression',
  'clientCertEngine',
  'crl',
  'dhparam',
  'key',
  'passphrase',
  'pfx',
  'privateKeyEngine',
  'privateKeyIdentifier',
  'ticketKeys',
];

let known = []; // { values, ca, context }, the newest last

function isSame(one, other) {
  if (Array.isArray(one))
    return Array.isArray(other) && one.length === other.length && arrayEvery.call(one, (item, i) => isSame(item, other[i]));
  const { Buffer } = require('internal/buffer/buffer');
  return one === other || (Buffer.isBuffer(one) && Buffer.isBuffer(other) && one.equals(other));
}

function copyOf(value) {
  if (Array.isArray(value)) return arrayMap.call(value, copyOf);
  const { Buffer } = require('internal/buffer/buffer');
  return Buffer.isBuffer(value) ? Buffer.from(value) : value;
}

function contextFor(options) {
  const tls = require('internal/tls/tls');
  if (tls.createSecureContext !== createSecureContext) return tls.createSecureContext(options); // the program's own
  const isShareable = (value) => typeof value !== 'object' && typeof value !== 'function';
  const values = arrayMap.call(plain, (name) => options[name]);
  arrayPush.call(values, tls.DEFAULT_MIN_VERSION, tls.DEFAULT_MAX_VERSION, tls.DEFAULT_ECDH_CURVE, tls.DEFAULT_CIPHERS);
  if (arraySome.call(unshared, (name) => options[name]) || !arrayEvery.call(values, isShareable)) return createSecureContext(options);
  const found = arrayFind.call(known, (entry) => isSame(entry.values, values) && isSame(entry.ca, options.ca));
  if (found !== undefined) return found.context;
  const context = createSecureContext(options);
  arrayPush.call(known, { values, ca: copyOf(options.ca), context });
  if (known.length > kMost) arrayShift.call(known);
  return context;
}

// The default authorities are others now.
function forget() {
  known = [];
}

module.exports = { contextFor, forget };
