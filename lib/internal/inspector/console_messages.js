// natives: none
//
// The console's messages for sessions with the Runtime domain on: each call of a console's method is told, and the last thousand are kept
// for a session that comes later. The console is wrapped when the inspector first starts.

'use strict';

const { currentStack } = require('internal/inspector/stack');

const kMostKept = 1000;
const kTypes = {
  __proto__: null,
  log: 'log',
  info: 'info',
  debug: 'debug',
  error: 'error',
  warn: 'warning',
  dir: 'dir',
  dirxml: 'dirxml',
  table: 'table',
  trace: 'trace',
  clear: 'clear',
  group: 'startGroup',
  groupCollapsed: 'startGroupCollapsed',
  groupEnd: 'endGroup',
  assert: 'assert',
  profile: 'profile',
  profileEnd: 'profileEnd',
  count: 'count',
  timeEnd: 'timeEnd',
  timeLog: 'timeLog',
};

const users = new Set();
const kept = [];
let isWrapped = false;

const scriptIdOf = (url) => require('internal/inspector/debugger_engine').scriptIdOf(url);

function add(user) {
  users.add(user);
  wrap();
  for (const message of each(arraySlice.call(kept))) tell(user, message);
}

function remove(user) {
  users.delete(user);
}

function discard() {
  kept.length = 0;
}

function tell({ session }, { type, args, timestamp, stackTrace, context }) {
  session.event('Runtime.consoleAPICalled', {
    type,
    args: arrayMap.call(args, (value) => session.objects.remote(value, 'console', { generatePreview: true })),
    executionContextId: 1,
    timestamp,
    stackTrace,
    ...(context !== undefined && { context }),
  });
}

function note(type, args, above, context) {
  const message = { type, args, timestamp: Date.now(), stackTrace: currentStack(above, scriptIdOf), context };
  if (type === 'clear') kept.length = 0;
  arrayPush.call(kept, message);
  if (kept.length > kMostKept) arrayShift.call(kept);
  for (const user of each(Array.from(users))) tell(user, message);
  require('internal/inspector/console_domain').tell(message);
}

// The arguments that the message shows; undefined: no message.
const timers = new Map(),
  counts = new Map();
function shownArguments(name, args) {
  const label = args[0] === undefined ? 'default' : `${args[0]}`;
  switch (name) {
    case 'assert':
      return args[0] ? undefined : args.length > 1 ? arraySlice.call(args, 1) : ['console.assert'];
    case 'count': {
      const count = (counts.get(label) ?? 0) + 1;
      counts.set(label, count);
      return [`${label}: ${count}`];
    }
    case 'timeLog':
    case 'timeEnd': {
      if (!timers.has(label)) return undefined;
      const text = `${label}: ${performance().now() - timers.get(label)} ms`;
      if (name === 'timeEnd') timers.delete(label);
      return [text];
    }
    case 'groupEnd':
      return ['console.groupEnd'];
    case 'clear':
      return ['console.clear'];
    case 'trace':
      return args.length > 0 ? args : ['console.trace'];
    default:
      return args;
  }
}

const performance = () => require('internal/perf/perf_hooks').performance;

function wrap() {
  if (isWrapped) return;
  isWrapped = true;
  const { console } = globalThis;
  if (console === null || typeof console !== 'object') return;
  for (const name of each(Object.keys(kTypes))) {
    const original = console[name];
    if (typeof original !== 'function') continue;
    const wrapped = {
      [name](...args) {
        if (name === 'profile' || name === 'profileEnd') {
          require('internal/inspector/profiler_domain').onConsole(name, args, wrapped);
          return Reflect.apply(original, this, args);
        }
        const shown = shownArguments(name, args);
        if (shown !== undefined) note(name === 'timeLog' ? 'log' : kTypes[name], shown, wrapped);
        return Reflect.apply(original, this, args);
      },
    }[name];
    console[name] = wrapped;
  }
  const { countReset, time } = console;
  console.time = {
    time(label) {
      timers.set(label === undefined ? 'default' : `${label}`, performance().now());
      return Reflect.apply(time, this, [label]);
    },
  }.time;
  console.countReset = {
    countReset(label) {
      counts.delete(label === undefined ? 'default' : `${label}`);
      return Reflect.apply(countReset, this, [label]);
    },
  }.countReset;
}

module.exports = { add, discard, kept, note, remove, wrap };
