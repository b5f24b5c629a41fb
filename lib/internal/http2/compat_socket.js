// natives: none
// request.socket and response.socket of an HTTP/2 server: the stream where it is asked to end or to be heard, the session's
// socket for everything else. Both faces of a stream show the same object.
'use strict';

const {
  codes: { ERR_HTTP2_NO_SOCKET_MANIPULATION },
} = require('internal/errors/coded');

const kShown = Symbol('socket that is shown');
const kRequest = Symbol('request of this stream');
const kOfStream = new Set(['on', 'once', 'end', 'emit', 'destroy']);
const kForbidden = new Set(['write', 'read', 'pause', 'resume']);
const kStates = new Set(['writable', 'readable', 'destroyed']);

const below = (stream) => stream.session?.rawSocket ?? stream;

const handler = {
  has(stream, name) {
    return name in stream || name in below(stream);
  },
  get(stream, name) {
    if (kForbidden.has(name)) throw new ERR_HTTP2_NO_SOCKET_MANIPULATION();
    if (kOfStream.has(name)) return functionBind.call(stream[name], stream);
    if (name === 'readable') return !stream.destroyed && (stream[kRequest] ?? stream).readable;
    if (kStates.has(name)) return stream[name];
    const holder = name === 'setTimeout' ? (stream.session ?? stream) : below(stream);
    const value = holder[name];
    return typeof value === 'function' ? functionBind.call(value, holder) : value;
  },
  set(stream, name, value) {
    if (kForbidden.has(name)) throw new ERR_HTTP2_NO_SOCKET_MANIPULATION();
    const holder = kOfStream.has(name) || kStates.has(name) ? stream : name === 'setTimeout' ? (stream.session ?? stream) : below(stream);
    holder[name] = value;
    return true;
  },
  getPrototypeOf(stream) {
    return Reflect.getPrototypeOf(below(stream));
  },
};

function shownSocket(stream) {
  return (stream[kShown] ??= new Proxy(stream, handler));
}
function forgetSocket(stream) {
  stream[kShown] = undefined;
}

module.exports = { forgetSocket, kRequest, shownSocket };
