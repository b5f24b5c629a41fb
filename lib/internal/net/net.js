// natives: net
// node:net: TCP and Unix sockets, lists of blocked addresses.
'use strict';

const { addLazy } = require('internal/util/lazy_property');
const { isIP } = native('net');
const { Socket } = require('internal/net/socket');
const { Server } = require('internal/net/server');
const { normalizeArgs } = require('internal/net/arguments');
const defaults = require('internal/net/defaults');

function connect(...args) {
  const normalized = normalizeArgs(args);
  const [options] = each(normalized);
  const socket = new Socket(options);
  if (options.timeout) socket.setTimeout(options.timeout);
  return socket.connect(normalized);
}

function createServer(options, connectionListener) {
  return new Server(options, connectionListener);
}

const kindOf = (value) => isIP(typeof value === 'string' ? value : `${value}`);
const isIPExported = {
  isIP(value) {
    return kindOf(value);
  },
}.isIP;
const isIPv4 = (value) => kindOf(value) === 4;
const isIPv6 = (value) => kindOf(value) === 6;

function getDefaultAutoSelectFamily() {
  return defaults.autoSelectFamily;
}

function setDefaultAutoSelectFamily(value) {
  require('internal/util/validators').validateBoolean(value, 'value');
  defaults.autoSelectFamily = value;
}

function getDefaultAutoSelectFamilyAttemptTimeout() {
  return defaults.attemptTimeout;
}

function setDefaultAutoSelectFamilyAttemptTimeout(value) {
  require('internal/util/validators').validateInt32(value, 'value', 1);
  defaults.attemptTimeout = Math.max(value, 10);
}

module.exports = {
  _normalizeArgs: normalizeArgs,
  connect,
  createConnection: connect,
  createServer,
  isIP: isIPExported,
  isIPv4,
  isIPv6,
  Server,
  Socket,
  Stream: Socket,
  getDefaultAutoSelectFamily,
  setDefaultAutoSelectFamily,
  getDefaultAutoSelectFamilyAttemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout,
};
for (const [name, file] of eachEntry([
  ['BlockList', 'internal/net/block_list'],
  ['SocketAddress', 'internal/net/socket_address'],
])) {
  Object.defineProperty(module.exports, name, { __proto__: null, configurable: true, enumerable: true, get: () => require(file)[name] });
}
addLazy(module.exports, ['BoundSocket'], () => require('internal/net/bound_socket').BoundSocket, true);
