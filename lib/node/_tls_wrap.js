// natives: none
// node:_tls_wrap, an old name of a part of node:tls.
'use strict';

process.emitWarning('The _tls_wrap module is deprecated. Use `node:tls` instead.', 'DeprecationWarning', 'DEP0192');

const { Server, TLSSocket, connect, createServer } = require('internal/tls/tls');

module.exports = { TLSSocket, Server, createServer, connect };
