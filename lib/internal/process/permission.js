// natives: permission
//
// process.permission, and what a program hears when a right is missing: the error, and a message on the scope's diagnostics channel.
// The checks are native (src/modules/support/permission_check.h). Loaded only under --permission and --permission-audit.

'use strict';

const binding = native('permission');
const { codes } = require('internal/errors/coded');
const { isUint8Array } = require('internal/util/types');
const { validateString } = require('internal/util/validators');

function publish(channel, message) {
  const { hasSubscribers, channel: channelOf } = require('internal/events/diagnostics_channel');
  const name = `node:permission-model:${channel}`;
  if (hasSubscribers(name)) channelOf(name).publish(message);
}

function denied(permission, resource, option, channel, message) {
  if (message !== '') return new codes.ERR_ACCESS_DENIED(message);
  publish(channel, { permission, resource });
  const error = new Error(`Access to this API has been restricted. Use ${option} to manage permissions.`);
  Error.captureStackTrace(error, denied);
  return Object.assign(error, { code: 'ERR_ACCESS_DENIED', permission, resource });
}

function checkArguments(scope, reference) {
  validateString(scope, 'scope');
  if (reference != null && !isUint8Array(reference)) validateString(reference, 'reference');
}

function has(scope, reference) {
  checkArguments(scope, reference);
  return binding.has(scope, reference ?? '');
}

function drop(scope, reference) {
  checkArguments(scope, reference);
  const dropped = binding.drop(scope, reference ?? '');
  if (dropped === undefined) return;
  const [permission, channel] = each(dropped);
  publish(channel, { permission, resource: reference ?? '', drop: true });
}

const dangerous = [
  ['--allow-addons', 'PERM0001'],
  ['--allow-child-process', 'PERM0002'],
  ['--allow-inspector', 'PERM0004'],
  ['--allow-wasi', 'PERM0005'],
  ['--allow-worker', 'PERM0006'],
  ['--allow-openssl-store', 'PERM0007'],
];

function warn(getOptionValue) {
  for (const [option, code] of eachEntry(dangerous)) {
    if (!getOptionValue(option)) continue;
    process.emitWarning(
      `The flag ${option} must be used with extreme caution. It could invalidate the permission model.`,
      'SecurityWarning',
      code,
    );
  }
  for (const option of each(['--allow-fs-read', '--allow-fs-write'])) {
    const given = getOptionValue(option);
    if (given.length !== 1 || !stringIncludes.call(given[0], ',')) continue;
    process.emitWarning(
      `The ${option} CLI flag has changed. Passing a comma-separated list of paths is no longer valid. ` +
        'Documentation can be found at https://nodejs.org/api/permissions.html#file-system-permissions',
      'Warning',
    );
  }
  if (getOptionValue('--allow-net')) process.emitWarning('The flag --allow-net is under experimental phase.', 'ExperimentalWarning');
}

// From here on the rights hold.
function start(getOptionValue, isWorker) {
  binding.enable(denied);
  if (binding.isRecording) return;
  process.binding = function binding(_module) {
    throw new codes.ERR_ACCESS_DENIED('process.binding');
  };
  Object.freeze(require('internal/path/path'));
  Object.defineProperty(process, 'permission', { __proto__: null, enumerable: true, configurable: false, value: { has, drop } });
  if (!isWorker) warn(getOptionValue);
}

// For NODE_OPTIONS: a word with blanks stands in quotes.
function quoted(word) {
  return regexpTest.call(/[ "\\]/, word) ? `"${replaceMatches(word, /["\\]/g, '\\$&')}"` : word;
}

// A value that holds "--permission" is no such option.
function namesPermission(words) {
  return arraySome.call(words, (word) => regexpTest.call(/^"?--permission(-audit)?(=|"?$)/, word));
}

// The environment of a child: the rights of this process, unless the child is told its own.
function withOptions(env, args) {
  const given = env.NODE_OPTIONS;
  if (namesPermission(args) || namesPermission(stringSplit.call(`${given ?? ''}`, ' '))) return env;
  const own = arrayJoin.call(arrayMap.call(binding.options(), quoted), ' ');
  return { __proto__: env, NODE_OPTIONS: given ? `${given} ${own}` : own };
}

module.exports = { start, withOptions };
