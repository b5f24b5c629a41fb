// natives: child_process
//
// spawnSync, execFileSync and execSync: the child runs to its end while this thread waits.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const binding = native('child_process');
require('internal/buffer/buffer'); // bytes come as Buffers once it is there
const { ErrnoException, codes, genericNodeError } = require('internal/errors/coded');
const {
  kIpc,
  normalizeSpawn,
  sanitizeKillSignal,
  stdioNumbers,
  validateMaxBuffer,
  validateTimeout,
} = require('internal/child_process/options');
const { signalName } = require('internal/child_process/child');

const defaultMaxBuffer = 1024 * 1024;

function checkInput(input) {
  if (input == null) return undefined;
  if (typeof input === 'string') return input;
  if (ArrayBuffer.isView(input)) return Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  throw new codes.ERR_INVALID_ARG_TYPE('options.stdio[0]', ['Buffer', 'TypedArray', 'DataView', 'string'], input);
}

function decode(output, encoding) {
  if (output === null || !encoding || encoding === 'buffer') return output;
  return arrayMap.call(output, (data) => (data === null ? null : data.toString(encoding)));
}

// process.binding('spawn_sync'): programs that follow every child (nyc) put a function of their own here, and change file, args and
// envPairs.
const spawner = { spawn: (options) => binding.spawnSync(options) };

function spawnSync(file, args, options) {
  const given = normalizeSpawn(file, args, options);
  validateTimeout(given.timeout);
  const maxBuffer = given.maxBuffer ?? defaultMaxBuffer;
  validateMaxBuffer(maxBuffer);
  const input =
    typeof given.input === 'string' && given.encoding && given.encoding !== 'buffer'
      ? Buffer.from(given.input, given.encoding)
      : checkInput(given.input);
  const stdio = stdioNumbers(given.stdio);
  if (arrayIncludes.call(stdio, kIpc)) throw new codes.ERR_IPC_SYNC_FORK();
  const raw = spawner.spawn({
    __proto__: null,
    ...given,
    stdio,
    input,
    maxBuffer: maxBuffer === Infinity ? 0 : maxBuffer,
    killSignal: sanitizeKillSignal(given.killSignal),
  });
  const output = decode(raw.output, given.encoding);
  const failure = !raw.error
    ? undefined
    : {
        error: Object.assign(new ErrnoException(raw.error, `spawnSync ${given.file}`), {
          path: given.file,
          spawnargs: arraySlice.call(given.args, 1),
        }),
      };
  return {
    ...failure,
    status: raw.status,
    signal: raw.signal ? signalName(raw.signal) : null,
    output,
    pid: raw.pid,
    stdout: output?.[1],
    stderr: output?.[2],
  };
}

function failureOf(result, args, command) {
  if (result.error) return Object.assign(result.error, result);
  if (result.status === 0) return undefined;
  let message = 'Command failed: ' + (command ?? arrayJoin.call(args, ' '));
  if (result.stderr && result.stderr.length > 0) message += `\n${result.stderr.toString()}`;
  return genericNodeError(message, result);
}

function relayErrors(result, options) {
  if (!options.stdio && result.stderr) process.stderr.write(result.stderr);
}

function execFileSync(file, args, options) {
  const given = normalizeSpawn(file, args, options);
  const inherits = !given.stdio;
  const passed = Array.isArray(args) || args == null ? options : args;
  const list = Array.isArray(args) ? args : [];
  const result = spawnSync(file, list, passed);
  if (inherits) relayErrors(result, given);
  const failure = failureOf(result, [given.args[0], ...each(list)]);
  if (failure) throw failure;
  return result.stdout;
}

function execSync(command, options) {
  require('internal/util/validators').validateString(command, 'command');
  const given = { ...options, shell: typeof options?.shell === 'string' ? options.shell : true };
  const result = spawnSync(command, given);
  if (!given.stdio) relayErrors(result, given);
  const failure = failureOf(result, undefined, command);
  if (failure) throw failure;
  return result.stdout;
}

module.exports = { spawner, spawnSync, execFileSync, execSync };
