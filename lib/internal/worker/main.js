// natives: worker, inspector, messaging, permission, process
// Entry point of a worker's thread: takes the control line to its owner, on which everything it needs waits, makes the process
// object a worker's, and runs the program.
'use strict';

const binding = native('worker');
const messaging = native('messaging');
const { getEnv } = native('process');
const { kReceive } = require('internal/symbols/messaging');
require('internal/messaging/post_message');
const { kStdio, kMore } = require('internal/worker/control_line');
const state = require('internal/worker/state');

const control = {
  handle: undefined,
  postMessage(message) {
    control.handle.post(message);
  },
  ref() {
    control.handle.ref();
  },
  unref() {
    control.handle.unref();
  },
  [kReceive](message) {
    switch (message.type) {
      case kStdio:
        return state.streams().stdin.take(message.chunks);
      case kMore:
        return state.streams()[message.stream].more();
      case 'thread':
        return require('internal/worker/threads').receive(message);
      case 'ask':
        return require('internal/worker/answers').answer(message, control);
      default:
    }
  },
};

// True: a handler of the program took it. Else the exit code.
function onUncaught(error, fromPromise) {
  const uncaught = require('internal/process/uncaught');
  const wasExiting = process._exiting; // thrown by an 'exit' listener: the code is decided
  let fatal = error;
  try {
    if (uncaught.offer(error, fromPromise)) return true;
    uncaught.endProcess();
  } catch (failure) {
    fatal = failure;
    process._exiting = true;
    process.exitCode = 1;
  }
  sendError(fatal);
  state.flush();
  return process.exitCode ?? (wasExiting ? 0 : 1);
}

function sendError(error) {
  try {
    control.postMessage({ type: 'error', error: require('internal/worker/errors').pack(error) });
  } catch {
    control.postMessage({ type: 'unserializable' });
  }
}

const kVariables = ['NODE_USE_ENV_PROXY', 'NODE_COMPILE_CACHE', 'NODE_V8_COVERAGE'];

function setUpProcess({ argv, entry, kind, stdin, options }) {
  state.attach(control);
  require('internal/process/object').output.flush = state.flush;
  state.hasStdin = stdin;
  process._fatalException = onUncaught;
  if (kind === 'eval') arrayPush.call(process.argv, '[worker eval]');
  else if (kind === 'file') arrayPush.call(process.argv, entry);
  for (const argument of each(argv)) arrayPush.call(process.argv, argument);
  const known = require('internal/process/options');
  known.setOptions(options);
  const seed = known.getOptionValue('--exploring');
  if (seed !== false) requireLater('internal/explore/inside').install(seed);
  const hasVariables = arraySome.call(kVariables, (name) => getEnv(name));
  if (known.hasOptions() || native('permission').isGiven || hasVariables) {
    require('internal/process/start').applyOptions(known, true);
  }
  if (getEnv('NODE_CHANNEL_FD')) require('internal/worker/process').refuseChannel();
}

function run() {
  control.handle = messaging.attach(binding.takeControl());
  control.handle.setOwner(control);
  control.handle.hasMessage();
  const message = control.handle.take();
  if (message.html !== undefined) return requireLater('html/agents/agent_entry').run(message.html, control.handle);
  control.handle.start();
  setUpProcess(message);
  state.workerData = message.workerData;
  if (message.environmentData !== undefined) require('internal/worker/environment_data').assign(message.environmentData);
  if (message.web !== undefined) require('internal/worker/web_worker_scope').install(message.web, sendError);
  control.postMessage({ type: 'online' });
  if (native('inspector').areThreadsWatched()) requireLater('internal/inspector/in_worker').start(message);
  runProgram(message);
}

function runProgram({ kind, entry, web }) {
  if (web !== undefined) return require('internal/worker/web_worker_scope').run(kind, entry, web);
  switch (kind) {
    case 'eval':
      return require('internal/modules/run_text').evalScript('[worker eval]', entry, { hasBuiltins: false });
    case 'data':
      return require('internal/modules/run_main').runUrl(entry);
    default:
      return require('internal/modules/run_main').runMain(entry);
  }
}

module.exports = { run };
