// natives: none
// node:_tls_wrap, an old name of a part of node:tls.
'use strict';

const { Server, TLSSocket, connect, createServer } = require('internal/tls/tls');

module.exports = { TLSSocket, Server, createServer, connect };
