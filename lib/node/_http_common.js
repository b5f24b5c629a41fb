// natives: none
// node:_http_common, an old name for what client and server share.
'use strict';

const { CallbackParser } = require('internal/http/callback_parser');
const { freeParser, methods, parsers } = require('internal/http/parser');
const { isBadValue, isLenient, isToken } = require('internal/http/validate');
const { kIncomingMessage, kSkipPendingData } = require('internal/http/symbols');

module.exports = {
  _checkInvalidHeaderChar: isBadValue,
  _checkIsHttpToken: isToken,
  chunkExpression: /(?:^|\W)chunked(?:$|\W)/i,
  continueExpression: /(?:^|\W)100-continue(?:$|\W)/i,
  CRLF: '\r\n',
  freeParser,
  methods,
  parsers,
  kIncomingMessage,
  HTTPParser: CallbackParser,
  isLenient,
  kSkipPendingData,
};
