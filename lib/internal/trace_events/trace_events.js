// natives: process
// node:trace_events: sets of categories that a program turns on and off.
'use strict';

const {
  codes: { ERR_TRACE_EVENTS_CATEGORY_REQUIRED, ERR_TRACE_EVENTS_UNAVAILABLE },
} = require('internal/errors/coded');
if (native('process').isWorker) throw new ERR_TRACE_EVENTS_UNAVAILABLE();

const { validateObject, validateStringArray } = require('internal/util/validators');
const events = require('internal/trace_events/events');

const kMostTracing = 10; // before a leak is suspected
const enabled = new Set();

class Tracing {
  #categories;
  #isEnabled = false;

  constructor(categories) {
    this.#categories = arraySlice.call(categories);
  }

  enable() {
    if (this.#isEnabled) return;
    events.add(this.#categories);
    this.#isEnabled = true;
    enabled.add(this);
    if (enabled.size <= kMostTracing) return;
    process.emitWarning(`Possible trace_events memory leak detected. There are more than ${kMostTracing} enabled Tracing objects.`);
  }

  disable() {
    if (!this.#isEnabled) return;
    this.#isEnabled = false;
    events.remove(this.#categories);
    enabled.delete(this);
  }

  get enabled() {
    return this.#isEnabled;
  }

  get categories() {
    return arrayJoin.call(this.#categories, ',');
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth) {
    if (typeof depth === 'number' && depth < 0) return this;
    const { format } = require('internal/util/inspect');
    return `Tracing ${format({ enabled: this.enabled, categories: this.categories })}`;
  }
}

function createTracing(options) {
  validateObject(options, 'options');
  validateStringArray(options.categories, 'options.categories');
  if (options.categories.length <= 0) throw new ERR_TRACE_EVENTS_CATEGORY_REQUIRED();
  return new Tracing(options.categories);
}

function getEnabledCategories() {
  const names = events.enabledCategories();
  return names.length === 0 ? undefined : arrayJoin.call(names, ',');
}

module.exports = { createTracing, getEnabledCategories };
