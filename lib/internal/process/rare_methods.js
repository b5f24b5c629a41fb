// natives: napi, process, stdio
//
// Methods of the process object that few programs call.

'use strict';

const binding = native('process');
const { writeText } = native('stdio');
const { codes, ErrnoException } = require('internal/errors/coded');
const { validateArray, validateFunction, validateObject, validateString } = require('internal/util/validators');

function checkExecve(execPath, args, env) {
  validateString(execPath, 'execPath');
  validateArray(args, 'args');
  arrayForEach.call(args, (one, i) => {
    if (typeof one !== 'string' || stringIncludes.call(one, '\u0000')) {
      throw new codes.ERR_INVALID_ARG_VALUE(`args[${i}]`, one, 'must be a string without null bytes');
    }
  });
  if (env === undefined) return;
  validateObject(env, 'env');
  for (const [name, value] of eachEntry(Object.entries(env))) {
    if (typeof value !== 'string' || stringIncludes.call(name, '\u0000') || stringIncludes.call(value, '\u0000')) {
      throw new codes.ERR_INVALID_ARG_VALUE('env', env, 'must be an object with string keys and values without null bytes');
    }
  }
}

// Replaces this process; there is nothing to return to.
function execve(execPath, args = [], env) {
  process.emitWarning('process.execve is an experimental feature and might change at any time', 'ExperimentalWarning');
  checkExecve(execPath, args, env);
  const pairs = arrayMap.call(Object.entries(env ?? process.env), (entry) => `${entry[0]}=${entry[1]}`);
  const error = binding.execve(execPath, args, pairs);
  throw Object.assign(new ErrnoException(error, 'execve'), { errno: Math.abs(error), path: execPath });
}

// Variables that are set already win over the file's.
function loadEnvFile(path = undefined) {
  const { readFileSync } = require('internal/fs/fs');
  const { getValidatedPath } = require('internal/fs/utils');
  const file = path != null ? getValidatedPath(path, 'path') : '.env';
  const parsed = require('internal/util/util').parseEnv(readFileSync(file, 'utf8'));
  for (const name of each(Object.keys(parsed))) {
    if (process.env[name] === undefined) process.env[name] = parsed[name];
  }
}

function checkId(id, name) {
  if (typeof id === 'number') require('internal/util/validators').validateUint32(id, name);
  else if (typeof id !== 'string') throw new codes.ERR_INVALID_ARG_TYPE(name, ['number', 'string'], id);
}

function groupNumber(id) {
  if (typeof id === 'number') return id;
  const line = arrayFind.call(stringSplit.call(require('internal/fs/fs').readFileSync('/etc/group', 'utf8'), '\n'), (text) =>
    stringStartsWith.call(text, `${id}:`),
  );
  if (line === undefined) throw new codes.ERR_UNKNOWN_CREDENTIAL('Group', id);
  return Number(stringSplit.call(line, ':')[2]);
}

function userName(id) {
  if (typeof id === 'string') return id;
  const line = arrayFind.call(
    stringSplit.call(require('internal/fs/fs').readFileSync('/etc/passwd', 'utf8'), '\n'),
    (text) => Number(stringSplit.call(text, ':')[2]) === id,
  );
  if (line === undefined) throw new codes.ERR_UNKNOWN_CREDENTIAL('User', id);
  return stringSplit.call(line, ':')[0];
}

function initgroups(user, extraGroup) {
  checkId(user, 'user');
  checkId(extraGroup, 'extraGroup');
  const error = binding.initgroups(userName(user), groupNumber(extraGroup));
  if (error) require('internal/process/methods').throwErrno(error, 'initgroups');
}

function setgroups(groups) {
  validateArray(groups, 'groups');
  arrayForEach.call(groups, (group, i) => checkId(group, `groups[${i}]`));
  const error = binding.setgroups(arrayMap.call(groups, groupNumber));
  if (error) require('internal/process/methods').throwErrno(error, 'setgroups');
}

function ref(maybeRefable) {
  const call = maybeRefable?.[Symbol.for('nodejs.ref')] || maybeRefable?.[Symbol.for('node:ref')] || maybeRefable?.ref;
  if (typeof call === 'function') Reflect.apply(call, maybeRefable, []);
}

function unref(maybeRefable) {
  const call = maybeRefable?.[Symbol.for('nodejs.unref')] || maybeRefable?.[Symbol.for('node:unref')] || maybeRefable?.unref;
  if (typeof call === 'function') Reflect.apply(call, maybeRefable, []);
}

function openStdin() {
  process.stdin.resume();
  return process.stdin;
}

// Loads a native addon that uses Node-API (src/modules/napi).
function dlopen(module, filename, flags = require('internal/os/os').constants.dlopen.RTLD_LAZY) {
  if (arguments.length < 2) {
    throw Object.assign(new codes.ERR_MISSING_ARGS('module'), { message: 'process.dlopen needs at least 2 arguments' });
  }
  if (!require('internal/process/options').getOptionValue('--addons')) throw new codes.ERR_DLOPEN_DISABLED();
  require('internal/util/validators').validateInt32(flags, 'flags');
  const file = `${filename}`;
  const reportsAll = require('internal/process/options').getOptionValue('--force-node-api-uncaught-exceptions-policy') === true;
  native('napi').dlopen(module, file, require('internal/url/url').pathToFileURL(file).href, flags, reportsAll);
}

function _rawDebug(...values) {
  writeText(2, `${require('internal/util/util').format(...each(values))}\n`);
}

const extraCaptures = [];
function addUncaughtExceptionCaptureCallback(callback) {
  validateFunction(callback, 'fn');
  arrayPush.call(extraCaptures, callback);
  require('internal/process/uncaught').setExtraCaptures(extraCaptures);
}

function setSourceMapsEnabled(enabled) {
  require('internal/util/validators').validateBoolean(enabled, 'val');
  requireLater('internal/source_map/cache').setSourceMapsSupport(enabled, { nodeModules: enabled, generatedCode: enabled });
}

function getActiveResourcesInfo() {
  return require('internal/async_hooks/active_resources').activeResourcesInfo();
}
function _getActiveHandles() {
  return require('internal/async_hooks/active_resources').activeHandles();
}
function _getActiveRequests() {
  return require('internal/async_hooks/active_resources').activeRequests();
}

// Starts the inspector of another process; of one, not of a group or of all.
function _debugProcess(pid) {
  require('internal/util/validators').validateInteger(pid, 'pid', 1);
  require('internal/process/methods').kill(pid, 'SIGUSR1');
}

function _debugEnd() {
  requireLater('internal/inspector/inspector').close();
}

module.exports = {
  execve,
  loadEnvFile,
  initgroups,
  setgroups,
  constrainedMemory: binding.constrainedMemory,
  ref,
  unref,
  openStdin,
  dlopen,
  _rawDebug,
  addUncaughtExceptionCaptureCallback,
  setSourceMapsEnabled,
  getActiveResourcesInfo,
  _getActiveHandles,
  _getActiveRequests,
  _debugEnd,
  _debugProcess,
};
