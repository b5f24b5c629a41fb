// natives: none
//
// Node's Network domain: programs tell of their requests with inspector.Network, or network_tracking does; sessions with the domain on
// hear of them, and the bodies that were told are kept for Network.getResponseBody. Resources that a program has put here are read with
// the IO domain.

'use strict';

const { ProtocolError, optional, required } = require('internal/inspector/protocol_error');

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
      isStreamed: false, // a session gets each piece as it comes
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
      if (!request.isStreamed) keep(request, 'received', params.data);
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
  if (name === 'Network.dataReceived') {
    if (!requests.get(params.requestId)?.isStreamed) return;
    if (data !== undefined) shown.data = Buffer().from(data).toString('base64');
  }
  if (name === 'Network.requestWillBeSent' || name === 'Network.webSocketCreated') shown.initiator ??= initiator();
  for (const session of each(Array.from(users))) session.event(name, shown);
}

// The stack with the names of files as they are, as in Node.
function initiator() {
  const { currentStack } = require('internal/inspector/stack');
  const { scriptIdOf } = require('internal/inspector/runtime_domain');
  return { type: 'script', stack: currentStack(broadcast, scriptIdOf, true) };
}

function updateTracking() {
  const { getOptionValue } = require('internal/process/options');
  if (getOptionValue('--experimental-network-inspection'))
    require('internal/inspector/network_tracking').setTracking(users.size > 0, broadcast);
}

function enable(session) {
  users.add(session);
  session.state('Network', () => ({ close: () => disable(session) }));
  updateTracking();
}

function disable(session) {
  users.delete(session);
  updateTracking();
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
  if (request.charset !== 'utf-8') throw new ProtocolError(kServerError, 'Unable to serialize binary request body');
  return { postData: Buffer().concat(request.sent).toString('utf8') };
}

function streamResourceContent(session, params) {
  const request = requestOf(params);
  request.isStreamed = !request.isDone;
  return { bufferedData: Buffer().concat(arraySplice.call(request.received, 0)).toString('base64') };
}

function putResource(address, text) {
  const { getOptionValue } = require('internal/process/options');
  if (!getOptionValue('--experimental-inspector-network-resource')) {
    process.emitWarning(
      'The --experimental-inspector-network-resource option is not enabled. Please enable it to use the putNetworkResource function',
    );
    return;
  }
  const { validateString } = require('internal/util/validators');
  validateString(address, 'url');
  validateString(text, 'data');
  resources.set(address, text);
}

const streams = new Map(); // number → { text, at }
let lastStream = 0;

function loadNetworkResource(session, params) {
  const text = resources.get(required(params, 'url', 'string'));
  if (text === undefined) return { resource: { success: false } };
  const stream = String(++lastStream);
  streams.set(stream, { text, at: 0 });
  return { resource: { success: true, stream } };
}

// The whole rest of a stream, unless a size is given. Of one that is not there: its end.
function readStream(session, params) {
  const stream = streams.get(required(params, 'handle', 'string'));
  if (stream === undefined) return { data: '', eof: true };
  const start = optional(params, 'offset', 'integer') ?? stream.at;
  const size = optional(params, 'size', 'integer') ?? stream.text.length;
  const data = stringSlice.call(stream.text, start, start + size);
  stream.at = start + data.length;
  return { data, eof: data === '' };
}

const methods = {
  __proto__: null,
  'IO.read': readStream,
  'IO.close': (session, params) => {
    streams.delete(required(params, 'handle', 'string'));
  },
  'Network.enable': enable,
  'Network.disable': disable,
  'Network.getResponseBody': getResponseBody,
  'Network.getRequestPostData': getRequestPostData,
  'Network.streamResourceContent': streamResourceContent,
  'Network.loadNetworkResource': loadNetworkResource,
};

module.exports = { broadcast, methods, putResource };
