// natives: fs, permission, process, trace_events
// Trace events: which categories are on, and the switches of the places that tell of them. The log itself is C++'s
// (src/observe/trace_log.h), which writes the file; events of the loop, the pool, files and the engine come from there as well.
'use strict';

const binding = native('trace_events');
const fs = native('fs');
const { isWorker } = native('process');
const points = require('internal/util/trace_points');

const kDefaultCategories = 'v8,node,node.async_hooks';
const kFsSync = 'node,node.fs,node.fs.sync,node.fs_dir,node.fs_dir.sync',
  kFsAsync = 'node,node.fs,node.fs.async,node.fs_dir,node.fs_dir.async',
  kWatched =
    'node,node.threadpoolwork,node.threadpoolwork.sync,node.threadpoolwork.async,node.dns,node.dns.native,' + 'node.environment,v8',
  kEnvironment = 'node,node.environment',
  kBootstrap = 'node,node.bootstrap',
  kConsole = 'node,node.console',
  kScript = 'node,node.vm,node.vm.script',
  kRejections = 'node,node.promises,node.promises.rejections',
  kAsyncHooks = 'node,node.async_hooks',
  kHttp = 'node,node.http',
  kModules = 'node,node.module_timer';

const sets = new Set(); // lists of categories for the file: the command line's, and those of Tracing objects
let hasStarted = false;

// event('b', 'node,node.http', 'http.client.request', 1, { path })
function event(phase, categories, name, id, data, at, duration) {
  binding.event(phase, categories, name, id, data === undefined ? undefined : JSON.stringify(data), at, duration);
}

// The same with the arguments that Node's JavaScript gives an event: { data }.
function eventWithData(phase, categories, name, id, data) {
  event(phase, categories, name, id, data === undefined ? undefined : { data });
}

function enabledCategories() {
  const names = new Set();
  for (const set of each(Array.from(sets))) for (const name of each(set)) names.add(name);
  return arraySort.call(Array.from(names));
}

function update() {
  if (!isWorker) binding.setCategories(false, arrayJoin.call(enabledCategories(), ','));
  start();
  updateSwitches();
}

const switches = [
  [kFsSync, (isOn) => fs.traceCalls(fs.kTraceSyncEvents, isOn)],
  [kFsAsync, (isOn) => fs.traceCalls(fs.kTraceAsyncEvents, isOn)],
  [kWatched, (isOn) => binding.watch(isOn)],
  [kConsole, (isOn) => (points.console = isOn ? tellConsole : undefined)],
  [kScript, (isOn) => (points.script = isOn ? scriptEvents : undefined)],
  [kRejections, (isOn) => require('internal/queues/rejections').setTrace(isOn ? tellRejections : undefined)],
  [kAsyncHooks, (isOn) => require('internal/trace_events/async_hooks').toggle(isOn)],
  [kHttp, (isOn) => require('internal/trace_events/channels').toggleHttp(isOn)],
  [kModules, (isOn) => require('internal/trace_events/channels').toggleModules(isOn)],
  [kEnvironment, toggleEnvironment],
];
const states = [];

function updateSwitches() {
  for (let i = 0; i < switches.length; i++) {
    const isOn = binding.isEnabled(switches[i][0]);
    if (isOn === (states[i] ?? false)) continue;
    states[i] = isOn;
    switches[i][1](isOn);
  }
}

function tellConsole(phase, name, value) {
  eventWithData(phase, kConsole, name, 0, value);
}

const scriptEvents = {
  compile(filename, run) {
    event('B', kScript, 'ContextifyScript::New', undefined, { filename });
    try {
      return run();
    } finally {
      event('E', kScript, 'ContextifyScript::New');
    }
  },
  run(run) {
    const begun = binding.now();
    try {
      return run();
    } finally {
      event('X', kScript, 'RunInContext', undefined, undefined, begun, binding.now() - begun);
    }
  },
};

function tellRejections(unhandled, handledAfter) {
  event('C', kRejections, 'rejections', undefined, { unhandled, handledAfter });
}

const kEnvironmentId = 1;

function toggleEnvironment(isOn) {
  const programState = require('internal/process/program_state');
  programState.aroundBeforeExit = isOn ? aroundBeforeExit : undefined;
  const { argv, execArgv } = process;
  if (isOn) event('b', kEnvironment, 'Environment', kEnvironmentId, { args: { args: argv, exec_args: execArgv } });
}

