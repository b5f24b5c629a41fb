// natives: none
// node:util/types: the type checks as users see them.
'use strict';

const types = require('internal/util/types');

// Until the files that make keys are loaded there are none.
const brands = require('internal/util/key_brands');
const isCryptoKey = (value) => brands.isCryptoKey(value);
const isKeyObject = (value) => brands.isKeyObject(value);
module.exports = { ...types, isCryptoKey, isKeyObject };
