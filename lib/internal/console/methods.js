// natives: none
// The methods of every console, https://console.spec.whatwg.org/ as Node writes it out.
// Channels of node:diagnostics_channel hear of log, info, debug, warn and error.
'use strict';

const { format, kCounts, kGroupIndentationString, kGroupIndentationWidth, optionsFor, write } = require('internal/console/fields');
const points = require('internal/util/trace_points');
const { channel } = require('internal/events/diagnostics_channel');

const channels = {};
for (const name of each(['log', 'info', 'debug', 'warn', 'error'])) channels[name] = channel(`console.${name}`);

function print(console, method, stream, args) {
  if (channels[method].hasSubscribers) channels[method].publish(args);
  write(console, stream, format(console, stream, args));
}

module.exports = {
  log(...args) {
    print(this, 'log', '_stdout', args);
  },
  warn(...args) {
    print(this, 'warn', '_stderr', args);
  },
  error(...args) {
    print(this, 'error', '_stderr', args);
  },
  info(...args) {
    print(this, 'info', '_stdout', args);
  },
  debug(...args) {
    print(this, 'debug', '_stdout', args);
  },

  dir(object, options) {
    const { inspect } = require('internal/util/inspect');
    write(this, '_stdout', inspect(object, { customInspect: false, ...optionsFor(this, '_stdout'), ...options }));
  },

  time(label = 'default') {
    require('internal/console/timing').start(this._times, label);
  },

  timeEnd(label = 'default') {
    const found = require('internal/console/timing').elapsed(this._times, label, 'timeEnd');
    if (found === undefined) return;
    this.log('%s: %s', ...each(found));
    this._times.delete(`${label}`);
  },

  timeLog(label = 'default', ...data) {
    const found = require('internal/console/timing').elapsed(this._times, label, 'timeLog');
    if (found !== undefined) this.log('%s: %s', ...each(found), ...each(data));
  },

  trace: function trace(...args) {
    const here = { name: 'Trace', message: format(this, '_stderr', args) };
    // The global console's own function calls this one.
    captureStackTrace(here, this === require('internal/console/program') ? this.trace : trace);
    this.error(here.stack);
  },

  assert(expression, ...args) {
    if (expression) return;
    if (typeof args[0] === 'string') args[0] = `Assertion failed: ${args[0]}`;
    else arrayUnshift.call(args, 'Assertion failed');
    this.warn(...each(args));
  },

  clear() {
    // To the top left corner, then erase what is below.
    if (this._stdout.isTTY && process.env.TERM !== 'dumb') this._stdout.write('\u001b[1;1H\u001b[0J');
  },

  count(label = 'default') {
    label = `${label}`;
    const count = (this[kCounts].get(label) ?? 0) + 1;
    this[kCounts].set(label, count);
    if (points.console !== undefined) points.console('C', `count::${label}`, count);
    this.log(`${label}: ${count}`);
  },

  countReset(label = 'default') {
    if (!this[kCounts].has(label)) {
      process.emitWarning(`Count for '${label}' does not exist`);
      return;
    }
    this[kCounts].delete(`${label}`);
    if (points.console !== undefined) points.console('C', `count::${label}`, 0);
  },

  group(...data) {
    if (data.length > 0) this.log(...each(data));
    this[kGroupIndentationString] += stringRepeat.call(' ', this[kGroupIndentationWidth]);
  },

  groupEnd() {
    const indentation = this[kGroupIndentationString];
    this[kGroupIndentationString] = stringSlice.call(indentation, 0, indentation.length - this[kGroupIndentationWidth]);
  },

  table(tabularData, properties) {
    if (properties !== undefined) require('internal/util/validators').validateArray(properties, 'properties');
    if (tabularData === null || typeof tabularData !== 'object') return this.log(tabularData);
    const { makeTable } = require('internal/console/table');
    this.log(makeTable(tabularData, properties, optionsFor(this, '_stdout')));
  },
};

module.exports.dirxml = module.exports.log;
module.exports.groupCollapsed = module.exports.group;
