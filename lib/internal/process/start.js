// natives: modules, stdio, fs, permission, process, runtime
// What main() does with the command line: settings that options change, then the program: a file, a text, standard input.
'use strict';

const binding = native('modules');
const { writeText } = native('stdio');
const { getEnv } = native('process');

// What the command line asks for, and the environment.
function applyOptions({ hasOptions, getOptionValue }, isWorker) {
  if (hasOptions()) applyGiven(getOptionValue, isWorker);
  if (native('permission').isGiven) require('internal/process/permission').start(getOptionValue, isWorker);
  if (getEnv('NODE_USE_ENV_PROXY') === '1') useEnvironmentProxies();
  if (getEnv('NODE_COMPILE_CACHE')) require('internal/modules/compile_cache').enableFromEnvironment();
  if (isWorker) return;
  if (getEnv('RONDO_TEST_FD')) reportTests();
  if (getEnv('NODE_CHANNEL_FD')) require('internal/child_process/channel').setUpChildChannel();
  if (getEnv('NODE_UNIQUE_ID') && process.argv[1]) require('internal/cluster/role').becomeWorker();
}

function applyGiven(get, isWorker) {
  const limit = get('--stack-trace-limit');
  if (limit !== 10) Error.stackTraceLimit = Number(limit);
  const mode = get('--unhandled-rejections');
  if (mode) require('internal/queues/rejections').setMode(mode);
  if (!get('--deprecation')) process.noDeprecation = true;
  if (get('--trace-deprecation')) process.traceDeprecation = true;
  if (get('--throw-deprecation')) process.throwDeprecation = true;
  if (get('--trace-warnings')) process.traceProcessWarnings = true;
  if (!get('--warnings')) process.noProcessWarnings = true;
  if (get('--trace-sync-io')) native('fs').traceSyncCalls();
  if (get('--trace-exit')) traceExit(isWorker);
  if (get('--title') && !isWorker) process.title = get('--title');
  if (get('--expose-gc')) exposeGc();
  if (get('--calls')) require('internal/observe/calls').enable();
  if (!get('--experimental-websocket')) takeAway(['WebSocket', 'CloseEvent']);
  if (get('--experimental-eventsource')) addGlobal('EventSource');
  if (get('--experimental-web-worker')) addGlobal('Worker');
  if (!get('--experimental-global-navigator')) takeAway(['navigator', 'Navigator']);
  if (get('--report-on-signal') || get('--report-uncaught-exception')) require('internal/process/diagnostic_report');
  if (get('--enable-source-maps')) process.setSourceMapsEnabled(true);
  if (!native('permission').isGiven) refuseLoneRights(get);
  if (!isWorker) loadEnvFiles(get('--env-file'), get('--env-file-if-exists'));
  if (get('--use-env-proxy')) useEnvironmentProxies();
  applyRareOptions(get, isWorker);
}

function applyRareOptions(get, isWorker) {
  if (get('--disable-proto')) disableProto(get('--disable-proto'));
  if (get('--disallow-code-generation-from-strings')) native('runtime').disallowCodeGeneration();
  if (get('--heapsnapshot-signal') && !isWorker) writeSnapshotOn(get('--heapsnapshot-signal'));
}

// --disable-proto=delete, or =throw.
function disableProto(mode) {
  delete Object.prototype.__proto__;
  if (mode === 'delete') return;
  const {
    codes: { ERR_PROTO_ACCESS },
  } = require('internal/errors/coded');
  const refuse = () => {
    throw new ERR_PROTO_ACCESS();
  };
  Object.defineProperty(Object.prototype, '__proto__', {
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
  process.on(signal, () => require('v8').writeHeapSnapshot());
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
    const thread = isWorker ? `, thread:${require('worker_threads').threadId}` : '';
    const frames = stringSlice.call(where.stack, stringIndexOf.call(where.stack, '\n') + 1);
    writeText(2, `(node:${process.pid}${thread}) WARNING: Exited the environment with code ${code}\n${frames}\n`);
    reallyExit(code);
  };
}

// In a process that --test started; its own children are not.
function reportTests() {
  require('internal/test_runner/report').sendTo(Number(process.env.RONDO_TEST_FD));
  delete process.env.RONDO_TEST_FD;
}

function useEnvironmentProxies() {
  const { HTTP_PROXY, HTTPS_PROXY, http_proxy: http, https_proxy: https } = process.env;
  if (HTTP_PROXY || HTTPS_PROXY || http || https) require('web/fetch').useEnvironmentProxies();
}

// A later file wins over an earlier one, the environment over both.
function loadEnvFiles(required, optional) {
  if (required.length === 0 && optional.length === 0) return;
  const merged = {};
  for (const file of each([...each(required), ...each(optional)]))
    Object.assign(merged, readEnvFile(file, arrayIncludes.call(required, file)));
  for (const name of each(Object.keys(merged))) {
    if (process.env[name] === undefined) process.env[name] = merged[name];
  }
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
  return require('util').parseEnv(text);
}

function takeAway(names) {
  for (const name of each(names)) delete globalThis[name];
}

function addGlobal(name) {
  const { load } = require('internal/process/web_globals');
  require('internal/util/lazy_property').addLazy(globalThis, [name], load, false);
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
  const { resolve } = require('path');
  const { preloadImports, preloadRequires } = require('internal/modules/run_main');
  preloadRequires();
  preloadImports(() => checkFile(resolve(path)));
}

function checkFile(path) {
  const { Module } = require('internal/modules/cjs_loader');
  const file = Module._resolveFilename(path, null, true);
  const { commonJsFormat } = require('internal/modules/formats');
  const source = binding.readFileUtf8(file);
  const asModule = stringEndsWith.call(file, '.mjs') || (!stringEndsWith.call(file, '.cjs') && commonJsFormat(file) === 'module');
  checkText(source, file, asModule);
}

function checkText(source, name, asModule) {
  const error = binding.checkSyntax(source, name, asModule);
  if (error === undefined) return;
  require('internal/process/report').printUncaught(error);
  process.exitCode = 1;
}

function readStandardInput() {
  const { readFileSync } = require('fs');
  return readFileSync(0, 'utf8');
}

function fromStandardInput() {
  const { getOptionValue } = require('internal/process/options');
  if (getOptionValue('--check')) {
    require('internal/modules/run_main').preloadRequires();
    checkText(readStandardInput(), '[stdin]', getOptionValue('--input-type') === 'module');
    return;
  }
  require('internal/modules/run_text').evalScript('[stdin]', readStandardInput(), { print: getOptionValue('--print'), hasBuiltins: false });
}

function run({ action, text }) {
  if (getEnv('RONDO_HOOKS')) return require('internal/modules/hooks_process').serve();
  switch (action) {
    case 'file':
      return require('internal/modules/run_main').runMain(text);
    case 'eval':
      return require('internal/modules/run_text').evalScript('[eval]', text);
    case 'print':
      return require('internal/modules/run_text').evalScript('[eval]', text, { print: true });
    case 'check':
      return check(text);
    case 'test':
      return require('internal/test_runner/run_files').runFiles(arraySlice.call(process.argv, 1));
    case 'stdin':
      return fromStandardInput();
    default:
      writeText(2, `rondo: unknown action ${action}\n`);
  }
}

module.exports = { applyOptions, run };
