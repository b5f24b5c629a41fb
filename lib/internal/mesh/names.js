// natives: none
// Names of channels, queues, stores, locks: one token of a NATS subject, so that no wildcard and no dot comes into one. Keys of a store
// are any text; they are written with the characters that a token may have.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const {
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');
const { MeshError } = require('internal/mesh/errors');

const kName = /^[A-Za-z0-9_-]{1,64}$/;
const kPlainKey = /^[A-Za-z0-9_/-]+$/;
const kMostKeyBytes = 512;

function checkName(name, what = 'name') {
  if (typeof name !== 'string') throw new ERR_INVALID_ARG_TYPE(what, 'string', name);
  if (!regexpTest.call(kName, name)) {
    const shown = JSON.stringify(stringSlice.call(name, 0, 80));
    throw new MeshError('ERR_MESH_NAME', `A name in the mesh has 1 to 64 letters, digits, '_' and '-', not ${shown}`);
  }
  return name;
}

// Other characters are written as =XX, the bytes of their UTF-8.
function encodeKey(key) {
  if (typeof key !== 'string') throw new ERR_INVALID_ARG_TYPE('key', 'string', key);
  if (key.length <= kMostKeyBytes && regexpTest.call(kPlainKey, key)) return key;
  const bytes = Buffer.from(key, 'utf8');
  if (bytes.length === 0 || bytes.length > kMostKeyBytes || !stringIsWellFormed.call(key)) {
    throw new MeshError('ERR_MESH_NAME', `A key has 1 to ${kMostKeyBytes} bytes of well-formed text`);
  }
  let token = '';
  for (let i = 0; i < bytes.length; i++) {
    const letter = String.fromCharCode(bytes[i]);
    token += regexpTest.call(kPlainKey, letter)
      ? letter
      : `=${stringPadStart.call(stringToUpperCase.call(numberToString.call(bytes[i], 16)), 2, '0')}`;
  }
  return token;
}

// A token that encodeKey() has not made is undefined: somebody else has written to the bucket.
function decodeKey(token) {
  if (regexpTest.call(kPlainKey, token)) return token.length <= kMostKeyBytes ? token : undefined;
  try {
    const key = decodeURIComponent(stringReplaceAll.call(token, '=', '%'));
    return encodeKey(key) === token ? key : undefined;
  } catch {
    return undefined;
  }
}

module.exports = { checkName, encodeKey, decodeKey };
