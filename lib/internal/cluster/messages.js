// natives: none
// Messages between primary and worker: internal messages of their channel, some with a handle, some answered. An answer
// names the number of its question in `ack`.
'use strict';

const questions = new Map();
let lastNumber = 0;

// Sends through a ChildProcess or `process`; `answered(reply, handle)` if the other side answers.
function send(target, message, handle, answered) {
  if (!target.connected) return false;
  const complete = { cmd: 'NODE_CLUSTER', ...message, seq: lastNumber };
  if (typeof answered === 'function') questions.set(lastNumber, answered);
  lastNumber++;
  return target.send(complete, handle, { swallowErrors: true, keepOpen: true });
}

// A listener of 'internalMessage': answers go to who asked, the rest to `receive`.
function receiver(owner, receive) {
  return function onInternalMessage(message, handle) {
    if (message.cmd !== 'NODE_CLUSTER') return;
    const answered = questions.get(message.ack);
    if (message.ack === undefined || answered === undefined) {
      call2(receive, owner, message, handle);
      return;
    }
    questions.delete(message.ack);
    call2(answered, owner, message, handle);
  };
}

module.exports = { send, receiver };
