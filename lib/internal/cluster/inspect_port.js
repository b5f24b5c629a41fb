// natives: none
// Ports of the inspectors of a cluster's workers: each worker listens on one of its own, the next after its owner's or the one that
// settings.inspectPort says.
'use strict';

const { codes } = require('internal/errors/coded');

const kInspector = /--inspect(?:-brk|-port|-wait)?|--debug-port/;
const kLeast = 1024,
  kMost = 65535;
let offset = 1;

function portOf({ inspectPort }) {
  let port = typeof inspectPort === 'function' ? inspectPort() : inspectPort;
  if (port === undefined || port === null) {
    port = process.debugPort + offset++;
    if (port > kMost) port = port - kMost + kLeast - 1;
  }
  if (!(Number.isInteger(port) && (port === 0 || (port >= kLeast && port <= kMost)))) {
    throw new codes.ERR_SOCKET_BAD_PORT('Port', port, true);
  }
  return port;
}

// Options of the next worker beside those of its settings.
function inspectOptions(settings) {
  const isInspected =
    arraySome.call(settings.execArgv, (arg) => regexpTest.call(kInspector, arg)) ||
    regexpTest.call(kInspector, process.env.NODE_OPTIONS ?? '');
  return isInspected ? [`--inspect-port=${portOf(settings)}`] : [];
}

module.exports = { inspectOptions };
