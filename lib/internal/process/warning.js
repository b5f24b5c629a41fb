// natives: process, stdio
// process.emitWarning and the default listener that prints warnings.
'use strict';

const { isWorker } = native('process');
const { writeText } = native('stdio');
const {
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');
const { getOptionValue } = require('internal/process/options');
const { enqueue } = require('internal/queues/ticks');

let isListening = false;
let hintShown = false;

function shouldPrint(warning) {
  if (!getOptionValue('--warnings') || process.env.NODE_NO_WARNINGS === '1') return false;
  const isDeprecation = warning.name === 'DeprecationWarning';
  if (isDeprecation && process.noDeprecation) return false;
  const disabled = getOptionValue('--disable-warning');
  return !arrayIncludes.call(disabled, warning.code) && !arrayIncludes.call(disabled, warning.name);
}

// --redirect-warnings and NODE_REDIRECT_WARNINGS: to a file, or to standard error if that cannot be.
function toFile(text) {
  const file = getOptionValue('--redirect-warnings') || process.env.NODE_REDIRECT_WARNINGS;
  if (!file) return false;
  try {
    require('internal/fs/fs').appendFileSync(file, text, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

// Each warning is one write to standard error, so that it is never cut.
function printWarning(warning) {
  if (!(warning instanceof Error) || !shouldPrint(warning)) return;
  const isDeprecation = warning.name === 'DeprecationWarning';
  const trace = process.traceProcessWarnings || (isDeprecation && process.traceDeprecation);
  let text = `(${process.release.name}:${process.pid}) `;
  if (warning.code) text += `[${warning.code}] `;
  text +=
    trace && warning.stack ? warning.stack : typeof warning.toString === 'function' ? `${warning.toString()}` : errorToString.call(warning);
  if (typeof warning.detail === 'string') text += `\n${warning.detail}`;
  if (!trace && !hintShown) {
    const flag = isDeprecation ? '--trace-deprecation' : '--trace-warnings';
    text += `\n(Use \`rondo ${flag} ...\` to show where the warning was created)`;
    hintShown = true;
  }
  if (toFile(`${text}\n`)) return;
  // A program that holds process.stderr sees its warnings pass there.
  if (isWorker || !require('internal/process/object').isUntouched('stderr')) process.stderr.write(`${text}\n`);
  else writeText(2, `${text}\n`);
}

function makeWarning(message, type, code, ctor, detail) {
  const limit = Error.stackTraceLimit;
  const isSilent = type === 'DeprecationWarning' && process.noDeprecation;
  if (isSilent) Error.stackTraceLimit = 0;
  const warning = new Error(message);
  if (isSilent) Error.stackTraceLimit = limit; // else untouched: in an agent of pages it is frozen
  warning.name = String(type || 'Warning');
  if (code !== undefined) warning.code = code;
  if (detail !== undefined) warning.detail = detail;
  captureStackTrace(warning, ctor || process.emitWarning);
  return warning;
}

function emitWarning(warning, type, code, ctor) {
  if (type === 'DeprecationWarning' && process.noDeprecation) return;
  let detail;
  if (type !== null && typeof type === 'object' && !Array.isArray(type)) {
    ctor = type.ctor;
    code = type.code;
    if (typeof type.detail === 'string') detail = type.detail;
    type = type.type || 'Warning';
  } else if (typeof type === 'function') {
    ctor = type;
    code = '';
    type = 'Warning';
  }
  if (type !== undefined && typeof type !== 'string') throw new ERR_INVALID_ARG_TYPE('type', 'string', type);
  if (typeof code === 'function') {
    ctor = code;
    code = undefined;
  } else if (code !== undefined && typeof code !== 'string') {
    throw new ERR_INVALID_ARG_TYPE('code', 'string', code);
  }
  if (typeof warning === 'string') warning = makeWarning(warning, type, code || undefined, ctor, detail);
  else if (!(warning instanceof Error)) throw new ERR_INVALID_ARG_TYPE('warning', ['Error', 'string'], warning);

  if (warning.name === 'DeprecationWarning') {
    if (process.noDeprecation) return;
    if (process.throwDeprecation) {
      enqueue(() => {
        throw warning;
      });
      return;
    }
  }
  listen();
  enqueue(() => {
    process.emit('warning', warning);
  });
}

// The printing listener is an ordinary one: a program may remove it.
function listen() {
  if (isListening) return;
  isListening = true;
  // It is not the program's: it counts towards no limit.
  const { _maxListeners } = process;
  process._maxListeners = 0;
  process.prependListener('warning', printWarning);
  process._maxListeners = _maxListeners;
}

module.exports = { emitWarning, listen };
