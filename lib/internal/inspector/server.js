// natives: inspector, permission, stdio
//
// The inspector of the main thread: listens, prints where, makes a session of each connection, waits for a debugger where asked to, and
// at the end of the program waits until those who debug it have gone.

'use strict';

const binding = native('inspector');
const { writeText } = native('stdio');
const events = require('internal/inspector/events');
const { ProtocolSession } = require('internal/inspector/session');

const { kConnect, kMessage, kDisconnect } = binding;
const kHelp = 'For help, see: https://nodejs.org/learn/getting-started/debugging\n';

const kDefaultAddress = '127.0.0.1:9229';
const kLeastPort = 1024; // of process.debugPort

const connections = new Map(); // number → session
let address; // while it listens: { host, port, id }
let isStarted = false;

function onEvent(kind, connection, text) {
  switch (kind) {
    case kConnect:
      connections.set(connection, new ProtocolSession((message) => binding.send(connection, message), true));
      writeText(2, 'Debugger attached.\n');
      break;
    case kMessage:
      connections.get(connection)?.dispatch(text);
      break;
    case kDisconnect: {
      const session = connections.get(connection);
      connections.delete(connection);
      session?.close();
      break;
    }
  }
}

function prepare() {
  if (isStarted) return;
  isStarted = true;
  events.startServer(onEvent);
  require('internal/inspector/console_messages').wrap();
  require('internal/process/before_end').addLast(waitForDisconnect);
}

const isLoopback = (host) => host === '127.0.0.1' || host === '::1' || host === 'localhost' || stringStartsWith.call(host, '127.');

function bracketed(host) {
  return stringIncludes.call(host, ':') ? `[${host}]` : host;
}

function scriptTitle() {
  const script = process.argv[1];
  return script === undefined ? `${process.title}[${process.pid}]` : script;
}

// → undefined, or the error's number when it cannot listen.
function listen(host, port, publishesTo = ['stderr', 'http']) {
  prepare();
  const id = require('internal/crypto/crypto').randomUUID();
  const script = process.argv[1];
  const url = script === undefined ? 'file://' : require('internal/inspector/stack').scriptUrl(script);
  const version = `{\n  "Browser": "node.js/${process.version}",\n  "Protocol-Version": "1.1"\n}\n`;
  const result = binding.listen(host, port, id, scriptTitle(), url, version, require('internal/inspector/protocol').text());
  if (result < 0) return -result;
  address = { host, port: result, id };
  if (result >= kLeastPort) require('internal/process/debug_port').set(result);
  if (arrayIncludes.call(publishesTo, 'stderr')) announce();
  return undefined;
}

function announce() {
  writeText(2, `Debugger listening on ${webSocketUrl()}\n${kHelp}`);
}

function webSocketUrl() {
  return address === undefined ? undefined : `ws://${bracketed(address.host)}:${address.port}/${address.id}`;
}

function close() {
  if (address === undefined) return;
  address = undefined;
  for (const session of each(Array.from(connections.values()))) session.close();
  connections.clear();
  binding.stopServer();
}

// The program is over. A debugger may still want to read what it has gathered.
function waitForDisconnect() {
  if (connections.size === 0) return;
  for (const session of each(Array.from(connections.values()))) {
    if (session.state('NodeRuntime')?.tellsWaiting) session.event('NodeRuntime.waitingForDisconnect', {});
    else session.event('Runtime.executionContextDestroyed', { executionContextId: 1, executionContextUniqueId: '' });
  }
  binding.flush();
  writeText(2, 'Waiting for the debugger to disconnect...\n');
  events.takeWhile(() => connections.size > 0);
}

function parseAddress(text) {
  const at = stringLastIndexOf.call(text, ':');
  return { host: stringSlice.call(text, 0, at), port: Number(stringSlice.call(text, at + 1)) };
}

function printFailure(host, port, number) {
  writeText(2, `Starting inspector on ${bracketed(host)}:${port} failed: ${require('internal/errors/errno').messageOf(-number)}\n`);
}

const kExitInUse = 12;

// The command line's --inspect, --inspect-brk, --inspect-wait.
function startFromOptions(get) {
  native('permission').check('inspector');
  const { host, port } = parseAddress(get('--inspect-port') || kDefaultAddress);
  const published = get('--inspect-publish-uid');
  const failed = listen(host, port, published ? stringSplit.call(published, ',') : undefined);
  if (failed !== undefined) {
    printFailure(host, port, failed);
    process.reallyExit(kExitInUse);
  }
  const isBreaking = get('--inspect-brk');
  if (!isBreaking && !get('--inspect-wait')) return;
  require('internal/inspector/waiting').wait();
  const engine = require('internal/inspector/debugger_engine');
  if (isBreaking && engine.users.size > 0) engine.pauseSoon({ reason: 'Break on start' });
}

// SIGUSR1 starts the inspector of a program that was started without one. A program without the right to it could send the signal itself.
function startFromSignal() {
  const rights = native('permission');
  if (address !== undefined || (rights.isEnforced() && !rights.has('inspector'))) return;
  const { host, port } = parseAddress(require('internal/process/options').getOptionValue('--inspect-port') || kDefaultAddress);
  const failed = listen(host, port);
  if (failed !== undefined) printFailure(host, port, failed);
}

module.exports = {
  startFromSignal,
  close,
  connections,
  isLoopback,
  listen,
  printFailure,
  startFromOptions,
  webSocketUrl,
  get address() {
    return address;
  },
};