function aroundBeforeExit(emit) {
  const begun = binding.now();
  try {
    emit();
  } finally {
    event('X', kEnvironment, 'BeforeExit', undefined, undefined, begun, binding.now() - begun);
  }
}

// Milestones of the start, at the times at which they were.
function tellBootstrap() {
  if (!binding.isEnabled(kBootstrap)) return;
  const { performance } = require('internal/perf/performance');
  const { nodeTiming } = performance;
  const origin = binding.now() - performance.now() * 1000;
  for (const name of each(['environment', 'nodeStart', 'v8Start', 'bootstrapComplete', 'loopStart', 'loopExit'])) {
    const at = nodeTiming[name];
    if (at >= 0) event('I', kBootstrap, name, undefined, undefined, origin + at * 1000);
  }
}

const kPoolThreads = 4;

function tellMetadata() {
  const metadata = (name, args, thread) => binding.metadata(name, JSON.stringify(args), thread);
  const { arch, platform, release, title, version, versions } = process;
  if (title !== firstTitle) metadata('process_name', { name: firstTitle });
  metadata('process_name', { name: title });
  metadata('version', { node: stringSlice.call(version, 1) });
  metadata('thread_name', { name: 'JavaScriptMainThread' });
  metadata('node', { process: { versions, arch, platform, release } });
  for (let i = 1; i <= kPoolThreads; i++) metadata('thread_name', { name: 'PlatformWorkerThread' }, i);
}

let firstTitle;

// The file is ended when the main thread ends, after its 'exit' event.
function start() {
  if (hasStarted) return;
  hasStarted = true;
  if (!isWorker) firstTitle = process.title;
  require('internal/process/before_end').add(finish);
}

function finish() {
  const begun = binding.now();
  binding.flush();
  if (isWorker) return;
  tellBootstrap();
  event('X', kEnvironment, 'RunCleanup', undefined, undefined, begun, binding.now() - begun);
  event('X', kEnvironment, 'AtExit', undefined, undefined, binding.now(), 0);
  event('e', kEnvironment, 'Environment', kEnvironmentId);
  if (!binding.hasFile()) return;
  tellMetadata();
  binding.closeFile();
}

let pattern = 'node_trace.${rotation}.log';
let isPlaced = false;

// The folder is that of now, whatever the program changes to later. A program with --permission needs the right to write there.
function placeFile(isChecked) {
  if (isPlaced) return;
  const nameOf = (rotation) =>
    stringReplaceAll.call(
      stringReplaceAll.call(pattern, '${rotation}', () => rotation),
      '${pid}',
      () => `${process.pid}`,
    );
  if (isChecked) for (const rotation of each(['1', '2'])) native('permission').check('fs.write', nameOf(rotation));
  binding.setFilePattern(require('internal/path/path').resolve(pattern));
  isPlaced = true;
}

// A list of the program's; the command line's is not checked.
function add(categories, isChecked = true) {
  placeFile(isChecked);
  sets.add(categories);
  update();
}

function remove(categories) {
  sets.delete(categories);
  update();
}

// --trace-event-categories, --trace-events-enabled, --trace-event-file-pattern
function startFromOptions(get) {
  if (isWorker) return startWorker();
  pattern = get('--trace-event-file-pattern') || pattern;
  const given = get('--trace-event-categories');
  const names = arrayFilter.call(stringSplit.call(given || kDefaultCategories, ','), (name) => name !== '');
  add(names, false);
}

function startWorker() {
  const { threadId, threadName } = require('internal/worker/worker_threads');
  const name = `[worker ${threadId}] ${threadName || 'WorkerThread'}`;
  binding.metadata('thread_name', JSON.stringify({ name }));
  update();
}

// For a session of the inspector: events between begin and end, as objects.
function beginSession(categories) {
  binding.setCategories(true, arrayJoin.call(categories, ','));
  firstTitle ??= process.title;
  updateSwitches();
}

function endSession() {
  const parse = () => arrayMap.call(binding.takeSession(), (text) => JSON.parse(text));
  const events = parse();
  tellMetadata();
  const metadata = parse();
  binding.setCategories(true, '');
  updateSwitches();
  return { events, metadata };
}

module.exports = {
  add,
  beginSession,
  enabledCategories,
  endSession,
  event,
  eventWithData,
  kAsyncHooks,
  kHttp,
  kModules,
  remove,
  startFromOptions,
};
