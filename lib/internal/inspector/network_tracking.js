// natives: none
//
// Requests of http, https, http2, fetch and WebSocket told to sessions with the Network domain on, as --experimental-network-inspection
// asks: by the diagnostics channels that any program can listen to. Nothing is subscribed while no session wants it.

'use strict';

const diagnostics = require('internal/events/diagnostics_channel');
const { performance } = require('internal/perf/perf_hooks');

const ids = new WeakMap(); // request, stream or WebSocket → { requestId, url }
let lastId = 0;
let tell; // broadcast of the Network domain
let isOn = false;

function begin(owner, url) {
  const known = { requestId: `node-network-event-${++lastId}`, url };
  ids.set(owner, known);
  return known;
}

const timestamp = () => performance.now() / 1000;
// Requests that began before the domain was turned on are not told.
function tellOf(owner, event, params) {
  const known = ids.get(owner);
  if (known !== undefined) tell(`Network.${event}`, { requestId: known.requestId, timestamp: timestamp(), ...params(known) });
}

function contentType(value) {
  try {
    const { essence, params } = new (require('internal/util/mime').MIMEType)(value);
    return { mimeType: stringToLowerCase.call(essence), charset: stringToLowerCase.call(params.get('charset') ?? '') };
  } catch {
    return { mimeType: '', charset: '' };
  }
}

// Each header as one text. DevTools splits Set-Cookie at newlines.
function joined(name, values) {
  return arrayJoin.call(values, name === 'cookie' ? '; ' : name === 'set-cookie' ? '\n' : ', ');
}

// { headers, mimeType, charset } of an object of names and values
function describe(given) {
  const described = { headers: {}, mimeType: undefined, charset: undefined };
  for (const name of each(Object.keys(given ?? {}))) {
    const lower = stringToLowerCase.call(name);
    const value = given[name];
    described.headers[name] = Array.isArray(value) ? joined(lower, value) : String(value);
    if (lower === 'content-type') Object.assign(described, contentType(described.headers[name]));
  }
  return described;
}

// The same of a list in which names and values alternate
function describeList(list) {
  const given = {};
  for (let i = 0; i < list.length; i += 2) {
    const name = `${list[i]}`;
    const value = `${list[i + 1]}`;
    if (given[name] === undefined) given[name] = value;
    else if (Array.isArray(given[name])) arrayPush.call(given[name], value);
    else given[name] = [given[name], value];
  }
  return describe(given);
}

function tellRequest({ requestId, url }, method, { headers, charset }, body) {
  const wallTime = Date.now();
  tell('Network.requestWillBeSent', { requestId, timestamp: timestamp(), wallTime, charset, request: { url, method, headers, ...body } });
}

function tellResponse(owner, type, status, statusText, { headers, mimeType, charset }) {
  tellOf(owner, 'responseReceived', ({ url }) => ({ type, response: { url, status, statusText, headers, mimeType, charset } }));
}

function tellData(owner, chunk) {
  tellOf(owner, 'dataReceived', () => ({ dataLength: chunk.byteLength, encodedDataLength: chunk.byteLength, data: chunk }));
}

// 'data' listened to without letting the stream flow
function onData(stream, listener) {
  call2(require('internal/events/events').prototype.on, stream, 'data', listener);
}

function httpUrl({ path, protocol }, host) {
  return regexpTest.call(/^https?:\/\//, path) ? path : `${protocol}//${host}${path}`;
}

const http = {
  'http.client.request.created': ({ request }) => {
    const described = describe(request.getHeaders());
    tellRequest(begin(request, httpUrl(request, described.headers.host)), request.method, described);
  },
  'http.client.request.error': ({ request, error }) =>
    tellOf(request, 'loadingFailed', () => ({ type: 'Other', errorText: error.message })),
  'http.client.response.finish': ({ request, response }) => {
    if (!ids.has(request)) return;
    tellResponse(request, 'Other', response.statusCode, response.statusMessage ?? '', describe(response.headers));
    onData(response, (chunk) => tellData(request, chunk));
    response.once('end', () => tellOf(request, 'loadingFinished', () => ({})));
  },
};

function bytesOfWrite({ writev, data, encoding }) {
  const { Buffer } = require('internal/buffer/buffer');
  const bytes = (chunk, its) => (typeof chunk === 'string' ? Buffer.from(chunk, its) : chunk);
  if (!writev) return bytes(data, encoding);
  return Buffer.concat(arrayMap.call(data, (item) => (data.allBuffers ? item : bytes(item.chunk, item.encoding))));
}

const http2 = {
  'http2.client.stream.created': ({ stream, headers }) => {
    const url = `${headers[':scheme']}://${headers[':authority']}${headers[':path']}`;
    tellRequest(begin(stream, url), headers[':method'], describe(headers), { hasPostData: !stream.writableEnded });
  },
  'http2.client.stream.error': ({ stream, error }) => tellOf(stream, 'loadingFailed', () => ({ type: 'Other', errorText: error.message })),
  'http2.client.stream.finish': ({ stream, headers }) => {
    if (!ids.has(stream)) return;
    tellResponse(stream, 'Other', headers[':status'], '', describe(headers));
    onData(stream, (chunk) => tellData(stream, chunk));
  },
  'http2.client.stream.close': ({ stream }) => {
    if (stream.rstCode === 0) tellOf(stream, 'loadingFinished', () => ({}));
  },
  'http2.client.stream.bodyChunkSent': (write) =>
    tellOf(write.stream, 'dataSent', () => {
      const data = bytesOfWrite(write);
      return { dataLength: data.byteLength, data };
    }),
  'http2.client.stream.bodySent': ({ stream }) => tellOf(stream, 'dataSent', () => ({ finished: true })),
};

const fetching = {
  'undici:request:create': ({ request }) => {
    const known = begin(request, `${request.origin}${request.path}`);
    const { body } = request;
    tellRequest(known, request.method, describeList(request.headers), { hasPostData: body !== null && body !== undefined });
  },
  'undici:request:error': ({ request, error }) => tellOf(request, 'loadingFailed', () => ({ type: 'Fetch', errorText: error.message })),
  'undici:request:headers': ({ request, response }) =>
    tellResponse(request, 'Fetch', response.statusCode, response.statusText, describeList(response.headers)),
  'undici:request:trailers': ({ request }) => tellOf(request, 'loadingFinished', () => ({})),
  'undici:request:bodyChunkSent': ({ request, chunk }) =>
    tellOf(request, 'dataSent', () => {
      const data = require('internal/buffer/buffer').Buffer.from(chunk);
      return { dataLength: data.byteLength, data };
    }),
  'undici:request:bodySent': ({ request }) => tellOf(request, 'dataSent', () => ({ finished: true })),
  'undici:request:bodyChunkReceived': ({ request, chunk }) => tellData(request, chunk),
  'undici:websocket:open': ({ websocket, handshakeResponse }) => {
    const { requestId, url } = begin(websocket, `${websocket.url}`);
    tell('Network.webSocketCreated', { requestId, url });
    tellOf(websocket, 'webSocketHandshakeResponseReceived', () => ({ response: handshakeResponse }));
  },
  'undici:websocket:close': ({ websocket }) => tellOf(websocket, 'webSocketClosed', () => ({})),
};

function setTracking(wanted, broadcast) {
  if (wanted === isOn) return;
  isOn = wanted;
  tell = broadcast;
  for (const table of each([http, http2, fetching])) {
    for (const name of each(Object.keys(table))) {
      if (wanted) diagnostics.subscribe(name, table[name]);
      else diagnostics.unsubscribe(name, table[name]);
    }
  }
}

module.exports = { setTracking };
