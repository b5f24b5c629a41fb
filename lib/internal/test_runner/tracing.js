// natives: none
// The diagnostics channels tracing:node.test:start, end and error around the function of a test or suite.
'use strict';

const { tracingChannel } = require('internal/events/diagnostics_channel');

const asyncContext = require('internal/async_hooks/context');

function inThisContext(fn) {
  const context = asyncContext.get();
  return (name, event) => {
    const outer = asyncContext.exchange(context);
    try {
      fn(name, event);
    } finally {
      asyncContext.set(outer);
    }
  };
}

const channel = tracingChannel('node.test');

class TestTracing {
  #event;
  #publish = (name, event) => channel[name].publish(event);

  constructor(test) {
    this.#event = { __proto__: null, name: test.name, nesting: test.nesting, file: test.entryFile, type: test.reportedType };
  }

  // `fn`, which begins with the start event and has the stores bound to it.
  wrap(fn, self) {
    if (!channel.start.hasSubscribers) return fn;
    const tracing = this;
    return function (...args) {
      return channel.start.runStores(tracing.#event, () => {
        tracing.#publish = inThisContext(tracing.#publish);
        return Reflect.apply(fn, self, args);
      });
    };
  }

  error(error) {
    if (channel.error.hasSubscribers) this.#publish('error', { __proto__: null, ...this.#event, error });
  }

  end() {
    if (channel.end.hasSubscribers) this.#publish('end', this.#event);
  }
}

module.exports = { TestTracing };
