// natives: coverage, crypto, modules, stdio, fs, permission, process, runtime
// main()'s use of the command line: settings that options change, then the program: a file, a text, standard input.
'use strict';

const binding = native('modules');
const { writeText } = native('stdio');
const { getEnv } = native('process');

const kInspecting = ['--inspect', '--inspect-brk', '--inspect-wait'];

// Settings of the command line and the environment.
function applyOptions({ hasOptions, getOptionValue }, isWorker) {
  if (hasOptions()) applyGiven(getOptionValue, isWorker);
  if (native('permission').isGiven) require('internal/process/permission').start(getOptionValue, isWorker);
  if (hasOptions() && !isWorker && arraySome.call(kInspecting, getOptionValue)) {
    requireLater('internal/inspector/server').startFromOptions(getOptionValue);
  }
  if (getEnv('NODE_USE_ENV_PROXY') === '1') useEnvironmentProxies();
  if (getEnv('NODE_COMPILE_CACHE')) requireLater('internal/modules/compile_cache').enableFromEnvironment();
  if (getEnv('NODE_V8_COVERAGE')) startCoverage();
  if (isWorker) return;
  if (getEnv('NODE_CHANNEL_FD')) requireLater('internal/child_process/channel').setUpChildChannel();
  if (getEnv('NODE_UNIQUE_ID') && process.argv[1]) require('internal/process/cluster_role').becomeWorker();
}

function applyGiven(get, isWorker) {
  if (!isWorker) loadEnvFiles(get('--env-file'), get('--env-file-if-exists'));
  const limit = get('--stack-trace-limit');
  if (limit !== 10) Error.stackTraceLimit = Number(limit);
  const mode = get('--unhandled-rejections');
  if (mode) require('internal/queues/rejections').setMode(mode);
  if (!get('--deprecation')) process.noDeprecation = true;
  if (get('--trace-deprecation')) process.traceDeprecation = true;
  if (get('--throw-deprecation')) process.throwDeprecation = true;
  if (get('--trace-warnings')) process.traceProcessWarnings = true;
  if (!get('--warnings')) process.noProcessWarnings = true;
  if (get('--trace-sync-io')) native('fs').traceCalls(native('fs').kTraceSyncWarning, true);
  if (get('--trace-exit')) traceExit(isWorker);
  if (get('--title') && !isWorker) process.title = get('--title');
  if (get('--expose-gc')) exposeGc();
  if (get('--calls')) requireLater('internal/observe/calls').enable();
  if (!get('--experimental-websocket')) takeAway(['WebSocket', 'CloseEvent']);
  if (get('--experimental-eventsource')) addGlobal('EventSource');
  if (get('--experimental-web-worker')) addGlobal('Worker');
  if (!get('--experimental-global-navigator')) takeAway(['navigator', 'Navigator']);
  if (!get('--webstorage')) takeAway(['Storage', 'localStorage', 'sessionStorage']);
  else if (get('--localstorage-file')) showLocalStorage();
  if (get('--report-on-signal') || get('--report-uncaught-exception')) require('internal/process/diagnostic_report');
  if (get('--enable-source-maps')) process.setSourceMapsEnabled(true);
  if (!native('permission').isGiven) refuseLoneRights(get);
  if (get('--use-env-proxy')) useEnvironmentProxies();
  applyRareOptions(get, isWorker);
  if (get('--trace-event-categories') || get('--trace-events-enabled')) requireLater('internal/trace_events/events').startFromOptions(get);
  if (get('--perf-basic-prof') && !isWorker) require('internal/process/perf_map').start();
}

function applyRareOptions(get, isWorker) {
  if (get('--disable-proto')) disableProto(get('--disable-proto'));
  if (get('--secure-heap') && !isWorker) startSecureHeap(get);
  if (get('--disallow-code-generation-from-strings')) native('runtime').disallowCodeGeneration();
  if (get('--experimental-test-coverage')) native('coverage').start(); // before the first file is compiled
  if (get('--cpu-prof')) require('internal/process/cpu_profile').start(get);
  if (get('--heap-prof')) require('internal/process/heap_profile').start(get);
  if (get('--doctor') && !isWorker) requireLater('internal/observe/own_doctor').start();
  if (get('--heapsnapshot-signal') && !isWorker) writeSnapshotOn(get('--heapsnapshot-signal'));
}

function startSecureHeap(get) {
  const isPowerOfTwo = (number) => number > 1 && number < 2 ** 32 && Math.log2(number) % 1 === 0;
  const wrong = arrayFilter.call(['--secure-heap', '--secure-heap-min'], (name) => !isPowerOfTwo(get(name)));
  const faults = arrayMap.call(wrong, (name) => `${name} must be a power of 2`);
  const isStarted = faults.length === 0 && native('crypto').startSecureHeap(get('--secure-heap'), get('--secure-heap-min'));
  if (isStarted) return;
  if (faults.length === 0) arrayPush.call(faults, 'Unable to initialize openssl secure heap.');
  for (const fault of each(faults)) writeText(2, `${process.execPath}: ${fault}\n`);
  process.reallyExit(kExitBadOption);
}

