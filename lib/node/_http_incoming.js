// natives: none
// node:_http_incoming, an old name for http.IncomingMessage.
'use strict';

const { IncomingMessage } = require('internal/http/incoming');
const { readStart, readStop } = require('internal/http/parser');

module.exports = { IncomingMessage, readStart, readStop };
