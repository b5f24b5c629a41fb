// natives: none
//
// Type tests for keys without loading the files that make them: filled by internal/crypto/keys and
// internal/webcrypto/crypto_key. Until then nothing is a key.

'use strict';

const nothing = () => false;

module.exports = { areEqualCryptoKeys: nothing, areEqualKeys: nothing, isCryptoKey: nothing, isKeyObject: nothing };
