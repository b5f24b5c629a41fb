// natives: none
// node:_tls_common, an old name of a part of node:tls.
'use strict';

process.emitWarning('The _tls_common module is deprecated. Use `node:tls` instead.', 'DeprecationWarning', 'DEP0192');

const { SecureContext, createSecureContext } = require('internal/tls/secure_context');
const { translate: translatePeerCertificate } = require('internal/tls/certificate');

module.exports = { SecureContext, createSecureContext, translatePeerCertificate };
