// natives: inspector
//
// Links between the inspectors of two threads. A thread that joins can be reached: each link that another thread opens to it is a session
// here. On the main thread this also knows which workers there are (for internal/inspector/worker_domain).

'use strict';

const binding = native('inspector');
const { ProtocolSession } = require('internal/inspector/session');

const { kThreadStarted, kThreadEnded, kLinkOpened, kLinkMessage, kLinkClosed } = binding;

const incoming = new Map(); // link → session that another thread uses here
const outgoing = new Map(); // link → { take(text), ended() }: sessions of another thread that are used here
const workers = new Map(); // thread → { title, url, waiting }
const listeners = new Set(); // of workers that come and go: { started(thread, worker), ended(thread) }
let isJoined = false;

// Whether the thread is to wait for a debugger.
function joinThreads(description) {
  if (isJoined) return false;
  isJoined = true;
  require('internal/inspector/events').startThreads(onEvent);
  return binding.joinThreads(JSON.stringify(description));
}

function onEvent(kind, number, text) {
  switch (kind) {
    case kThreadStarted: {
      const worker = JSON.parse(text);
      workers.set(number, worker);
      for (const listener of each(Array.from(listeners))) listener.started(number, worker);
      break;
    }
    case kThreadEnded:
      workers.delete(number);
      for (const listener of each(Array.from(listeners))) listener.ended(number);
      break;
    case kLinkOpened:
      incoming.set(number, new ProtocolSession((message) => binding.sendLink(number, message), true));
      break;
    case kLinkMessage:
      if (incoming.has(number)) incoming.get(number).dispatch(text);
      else outgoing.get(number)?.take(text);
      break;
    case kLinkClosed:
      incoming.get(number)?.close();
      incoming.delete(number);
      outgoing.get(number)?.ended();
      outgoing.delete(number);
      break;
  }
}

// A session of another thread: { dispatch(text), close() }, or undefined when that thread cannot be reached.
function connect(thread, take, ended = () => {}) {
  joinThreads({});
  const link = binding.openLink(thread);
  if (link === 0) return undefined;
  outgoing.set(link, { take, ended });
  if (thread === 0) require('internal/worker/state').wakeInspector();
  return {
    dispatch: (text) => binding.sendLink(link, text),
    close() {
      outgoing.delete(link);
      binding.closeLink(link);
    },
  };
}

module.exports = { connect, joinThreads, listeners, workers };
