// A socket without a file has no rights to widen.
'use strict';

const assert = require('node:assert');
const net = require('node:net');

for (const rights of [{ readableAll: true }, { writableAll: true }]) {
  const options = { path: `\0abstract-${process.pid}`, ...rights };
  assert.throws(() => net.createServer().listen(options), { code: 'ERR_INVALID_ARG_VALUE', message: /abstract unix socket/ });
}
