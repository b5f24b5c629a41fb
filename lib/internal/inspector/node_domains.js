// natives: none
//
// Node's own small domains: NodeRuntime, and Schema.

'use strict';

const { required } = require('internal/inspector/protocol_error');
const waiting = require('internal/inspector/waiting');

class NodeRuntimeState {
  tellsWaiting = false;
  #tell;

  constructor(session) {
    this.#tell = () => session.event('NodeRuntime.waitingForDebugger', {});
  }

  enable() {
    waiting.listeners.add(this.#tell);
    if (waiting.isWaiting) this.#tell();
  }

  close() {
    waiting.listeners.delete(this.#tell);
  }
}

const stateOf = (session) => session.state('NodeRuntime', () => new NodeRuntimeState(session));

const kDomains = ['Runtime', 'Debugger', 'HeapProfiler', 'Profiler', 'Console', 'NodeRuntime', 'NodeTracing', 'NodeWorker', 'Schema'];

const methods = {
  __proto__: null,
  'NodeRuntime.enable': (session) => stateOf(session).enable(),
  'NodeRuntime.disable': (session) => stateOf(session).close(),
  'NodeRuntime.notifyWhenWaitingForDisconnect': (session, params) => {
    stateOf(session).tellsWaiting = required(params, 'enabled', 'boolean');
  },
  'Schema.getDomains': () => ({ domains: arrayMap.call(kDomains, (name) => ({ name, version: '1.3' })) }),
};

module.exports = { methods };
