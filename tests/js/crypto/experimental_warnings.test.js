'use strict';
// Web Crypto algorithms of drafts, the post-quantum ones among them, warn once each, as in Node; established ones do not.
const assert = require('node:assert');
const { subtle } = globalThis.crypto;

const warnings = [];
process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`));

const told = (name) => `ExperimentalWarning: The ${name} Web Crypto API algorithm is an experimental feature and might change at any time`;

(async () => {
  await subtle.generateKey('ML-KEM-768', true, ['encapsulateBits', 'decapsulateBits']);
  await subtle.generateKey('ml-kem-768', true, ['encapsulateBits', 'decapsulateBits']);
  await subtle.generateKey('ML-DSA-44', true, ['sign', 'verify']);
  await subtle.digest('SHA-256', new Uint8Array(1));
  await subtle.digest('SHA3-256', new Uint8Array(1));
  await subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  setImmediate(() => assert.deepStrictEqual(warnings, [told('ML-KEM-768'), told('ML-DSA-44'), told('SHA3-256')]));
})();