// --disable-proto=delete, or =throw.
function disableProto(mode) {
  require('internal/language/every_realm').watchContexts((context) => disableProtoOf(context.Object.prototype, mode));
  disableProtoOf(Object.prototype, mode);
}

function disableProtoOf(prototype, mode) {
  delete prototype.__proto__;
  if (mode === 'delete') return;
  const {
    codes: { ERR_PROTO_ACCESS },
  } = require('internal/errors/coded');
  const refuse = () => {
    throw new ERR_PROTO_ACCESS();
  };
  Object.defineProperty(prototype, '__proto__', {
    __proto__: null,
    get: refuse,
    set: refuse,
    enumerable: false,
    configurable: true,
  });
}

// --heapsnapshot-signal: the handler keeps no program alive.
function writeSnapshotOn(signal) {
  require('internal/util/validators').validateSignalName(signal);
  process.on(signal, () => requireLater('internal/v8/v8').writeHeapSnapshot());
}

// An --allow- option without --permission would read as if something were forbidden.
function refuseLoneRights(get) {
  const options = [
    '--allow-fs-read',
    '--allow-fs-write',
    '--allow-addons',
    '--allow-child-process',
    '--allow-net',
    '--allow-inspector',
    '--allow-wasi',
    '--allow-worker',
    '--allow-openssl-store',
  ];
  const { codes } = require('internal/errors/coded');
  if (arraySome.call(options, (option) => get(option) === true || get(option).length > 0))
    throw new codes.ERR_MISSING_OPTION('--permission');
}

// --trace-exit: process.exit() says where it was called.
function traceExit(isWorker) {
  const { reallyExit } = process;
  process.reallyExit = function traced(code) {
    const where = {};
    captureStackTrace(where, traced);
    const thread = isWorker ? `, thread:${requireLater('internal/worker/worker_threads').threadId}` : '';
    const frames = stringSlice.call(where.stack, stringIndexOf.call(where.stack, '\n') + 1);
    writeText(2, `(node:${process.pid}${thread}) WARNING: Exited the environment with code ${code}\n${frames}\n`);
    reallyExit(code);
  };
}

function startCoverage() {
  const { start, write } = requireLater('internal/coverage/collector');
  start(getEnv('NODE_V8_COVERAGE'));
  require('internal/process/before_end').add(write);
}

function useEnvironmentProxies() {
  const { HTTP_PROXY, HTTPS_PROXY, http_proxy: http, https_proxy: https } = process.env;
  if (HTTP_PROXY || HTTPS_PROXY || http || https) requireLater('internal/fetch/fetch').useEnvironmentProxies();
}

// A later file wins over an earlier one, the environment over both.
function loadEnvFiles(required, optional) {
  if (required.length === 0 && optional.length === 0) return;
  const merged = {};
  for (const [file, isRequired] of eachEntry(inGivenOrder(required, optional))) {
    Object.assign(merged, readEnvFile(file, isRequired));
  }
  const hasOptions = merged.NODE_OPTIONS !== undefined && process.env.NODE_OPTIONS === undefined;
  for (const name of each(Object.keys(merged))) {
    if (process.env[name] === undefined) process.env[name] = merged[name];
  }
  if (hasOptions) startAgain();
}

// Of several files the last on the command line counts, whichever option named it.
function inGivenOrder(required, optional) {
  const ordered = [];
  let left = [...each(arrayMap.call(required, (file) => [file, true])), ...each(arrayMap.call(optional, (file) => [file, false]))];
  const words = process.execArgv;
  for (let at = 0; at < words.length; at++) {
    left = arrayFilter.call(left, (entry) => {
      const name = entry[1] ? '--env-file' : '--env-file-if-exists';
      const isHere = words[at] === `${name}=${entry[0]}` || (words[at] === name && words[at + 1] === entry[0]);
      if (isHere) arrayPush.call(ordered, entry);
      return !isHere;
    });
  }
  return [...each(left), ...each(ordered)];
}

// Options that an environment file gives count from the beginning: the process begins anew, with them in its environment.
function startAgain() {
  const words = stringSplit.call(binding.readFileUtf8('/proc/self/cmdline'), '\0');
  const variables = arrayMap.call(Object.entries(process.env), (entry) => `${entry[0]}=${entry[1]}`);
  const error = native('process').execve(process.execPath, arraySlice.call(words, 0, -1), variables);
  throw new (require('internal/errors/coded').ErrnoException)(error, 'execve');
}

