// natives: process
//
// Node's NodeTracing domain: trace events (internal/trace_events) between start and stop, for one session at a time.

'use strict';

const { ProtocolError, required } = require('internal/inspector/protocol_error');
const { isWorker } = native('process');

const kInvalidRequest = -32600;
const kCategories = [
  'node',
  'node.async_hooks',
  'node.bootstrap',
  'node.console',
  'node.dns.native',
  'node.environment',
  'node.fs.async',
  'node.fs.sync',
  'node.fs_dir.async',
  'node.fs_dir.sync',
  'node.http',
  'node.module_timer',
  'node.net.native',
  'node.promises.rejections',
  'node.threadpoolwork.async',
  'node.threadpoolwork.sync',
  'node.vm.script',
  'v8',
];

let owner; // the state that traces

const events = () => require('internal/trace_events/events');

class TracingState {
  constructor(session) {
    this.session = session;
  }

  start(categories) {
    if (isWorker) throw new ProtocolError(kInvalidRequest, 'Tracing properties can only be changed through main thread sessions');
    if (owner !== undefined) throw new ProtocolError(kInvalidRequest, 'Call NodeTracing::end to stop tracing before updating the config');
    if (categories.length === 0) throw new ProtocolError(kInvalidRequest, 'At least one category should be enabled');
    owner = this;
    events().beginSession(arrayMap.call(categories, String));
  }

  stop() {
    if (owner === this) {
      const { events: value, metadata } = this.#end();
      this.session.event('NodeTracing.dataCollected', { value });
      this.session.event('NodeTracing.dataCollected', { value: metadata });
    }
    this.session.event('NodeTracing.tracingComplete', {});
  }

  #end() {
    owner = undefined;
    return events().endSession();
  }

  close() {
    if (owner === this) this.#end();
  }
}

const stateOf = (session) => session.state('NodeTracing', () => new TracingState(session));

const methods = {
  __proto__: null,
  'NodeTracing.getCategories': () => ({ categories: kCategories }),
  'NodeTracing.start': (session, params) => {
    stateOf(session).start(required(required(params, 'traceConfig', 'object'), 'includedCategories', 'array'));
  },
  'NodeTracing.stop': (session) => stateOf(session).stop(),
};

module.exports = { methods };
