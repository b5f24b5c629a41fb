// natives: none
// node:_http_client, an old name for http.ClientRequest.
'use strict';

const { ClientRequest } = require('internal/http/client');

module.exports = { ClientRequest };
