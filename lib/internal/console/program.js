// natives: stdio, process, ledger
// The global console, made when a program first asks for it. Plain strings go straight to the descriptor; everything else (objects, format
// directives, groups, a replaced process.stdout) goes through the full Console of internal/console/global, loaded when first needed.
'use strict';

const { addLazy } = require('internal/util/lazy_property');
const { writeText } = native('stdio');
const { isWorker } = native('process');
const ledger = native('ledger');

let full; // the Console of node:console bound to process.stdout and process.stderr
function whole() {
  return (full ??= require('internal/console/global').makeGlobalConsole(console, isUntouched));
}

function isPlain(args, count) {
  if (count === 0) return true;
  const first = args[0];
  if (typeof first !== 'string' || (count > 1 && stringIncludes.call(first, '%'))) return false;
  for (let i = 1; i < count; i++) if (typeof args[i] !== 'string') return false;
  return true;
}

// A program that holds process.stdout may have replaced its write, or may wait for its events.
const standardStreams = require('internal/process/object');
// A worker's streams lead to its owner.
function isUntouched(name) {
  return !isWorker && standardStreams.isUntouched(name);
}

function print(name, fd, method, args) {
  if (full === undefined && isUntouched(name) && isPlain(args, args.length)) {
    const line = args.length === 1 ? `${args[0]}\n` : `${arrayJoin.call(args, ' ')}\n`;
    if (ledger.enabled) ledger.output(fd, line);
    const result = writeText(fd, line);
    if (result < 0) require('internal/process/stdio').failed(fd, result);
    return;
  }
  Reflect.apply(whole()[method], console, args);
}

const console = Object.create({}, { [Symbol.toStringTag]: { __proto__: null, value: 'console', configurable: true } });

const direct = {
  log(...args) {
    print('stdout', 1, 'log', args);
  },
  info(...args) {
    print('stdout', 1, 'info', args);
  },
  debug(...args) {
    print('stdout', 1, 'debug', args);
  },
  warn(...args) {
    print('stderr', 2, 'warn', args);
  },
  error(...args) {
    print('stderr', 2, 'error', args);
  },
  dir(...args) {
    Reflect.apply(whole().dir, console, args);
  },
  time(...args) {
    Reflect.apply(whole().time, console, args);
  },
  timeEnd(...args) {
    Reflect.apply(whole().timeEnd, console, args);
  },
  timeLog(...args) {
    Reflect.apply(whole().timeLog, console, args);
  },
  trace(...args) {
    Reflect.apply(whole().trace, console, args);
  },
  assert(...args) {
    Reflect.apply(whole().assert, console, args);
  },
  clear(...args) {
    Reflect.apply(whole().clear, console, args);
  },
  count(...args) {
    Reflect.apply(whole().count, console, args);
  },
  countReset(...args) {
    Reflect.apply(whole().countReset, console, args);
  },
  group(...args) {
    Reflect.apply(whole().group, console, args);
  },
  groupEnd(...args) {
    Reflect.apply(whole().groupEnd, console, args);
  },
  table(...args) {
    Reflect.apply(whole().table, console, args);
  },
  dirxml(...args) {
    Reflect.apply(whole().dirxml, console, args);
  },
  groupCollapsed(...args) {
    Reflect.apply(whole().groupCollapsed, console, args);
  },
  // As documented, these show nothing without an inspector.
  profile() {},
  profileEnd() {},
  timeStamp() {},
  context(name) {
    return require('internal/console/inspector_names').context(name);
  },
  createTask(name) {
    return require('internal/console/inspector_names').createTask(name);
  },
};
for (const name of each(Object.keys(direct))) {
  // Where Node has it among the names.
  if (name === 'profile') addLazy(console, ['Console'], () => (whole(), require('internal/console/global').Console), true);
  Object.defineProperty(console, name, { __proto__: null, value: direct[name], writable: true, configurable: true, enumerable: true });
}

// A program may put its own streams in place of these.
for (const name of each(['_stdout', '_stderr'])) {
  Object.defineProperty(console, name, {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get() {
      return whole() && console[name];
    },
    set(value) {
      if (whole()) console[name] = value;
    },
  });
}

module.exports = console;
