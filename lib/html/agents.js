// natives: worker, messaging
// Other agents of a page, as their owner sees them: a thread with a VM and an event loop of its own each, for workers, worklets and frames
// of other origins. html/agent_entry is their side. An agent that has nothing to do keeps nobody alive: it says so, and how much it had
// read when it said it.
'use strict';

const binding = native('worker');
const messaging = native('messaging');
const { kReceive } = require('internal/symbols/messaging');
const { post } = require('internal/messaging/post_message');
const { Link } = require('html/links');

const kNoLimits = new Float64Array(4).fill(-1);

function openChannel(receiver) {
  const { 0: mine, 1: other } = messaging.channel();
  messaging.own(mine, receiver);
  messaging.hold(mine);
  return { handle: mine, end: messaging.detach(other) };
}

class Agent {
  #thread = null;
  #handle;
  #read = new Int32Array(new SharedArrayBuffer(4)); // how many messages it has read
  #take;
  #onEnd;

  // kind: 'window', 'worker', 'worklet'; request: what html/agent_entry gets; take(message): what is no matter of the link; onEnd().
  constructor(kind, name, request, take, onEnd) {
    this.#take = take;
    this.#onEnd = onEnd;
    const { handle, end } = openChannel({ [kReceive]: (message) => this.#receive(message) });
    const { end: spare } = openChannel({ [kReceive]() {} });
    this.#handle = handle;
    this.link = new Link((message, transfer) => {
      if (this.#thread === null) return false;
      binding.setRef(this.#thread, true);
      post(handle, this, message, transfer);
      return true;
    }, 0);
    messaging.post(handle, { html: { ...request, kind, read: this.#read } });
    messaging.start(handle);
    const thread = binding.start(end, spare, name || kind, [], null, kNoLimits, () => this.#ended(), false, kind);
    if (typeof thread === 'number') throw new Error(`there can be no thread for a ${kind} (error ${thread})`);
    this.#thread = thread;
  }

  #receive(message) {
    if (message.type === 'settled') this.#settled(message);
    else if (!this.link.receive(message)) this.#take(message);
    this.link.arrived();
  }

  // It waits for messages; those that it has not read will wake it.
  #settled({ read }) {
    if (this.#thread !== null && read === this.link.sent) binding.setRef(this.#thread, false);
  }

  terminate() {
    if (this.#thread === null) return;
    binding.setRef(this.#thread, true);
    this.#take = () => {};
    binding.stop(this.#thread);
  }

  #ended() {
    this.#thread = null;
    while (messaging.hasMessage(this.#handle)) this.#receive(messaging.take(this.#handle));
    messaging.close(this.#handle);
    this.link.end(this.link.sent - Atomics.load(this.#read, 0));
    this.#onEnd?.();
  }
}

module.exports = { Agent };
