// natives: permission
//
// process.report: a report of the process as JSON, made when the program
// asks, on a signal, or for an uncaught exception. Its contents are in
// report_sections.js; this is the object, its settings and the file.

'use strict';

const { validateBoolean, validateObject, validateSignalName, validateString } = require('internal/util/validators');
const {
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');
const { getOptionValue } = require('internal/process/options');

const settings = {
  __proto__: null,
  directory: getOptionValue('--report-directory') || getOptionValue('--report-dir') || getOptionValue('--diagnostic-dir') || '',
  filename: getOptionValue('--report-filename') || '',
  compact: Boolean(getOptionValue('--report-compact')),
  excludeNetwork: Boolean(getOptionValue('--report-exclude-network')),
  excludeEnv: Boolean(getOptionValue('--report-exclude-env')),
  signal: getOptionValue('--report-signal') || 'SIGUSR2',
  onFatalError: Boolean(getOptionValue('--report-on-fatalerror')),
  onSignal: Boolean(getOptionValue('--report-on-signal')),
  onUncaught: Boolean(getOptionValue('--report-uncaught-exception')),
};
let sequence = 0;

// The error that stands for "here" when the caller has none.
function syntheticError(above) {
  const error = new Error('JavaScript Callstack');
  Object.defineProperty(error, 'name', { value: 'Error [ERR_SYNTHETIC]', configurable: true });
  captureStackTrace(error, above);
  delete error.name;
  error.code = 'ERR_SYNTHETIC';
  return error;
}

function content(event, trigger, filename, error) {
  return require('internal/process/report_sections').build({ event, trigger, filename, error, settings });
}

function defaultName() {
  const digits = (number, width = 2) => stringPadStart.call(String(number), width, '0');
  const now = new Date();
  const day = `${dateGetFullYear.call(now)}${digits(dateGetMonth.call(now) + 1)}${digits(dateGetDate.call(now))}`;
  const time = `${digits(dateGetHours.call(now))}${digits(dateGetMinutes.call(now))}${digits(dateGetSeconds.call(now))}`;
  return `report.${day}.${time}.${process.pid}.0.${digits(++sequence, 3)}.json`;
}

function say(text) {
  process._rawDebug(text);
}

function placeOf(name) {
  const { isAbsolute, join } = require('internal/path/path');
  return name === '' || settings.directory === '' || isAbsolute(name) ? name : join(settings.directory, name);
}

function write(file, error, event, trigger) {
  const name = file ?? (settings.filename || defaultName());
  const text = (shown) => JSON.stringify(content(event, trigger, shown, error), null, settings.compact ? undefined : 2) + '\n';
  if (name === 'stdout' || name === 'stderr') {
    process[name].write(text(name));
    return name;
  }
  const path = placeOf(name);
  say(`\nWriting Node.js report to file: ${name}`);
  try {
    require('internal/fs/fs').writeFileSync(path, text(name));
  } catch (failure) {
    say(
      `Failed to open Node.js report file: ${name}${settings.directory && ` directory: ${settings.directory}`} (errno: ${-failure.errno})`,
    );
    return '';
  }
  say('Node.js report completed');
  return name;
}

function onSignal(signal) {
  write(undefined, syntheticError(onSignal), 'Signal', signal);
}

function watchSignal(isWanted) {
  process.removeListener(settings.signal, onSignal);
  if (!isWanted) return;
  process.on(settings.signal, onSignal);
}

// For uncaught exceptions, before anything is printed.
function reportUncaught(error) {
  if (settings.onUncaught) write(undefined, error, 'Exception', 'Exception');
}

const report = {
  writeReport(file, err) {
    let name = file;
    let error = err;
    if (typeof file === 'object' && file !== null) {
      error = file;
      name = undefined;
    } else if (file !== undefined && typeof file !== 'string') {
      throw new ERR_INVALID_ARG_TYPE('file', 'string', file);
    }
    native('permission').check('fs.write', placeOf(name ?? settings.filename) || process.cwd());
    if (error === undefined) error = syntheticError(report.writeReport);
    else validateObject(error, 'err');
    return write(name, error, 'JavaScript API', 'API');
  },

  getReport(err) {
    let error = err;
    if (err === undefined) error = syntheticError(report.getReport);
    else validateObject(err, 'err');
    return content('JavaScript API', 'GetReport', null, error);
  },

  get directory() {
    return settings.directory;
  },
  set directory(directory) {
    validateString(directory, 'directory');
    settings.directory = directory;
  },
  get filename() {
    return settings.filename;
  },
  set filename(name) {
    validateString(name, 'filename');
    settings.filename = name;
  },
  get compact() {
    return settings.compact;
  },
  set compact(is) {
    validateBoolean(is, 'compact');
    settings.compact = is;
  },
  get excludeNetwork() {
    return settings.excludeNetwork;
  },
  set excludeNetwork(is) {
    validateBoolean(is, 'excludeNetwork');
    settings.excludeNetwork = is;
  },
  get signal() {
    return settings.signal;
  },
  set signal(name) {
    validateSignalName(name, 'signal');
    watchSignal(false);
    settings.signal = name;
    watchSignal(settings.onSignal);
  },
  get reportOnFatalError() {
    return settings.onFatalError;
  },
  set reportOnFatalError(is) {
    validateBoolean(is, 'trigger');
    settings.onFatalError = is;
  },
  get reportOnSignal() {
    return settings.onSignal;
  },
  set reportOnSignal(is) {
    validateBoolean(is, 'trigger');
    settings.onSignal = is;
    watchSignal(is);
  },
  get reportOnUncaughtException() {
    return settings.onUncaught;
  },
  set reportOnUncaughtException(is) {
    validateBoolean(is, 'trigger');
    settings.onUncaught = is;
  },
  get excludeEnv() {
    return settings.excludeEnv;
  },
  set excludeEnv(is) {
    validateBoolean(is, 'excludeEnv');
    settings.excludeEnv = is;
  },
};

if (settings.onSignal) watchSignal(true);
require('internal/process/uncaught').setReporter(reportUncaught);

module.exports = { report };
