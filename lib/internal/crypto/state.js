// natives: crypto
//
// Facts of node:crypto about OpenSSL as a whole. This build of it has no FIPS module, and engines are not loaded.

'use strict';

const { codes } = require('internal/errors/coded');
const { validateNumber, validateString } = require('internal/util/validators');

function getFips() {
  return 0;
}

function setFips(on) {
  if (on) throw new codes.ERR_CRYPTO_FIPS_UNAVAILABLE();
}

function setEngine(id, flags) {
  validateString(id, 'id');
  if (flags) validateNumber(flags, 'flags');
  throw Object.assign(new Error('Custom engines not supported by this OpenSSL'), { code: 'ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED' });
}

// Without --secure-heap there is nothing to tell.
function secureHeapUsed() {
  const used = native('crypto').secureHeapUsed();
  if (used === undefined) return { __proto__: null, total: 0, used: 0, utilization: 0, min: 0 };
  const { getOptionValue } = require('internal/process/options');
  const total = getOptionValue('--secure-heap');
  return { __proto__: null, total, used, utilization: used / total, min: getOptionValue('--secure-heap-min') };
}

module.exports = { getFips, secureHeapUsed, setEngine, setFips };
