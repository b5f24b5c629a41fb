// natives: none
// node:util/types: the type checks as users see them.
'use strict';

const types = require('internal/util/types');

// Without the files that make keys there are none.
const isCryptoKey = (value) => value !== null && typeof value === 'object' && require('internal/webcrypto/crypto_key').isCryptoKey(value);
const isKeyObject = (value) => value !== null && typeof value === 'object' && require('internal/crypto/keys').isKeyObject(value);
module.exports = { ...types, isCryptoKey, isKeyObject };

