// natives: none
// session.socket: the socket for looking, without what would break the protocol. Time limits and references are the session's.
'use strict';

const {
  codes: { ERR_HTTP2_NO_SOCKET_MANIPULATION, ERR_HTTP2_SOCKET_UNBOUND },
} = require('internal/errors/coded');

const kOfSession = new Set(['setTimeout', 'ref', 'unref', 'destroy']);
const kForbidden = new Set(['emit', 'end', 'pause', 'read', 'resume', 'write', 'setEncoding', 'setKeepAlive', 'setNoDelay']);

function boundSocket(session) {
  const socket = session.destroyed ? undefined : session.rawSocket;
  if (socket === undefined) throw new ERR_HTTP2_SOCKET_UNBOUND();
  return socket;
}

function socketProxy(session, target) {
  return new Proxy(target, {
    __proto__: null,
    get(_, name) {
      if (kOfSession.has(name)) return functionBind.call(session[name], session);
      if (kForbidden.has(name)) throw new ERR_HTTP2_NO_SOCKET_MANIPULATION();
      const socket = boundSocket(session);
      const value = socket[name];
      return typeof value === 'function' ? functionBind.call(value, socket) : value;
    },
    set(_, name, value) {
      if (kOfSession.has(name)) session[name] = value;
      else if (kForbidden.has(name)) throw new ERR_HTTP2_NO_SOCKET_MANIPULATION();
      else boundSocket(session)[name] = value;
      return true;
    },
    getPrototypeOf() {
      return Reflect.getPrototypeOf(boundSocket(session));
    },
  });
}

module.exports = { socketProxy };
