// natives: messaging
// The JavaScript half of a port (src/modules/threads/messaging.cpp), for its owners: a MessagePort, a BroadcastChannel, a Worker. A
// receiver has [kReceive](data, type, ports); one that wants to know of the end has [kClosed]().
'use strict';

const binding = native('messaging');
const { kReceive, kClosed } = require('internal/symbols/messaging');

const cloning = () => require('internal/messaging/structured_clone'); // loaded with the first message that is not plain

// Ports that arrive with the message being read.
let receivedPorts = [];
const kNone = [];

// Called for each message.
function deliver(receiver, handle) {
  let data,
    type = 'message';
  const previous = receivedPorts;
  receivedPorts = kNone;
  try {
    data = handle.take();
  } catch (error) {
    data = error;
    type = 'messageerror';
  }
  const ports = receivedPorts;
  receivedPorts = previous;
  receiver[kReceive](data, type, ports);
  return true;
}

binding.setCallbacks(deliver, (receiver) => {
  receiver?.[kClosed]?.();
});

// Transferred objects are revived last first (src/engine/clone/clone_reader.cpp); the list has the order of the transfer list.
function noteReceivedPort(port) {
  if (receivedPorts === kNone) receivedPorts = [];
  arrayUnshift.call(receivedPorts, port);
}

// { value: what run() returns, ports: those that arrived meanwhile }
function collectPorts(run) {
  const previous = receivedPorts;
  receivedPorts = kNone;
  try {
    const value = run();
    return { value, ports: receivedPorts };
  } finally {
    receivedPorts = previous;
  }
}

function invalidArgument(message) {
  const error = new TypeError(message);
  error.code = 'ERR_INVALID_ARG_TYPE';
  return error;
}

function sequenceOf(value, complaint) {
  if (typeof value !== 'object' || value === null) throw invalidArgument(complaint);
  const list = [];
  if (Array.isArray(value)) {
    // by index, whatever its way to be walked, as Node does
    for (let i = 0; i < value.length; i++) arrayPush.call(list, value[i]);
    return list;
  }
  const iterator = typeof value[Symbol.iterator] === 'function' ? value[Symbol.iterator]() : undefined;
  const next = iterator?.next;
  if (typeof next !== 'function') throw invalidArgument(complaint);
  for (let step = call0(next, iterator); !step.done; step = call0(next, iterator)) arrayPush.call(list, step.value);
  return list;
}

// The second argument of postMessage: a list, or { transfer }.
function transferListOf(options) {
  if (options === undefined || options === null) return undefined;
  if (typeof options !== 'object' && typeof options !== 'function')
    throw invalidArgument('Optional transferList argument must be an iterable');
  if (typeof options[Symbol.iterator] === 'function') {
    return sequenceOf(options, 'Optional transferList argument must be an iterable');
  }
  const { transfer } = options;
  if (transfer === undefined) return undefined;
  return sequenceOf(transfer, 'Optional options.transfer argument must be an iterable');
}

function checkTransferredPorts(list, source) {
  if (arrayIncludes.call(list, source)) throw cloning().cloneError('Transfer list contains source port');
  const { isMessagePort, isOpen } = require('internal/messaging/message_channel');
  let seen;
  for (const item of each(list)) {
    if (!isMessagePort(item)) continue;
    seen ??= new Set();
    if (seen.has(item)) throw cloning().cloneError('Transfer list contains duplicate MessagePort');
    seen.add(item);
    if (!isOpen(item)) throw cloning().cloneError('MessagePort in transfer list is already detached');
  }
}

// The second argument of postMessage as C++ takes it.
function preparedList(transferOrOptions, source) {
  const list = transferListOf(transferOrOptions);
  if (list !== undefined) checkTransferredPorts(list, source);
  return cloning().prepareTransfers(list);
}

// postMessage of `source`, which holds the port `handle`: true, or undefined if that is closed, as in Node. A list of memory alone, the
// usual one, needs no look from JavaScript: a program that sends a thousand would spend more on compiling those functions than on sending.
function post(handle, source, message, transferOrOptions) {
  let list = transferOrOptions;
  if (list !== undefined && !binding.isBufferList(list)) list = preparedList(list, source);
  const isSent = handle.post(message, list);
  if (isSent === undefined) return undefined;
  if (!isSent) process.emitWarning('The target port was posted to itself, and the communication channel was lost');
  return true;
}

module.exports = { deliver, collectPorts, noteReceivedPort, post, invalidArgument };
