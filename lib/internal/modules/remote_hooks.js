// natives: child_process
//
// module.register and --experimental-loader: asynchronous hooks, run apart from
// the program that they customize. They live in a process of their own
// (hooks_process.js), started with the first of them; the loader asks it and
// waits, as Node's main thread waits for its hooks thread. Values that cannot leave a
// process (ports, shared memory) cannot be given to them.

'use strict';

const programState = require('internal/process/program_state');
const fs = require('internal/fs/fs');
const { Buffer } = require('internal/buffer/buffer');
const { frame, kLengthBytes, unpackError } = require('internal/modules/hooks_wire');

let requests; // descriptors
let replies;

function start() {
  const { pipe } = native('child_process');
  const [childReads, parentWrites] = each(pipe());
  const [parentReads, childWrites] = each(pipe());
  const child = require('internal/child_process/child_process').spawn(process.execPath, [...each(process.execArgv), '[hooks]'], {
    stdio: ['ignore', 'inherit', 'inherit', childReads, childWrites],
    env: { ...process.env, RONDO_HOOKS: '1' },
  });
  child.on('error', () => {});
  child.unref();
  fs.closeSync(childReads);
  fs.closeSync(childWrites);
  requests = parentWrites;
  replies = parentReads;
  ask({ kind: 'start', argv: process.argv });
}

function readExactly(length) {
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  while (at < length) {
    const count = fs.readSync(replies, bytes, at, length - at);
    if (count === 0) return undefined;
    at += count;
  }
  return bytes;
}

function receive() {
  const length = readExactly(kLengthBytes);
  const body = length && readExactly(length.readUInt32LE(0));
  return body === undefined ? { exit: 1 } : require('internal/v8/v8').deserialize(body);
}

// One question, one answer. Hooks that end their process end ours, with the same code.
function ask(message) {
  const bytes = frame(message);
  let answer;
  try {
    for (let at = 0; at < bytes.length; ) at += fs.writeSync(requests, bytes, at);
    answer = receive();
  } catch (error) {
    if (error.code !== 'EPIPE') throw error;
    answer = receive();
  }
  if (answer.exit !== undefined) process.exit(answer.exit);
  if (answer.failure !== undefined) throw unpackError(answer.failure);
  if (answer.isUnsettled) throw new (require('internal/errors/coded').codes.ERR_ASYNC_LOADER_REQUEST_NEVER_SETTLED)();
  return answer.result;
}

function add(specifier, parentURL, data) {
  const asked = `${specifier}`;
  const base = `${parentURL}`;
  if (requests === undefined) start();
  ask({ kind: 'register', specifier: asked, parentURL: base, data });
  programState.remoteHooks ??= { resolve, load };
}

function resolve(specifier, context) {
  return ask({ kind: 'resolve', specifier, context });
}

function load(url, context) {
  return ask({ kind: 'load', url, context });
}

function notTransferable(value) {
  const shown = typeof value === 'object' && value !== null ? `#<${value.constructor?.name ?? 'Object'}>` : String(value);
  return new (require('internal/errors/dom_exception').DOMException)(`${shown} could not be cloned.`, 'DataCloneError');
}

let isWarned = false;
function register(specifier, parentURL = undefined, options = undefined) {
  if (!isWarned) {
    isWarned = true;
    process.emitWarning('`module.register()` is deprecated. Use `module.registerHooks()` instead.', 'DeprecationWarning', 'DEP0205');
  }
  let base = parentURL;
  let given = options;
  if (parentURL != null && typeof parentURL === 'object' && !(parentURL instanceof require('internal/url/url').URL)) {
    given = parentURL;
    base = given.parentURL;
  }
  if (given?.transferList?.length > 0) throw notTransferable(given.transferList[0]);
  add(specifier, base ?? 'data:', given?.data);
}
Object.defineProperty(register, 'length', { value: 1, configurable: true });

// --experimental-loader, before the program.
function registerFromOptions(specifiers, base) {
  const shown = arrayJoin.call(
    arrayMap.call(specifiers, (one) => `register(${JSON.stringify(one)}, pathToFileURL("./"));`),
    '',
  );
  process.emitWarning(
    '`--experimental-loader` may be removed in the future; instead use `register()`:\n' +
      `--import 'data:text/javascript,import { register } from "node:module"; import { pathToFileURL } from "node:url"; ${shown}'`,
    'ExperimentalWarning',
  );
  for (const specifier of each(specifiers)) add(specifier, base);
}

module.exports = { register, registerFromOptions };
