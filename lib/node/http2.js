// natives: none
// node:http2: servers and clients of HTTP/2 over nghttp2. The parts are in internal/http2; docs/http2.md says what is not here.
'use strict';

const { addLazy } = require('internal/util/lazy_property');
const { kSensitiveHeaders } = require('internal/http2/headers');
const { getDefaultSettings, getPackedSettings, getUnpackedSettings } = require('internal/http2/settings');

function connect(authority, options, listener) {
  return require('internal/http2/client').connect(authority, options, listener);
}

function createServer(options, listener) {
  return require('internal/http2/server').createServer(options, listener);
}

function createSecureServer(options, listener) {
  return require('internal/http2/server').createSecureServer(options, listener);
}

function performServerHandshake(socket, options) {
  return require('internal/http2/server').performServerHandshake(socket, options);
}

Object.defineProperty(connect, Symbol.for('nodejs.util.promisify.custom'), {
  __proto__: null,
  get() {
    return require('internal/http2/client').connect[Symbol.for('nodejs.util.promisify.custom')];
  },
});

module.exports = {
  connect,
  constants: require('internal/http2/constants'),
  createServer,
  createSecureServer,
  getDefaultSettings,
  getPackedSettings,
  getUnpackedSettings,
  performServerHandshake,
  sensitiveHeaders: kSensitiveHeaders,
};

addLazy(module.exports, ['Http2ServerRequest', 'Http2ServerResponse'], (name) => require('internal/http2/compat')[name], true);
