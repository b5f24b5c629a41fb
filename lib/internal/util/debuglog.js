// natives: none
// util.debuglog: loggers that speak only when NODE_DEBUG names their section (wildcards
// allowed). A logger decides at its first use; its replacement is handed to `onReady`.
'use strict';

let matcher;
function isEnabled(section) {
  if (matcher === undefined) {
    const wanted = process.env.NODE_DEBUG;
    const escaped = replaceMatches(wanted ?? '', /[|\\{}()[\]^$+?.]/g, '\\$&');
    const pattern = stringReplaceAll.call(stringReplaceAll.call(escaped, '*', '.*'), ',', '$|^');
    matcher = wanted ? new RegExp(`^${pattern}$`, 'i') : null;
  }
  return matcher !== null && regexpTest.call(matcher, section);
}

const loggers = new Map();
const silent = () => {};

function makeLogger(section) {
  if (section === 'HTTP' || section === 'HTTP2') {
    process.emitWarning(
      `Setting the NODE_DEBUG environment variable to '${stringToLowerCase.call(section)}' can expose ` +
        'sensitive data (such as passwords, tokens and authentication headers) in the resulting log.',
    );
  }
  const { pid } = process;
  return function debug(...args) {
    const { format, formatWithOptions } = require('internal/util/format');
    const { inspect } = require('internal/util/inspect');
    const colors = !!require('internal/util/colors').shouldColorize(process.stderr);
    const message = formatWithOptions({ colors }, ...each(args));
    process.stderr.write(format('%s %s: %s\n', section, inspect(pid, { colors }), message));
  };
}

function loggerFor(section) {
  if (!loggers.has(section)) loggers.set(section, isEnabled(section) ? makeLogger(section) : silent);
  return loggers.get(section);
}

function defineEnabled(fn, get) {
  Object.defineProperty(fn, 'enabled', { __proto__: null, get, configurable: true, enumerable: true });
}

function debuglog(set, onReady) {
  let enabled;
  let logger;
  const check = () => {
    if (enabled === undefined) {
      set = stringToUpperCase.call(`${set}`);
      enabled = isEnabled(set);
    }
    return enabled;
  };
  const log = (...args) => {
    if (enabled === false && logger !== undefined) return;
    if (logger === undefined) {
      check();
      logger = loggerFor(set);
      if (typeof onReady === 'function') {
        const ready = enabled ? logger : (...ignored) => {};
        defineEnabled(ready, () => enabled);
        onReady(ready);
      }
    }
    logger(...each(args));
  };
  defineEnabled(log, check);
  return log;
}

module.exports = { debuglog };
