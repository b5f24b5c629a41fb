// natives: messaging, worker
// postMessageToThread: every thread that has to do with workers has a port that others find by its number. The answer comes
// over a channel of its own, whose end is the answer of a thread that ended meanwhile.
'use strict';

const messaging = native('messaging');
const { isWorker, threadId: ownId } = native('worker');
const { codes } = require('internal/errors/coded');
const { validateNumber } = require('internal/util/validators');
const { kReceive } = require('internal/symbols/messaging');

const kDelivered = 0,
  kNoListener = 1,
  kThrew = 2;

// A message of another thread, or the port of one that takes part in the embedded mesh.
function receive({ type, source, value, reply, port }) {
  if (type === 'mesh') return requireLater('internal/mesh/hub_line').accept(port);
  let answer = kNoListener;
  try {
    if (process.emit('workerMessage', value, source)) answer = kDelivered;
  } catch {
    answer = kThrew;
  }
  reply.postMessage(answer);
  reply.close();
  return undefined;
}

let own;

// The main thread's. A worker is found through its control line.
function register() {
  if (own !== undefined || isWorker) return;
  const { 0: mine, 1: other } = messaging.channel();
  own = { mine, other, [kReceive]: receive };
  mine.setOwner(own);
  mine.start();
  mine.registerInbox(ownId);
}

function check(threadId, timeout) {
  if (timeout !== undefined) validateNumber(timeout, 'timeout', 0);
  if (threadId === ownId) throw new codes.ERR_WORKER_MESSAGING_SAME_THREAD();
}

async function postMessageToThread(threadId, value, transferList, timeout) {
  if (typeof transferList === 'number' && timeout === undefined) {
    timeout = transferList;
    transferList = [];
  }
  check(threadId, timeout);
  const { MessageChannel } = require('internal/messaging/message_channel');
  const { prepareTransfers } = require('internal/messaging/structured_clone');
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise((resolve) => {
    port1.on('message', resolve);
    port1.on('close', () => resolve(kNoListener));
  });
  const message = { type: 'thread', source: ownId, value, reply: port2 };
  const isSent = messaging.postTo(threadId, message, prepareTransfers([...each(transferList ?? []), port2]));
  if (!isSent) {
    port1.close();
    throw new codes.ERR_WORKER_MESSAGING_FAILED();
  }
  const result = await (timeout === undefined ? answer : withTimeout(answer, timeout));
  port1.close();
  if (result === 'timeout') throw new codes.ERR_WORKER_MESSAGING_TIMEOUT();
  if (result === kNoListener) throw new codes.ERR_WORKER_MESSAGING_FAILED();
  if (result === kThrew) throw new codes.ERR_WORKER_MESSAGING_ERRORED();
}

function withTimeout(answer, timeout) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeout, 'timeout');
    promiseThen(answer, (result) => {
      clearTimeout(timer);
      resolve(result);
    });
  });
}

module.exports = { postMessageToThread, receive, register };
