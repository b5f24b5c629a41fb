// natives: none
//
// Node's Network domain: programs tell of their requests with inspector.Network, sessions with the domain on hear of them, and the bodies
// that were told are kept for Network.getResponseBody.

'use strict';

const { ProtocolError, required } = require('internal/inspector/protocol_error');

const kServerError = -32000;
const kLargestBodies = 100 << 20;
const users = new Set();
const requests = new Map(); // id → { sent, received, charset, isDone }
const resources = new Map();
let keptBytes = 0;

const kFields = {
  __proto__: null,
  'Network.requestWillBeSent': [
    ['requestId', 'string'],
    ['timestamp', 'number'],
    ['wallTime', 'number'],
    ['request', 'object'],
  ],
  'Network.responseReceived': [
    ['requestId', 'string'],
    ['timestamp', 'number'],
    ['type', 'string'],
    ['response', 'object'],
  ],
  'Network.loadingFinished': [
    ['requestId', 'string'],
    ['timestamp', 'number'],
  ],
  'Network.loadingFailed': [
    ['requestId', 'string'],
    ['timestamp', 'number'],
    ['type', 'string'],
    ['errorText', 'string'],
  ],
  'Network.dataSent': [['requestId', 'string']],
  'Network.dataReceived': [
    ['requestId', 'string'],
    ['timestamp', 'number'],
    ['dataLength', 'number'],
    ['encodedDataLength', 'number'],
  ],
  'Network.webSocketCreated': [
    ['requestId', 'string'],
    ['url', 'string'],
  ],
  'Network.webSocketClosed': [
    ['requestId', 'string'],
    ['timestamp', 'number'],
  ],
  'Network.webSocketHandshakeResponseReceived': [
    ['requestId', 'string'],
    ['timestamp', 'number'],
    ['response', 'object'],
  ],
};

function checkFields(name, params) {
  for (const [field, type] of eachEntry(kFields[name] ?? [])) {
    if (typeof params[field] === type && params[field] !== null) continue;
    const error = new TypeError(`Missing ${field} in event`);
    error.code = 'ERR_INVALID_ARG_TYPE';
    throw error;
  }
}

function bytesOf(data) {
  return typeof data === 'string' ? Buffer().from(data) : data;
}
const Buffer = () => require('internal/buffer/buffer').Buffer;

function keep(request, list, data) {
  if (data === undefined || keptBytes > kLargestBodies) return;
  const bytes = bytesOf(data);
  keptBytes += bytes.byteLength;
  arrayPush.call(request[list], bytes);
}

function note(name, params) {
  const { requestId } = params;
  if (name === 'Network.requestWillBeSent') {
    requests.set(requestId, {
      sent: [],
      received: [],
      charset: params.charset,
      responseCharset: undefined,
      isSent: !params.request?.hasPostData,
      isDone: false,
    });
    return;
  }
  const request = requests.get(requestId);
  if (request === undefined) return;
  switch (name) {
    case 'Network.responseReceived':
      request.responseCharset = params.response?.charset;
      break;
    case 'Network.dataSent':
      if (params.finished) request.isSent = true;
      else keep(request, 'sent', params.data);
      break;
    case 'Network.dataReceived':
      keep(request, 'received', params.data);
      break;
    case 'Network.loadingFinished':
      request.isDone = true;
      break;
    case 'Network.loadingFailed':
      requests.delete(requestId);
      break;
  }
}

function broadcast(name, params) {
  if (users.size === 0) return;
  checkFields(name, params);
  note(name, params);
  if (name === 'Network.dataSent') return;
  const { data, ...shown } = params;
  for (const session of each(Array.from(users))) session.event(name, shown);
}

function enable(session) {
  users.add(session);
  session.state('Network', () => ({ close: () => users.delete(session) }));
}

function requestOf(params) {
  const request = requests.get(required(params, 'requestId', 'string'));
  if (request === undefined) throw new ProtocolError(kServerError, 'Request not found');
  return request;
}

function getResponseBody(session, params) {
  const request = requestOf(params);
  if (!request.isDone) throw new ProtocolError(kServerError, 'Response data is not finished yet');
  const body = Buffer().concat(request.received);
  const isText = request.responseCharset === 'utf-8';
  return { body: body.toString(isText ? 'utf8' : 'base64'), base64Encoded: !isText };
}

function getRequestPostData(session, params) {
  const request = requestOf(params);
  if (!request.isSent) throw new ProtocolError(kServerError, 'Request data is still being received');
  return {
    postData: Buffer()
      .concat(request.sent)
      .toString(request.charset === 'utf-8' ? 'utf8' : 'base64'),
  };
}

function streamResourceContent(session, params) {
  const request = requestOf(params);
  return { bufferedData: Buffer().concat(request.received).toString('base64') };
}

function putResource(address, text) {
  const { validateString } = require('internal/util/validators');
  validateString(address, 'url');
  validateString(text, 'data');
  resources.set(address, text);
}

const methods = {
  __proto__: null,
  'Network.enable': enable,
  'Network.disable': (session) => {
    users.delete(session);
  },
  'Network.getResponseBody': getResponseBody,
  'Network.getRequestPostData': getRequestPostData,
  'Network.streamResourceContent': streamResourceContent,
  'Network.loadNetworkResource': (session, params) => {
    const text = resources.get(required(params, 'url', 'string'));
    return { resource: text === undefined ? { success: false } : { success: true, stream: params.url } };
  },
};

module.exports = { broadcast, methods, putResource };
