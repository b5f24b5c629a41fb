// natives: worker, messaging
// Other agents of a page, as their owner sees them: a thread with a VM and an event loop of its own each, for workers, worklets and
// frames of other origins. html/agents/agent_entry is their side. An agent that waits for messages keeps no page alive
// (src/runtime/html/agent_cluster.h counts).
'use strict';

const binding = native('worker');
const messaging = native('messaging');
const { kReceive } = require('internal/symbols/messaging');
const { post } = require('internal/messaging/post_message');
const { Link } = require('html/agents/links');

const kNoLimits = new Float64Array(4).fill(-1);

function openChannel(receiver) {
  const { 0: mine, 1: other } = messaging.channel();
  mine.setOwner(receiver);
  mine.keep();
  return { handle: mine, end: other.detach() };
}

class Agent {
  #thread = null;
  #handle;
  #take;
  #onEnd;

  // kind: 'window', 'worker', 'worklet'; request: what html/agents/agent_entry gets; take(message, ports) of what it sends; onEnd().
  constructor(kind, name, request, take, onEnd) {
    this.#take = take;
    this.#onEnd = onEnd;
    const { handle, end } = openChannel({ [kReceive]: (message, type, ports) => this.#take(message, ports) });
    const { end: spare } = openChannel({ [kReceive]() {} });
    this.#handle = handle;
    this.link = new Link((message, transfer) => {
      if (this.#thread !== null) post(handle, this, message, transfer);
    });
    handle.post({ html: { ...request, kind } });
    handle.start();
    const thread = binding.start(end, spare, name || kind, [], null, kNoLimits, () => this.#ended(), false, kind);
    if (typeof thread === 'number') throw new Error(`there can be no thread for a ${kind} (error ${thread})`);
    thread.setRef(false);
    this.#thread = thread;
  }

  terminate() {
    if (this.#thread === null) return;
    this.#thread.setRef(true);
    this.#take = () => {};
    this.#thread.stop();
  }

  #ended() {
    this.#thread = null;
    while (this.#handle.hasMessage()) this.#take(this.#handle.take(), []);
    this.#handle.close();
    this.link.end();
    this.#onEnd?.();
  }
}

module.exports = { Agent };
