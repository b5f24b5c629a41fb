// natives: none
// node:net: TCP and Unix sockets.
'use strict';

const { Socket } = require('internal/net/socket');
const { Server } = require('internal/net/server');
const { normalizeArgs } = require('internal/net/arguments');
const { isIP } = require('internal/net/lookup');
const { validateBoolean, validateInt32 } = require('internal/validators');

// Both classes may be called without `new`, as older programs do.
function callable(Class) {
  return new Proxy(Class, { apply: (target, self, args) => new target(...args) });
}

const CallableSocket = callable(Socket);
const CallableServer = callable(Server);
Socket.prototype.constructor = CallableSocket;
Server.prototype.constructor = CallableServer;

function connect(...args) {
  const normalized = normalizeArgs(args);
  const [options] = normalized;
  const socket = new Socket(options);
  if (options.timeout) socket.setTimeout(options.timeout);
  normalized.normalized = true;
  return socket.connect(normalized);
}

function createServer(options, connectionListener) { return new Server(options, connectionListener); }

function toText(value) { return typeof value === 'string' ? value : `${value ?? ''}`; }

let autoSelectFamily = true;
let attemptTimeout = 500;

module.exports = {
  Server: CallableServer,
  Socket: CallableSocket,
  Stream: CallableSocket,
  connect,
  createConnection: connect,
  createServer,
  isIP: (value) => isIP(toText(value)),
  isIPv4: (value) => isIP(toText(value)) === 4,
  isIPv6: (value) => isIP(toText(value)) === 6,
  getDefaultAutoSelectFamily: () => autoSelectFamily,
  setDefaultAutoSelectFamily(value) {
    validateBoolean(value, 'value');
    autoSelectFamily = value;
  },
  getDefaultAutoSelectFamilyAttemptTimeout: () => attemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout(value) {
    validateInt32(value, 'value', 1);
    attemptTimeout = Math.max(value, 10);
  },
};
