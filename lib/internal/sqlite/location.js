// natives: none
// Where a database is: a path, a path in bytes, or a file: URL, which SQLite reads with its query.
'use strict';

const { typeError, withCode } = require('internal/sqlite/errors');
const { isUint8Array } = require('internal/util/types');

function locationOf(path) {
  let location = path;
  if (isUint8Array(path)) {
    location = require('internal/buffer/buffer').Buffer.from(path.buffer, path.byteOffset, path.byteLength).toString();
  } else if (typeof path === 'object' && path !== null) {
    location = path.href;
    if (typeof location === 'string' && !stringIncludes.call(location, '\0') && !stringStartsWith.call(location, 'file:')) {
      throw withCode(new TypeError('The URL must be of scheme file:'), 'ERR_INVALID_URL_SCHEME');
    }
  }
  if (typeof location === 'string' && !stringIncludes.call(location, '\0')) return location;
  throw typeError('The "path" argument must be a string, Uint8Array, or URL without null bytes.');
}

module.exports = { locationOf };
