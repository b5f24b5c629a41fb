// natives: none
// node:_http_outgoing, an old name for http.OutgoingMessage.
'use strict';

const { OutgoingMessage, uniqueHeaders } = require('internal/http/outgoing');
const { kHighWaterMark, kUniqueHeaders } = require('internal/http/symbols');
const { validateHeaderName, validateHeaderValue } = require('internal/http/validate');

module.exports = {
  kHighWaterMark,
  kUniqueHeaders,
  parseUniqueHeadersOption: uniqueHeaders,
  validateHeaderName,
  validateHeaderValue,
  OutgoingMessage,
};