const kExitBadOption = 9;

function readEnvFile(file, mustExist) {
  let text;
  try {
    text = binding.readFileUtf8(file);
  } catch (error) {
    if (!mustExist) {
      writeText(2, `${file} not found. Continuing without it.\n`);
      return {};
    }
    writeText(2, `${process.execPath}: ${file}: ${error.code === 'ENOENT' ? 'not found' : `cannot be read: ${error.message}`}\n`);
    process.reallyExit(kExitBadOption);
  }
  return require('internal/util/util').parseEnv(text);
}

function takeAway(names) {
  for (const name of each(names)) delete globalThis[name];
}

function addGlobal(name) {
  const { load } = require('internal/process/web_globals');
  require('internal/util/lazy_property').addLazy(globalThis, [name], load, false);
}

// Without a file it is not enumerable: copying the global object would warn.
function showLocalStorage() {
  const { load } = require('internal/process/web_globals');
  require('internal/util/lazy_property').defineLazy(globalThis, 'localStorage', () => load('localStorage'), true);
}

function exposeGc() {
  const { collectGarbage } = require('internal/process/garbage');
  Object.defineProperty(globalThis, 'gc', {
    __proto__: null,
    value: collectGarbage,
    writable: true,
    configurable: true,
    enumerable: false,
  });
}

function check(path) {
  const { resolve } = require('internal/path/path');
  const { preloadImports, preloadRequires } = requireLater('internal/modules/run_main');
  preloadRequires();
  preloadImports(() => checkFile(resolve(path)));
}

const detects = () => require('internal/process/options').getOptionValue('--experimental-detect-module');

function checkFile(path) {
  const { Module } = requireLater('internal/modules/cjs_loader');
  const file = Module._resolveFilename(path, null, true);
  const { commonJsFormat, containsModuleSyntax } = requireLater('internal/modules/formats');
  const { wrappedText } = requireLater('internal/modules/cjs_loader');
  const source = binding.readFileUtf8(file);
  const format = commonJsFormat(file) ?? (detects() && containsModuleSyntax(source, file) ? 'module' : 'commonjs');
  const asModule = stringEndsWith.call(file, '.mjs') || (!stringEndsWith.call(file, '.cjs') && format === 'module');
  const wrapped = asModule ? undefined : wrappedText(source);
  if (wrapped === undefined) checkText(source, file, asModule);
  else new (requireLater('internal/vm/vm').Script)(wrapped, { filename: file });
}

// Syntax that the engine does not know, and runs lowered.
function isLowered(source, name, asModule) {
  const text = requireLater('internal/modules/lower_using').lower(source, asModule ? 'module' : 'commonjs');
  return text !== undefined && binding.checkSyntax(text, name, asModule) === undefined;
}

function checkText(source, name, asModule) {
  const error = binding.checkSyntax(source, name, asModule);
  if (error === undefined || isLowered(source, name, asModule)) return;
  require('internal/process/report').printUncaught(error);
  process.exitCode = 1;
}

function readStandardInput() {
  const { readFileSync } = require('internal/fs/fs');
  return readFileSync(0, 'utf8');
}

function fromStandardInput() {
  const { getOptionValue } = require('internal/process/options');
  if (getOptionValue('--check')) {
    requireLater('internal/modules/run_main').preloadRequires();
    const text = readStandardInput();
    require('internal/process/program_state').evalText = text;
    checkText(text, '[stdin]', getOptionValue('--input-type') === 'module');
    return;
  }
  requireLater('internal/modules/run_text').evalScript('[stdin]', readStandardInput(), {
    print: getOptionValue('--print'),
    hasBuiltins: false,
  });
}

function startRepl(text) {
  const { getOptionValue } = require('internal/process/options');
  requireLater('internal/repl/standalone').start(text, getOptionValue('--print'));
}

function run({ action, text, hasText }) {
  if (getEnv('RONDO_HOOKS')) return requireLater('internal/modules/hooks_process').serve();
  switch (action) {
    case 'file':
      return requireLater('internal/modules/run_main').runMain(text);
    case 'eval':
      return requireLater('internal/modules/run_text').evalScript('[eval]', text);
    case 'print':
      return requireLater('internal/modules/run_text').evalScript('[eval]', text, { print: true });
    case 'check':
      return check(text);
    case 'test':
      return requireLater('internal/test_runner/run').runFromCommandLine(arraySlice.call(process.argv, 1));
    case 'repl':
      return startRepl(hasText ? text : undefined);
    case 'stdin':
      return fromStandardInput();
    default:
      writeText(2, `rondo: unknown action ${action}\n`);
  }
}

module.exports = { applyOptions, run };
