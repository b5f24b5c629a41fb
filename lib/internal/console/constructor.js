// natives: none
// Console: a console on any pair of writable streams. Works with and without `new`; the
// global console, which is no instance, counts as one for instanceof.
'use strict';

const {
  codes: { ERR_CONSOLE_WRITABLE_STREAM, ERR_INCOMPATIBLE_OPTION_PAIR },
} = require('internal/errors/coded');
const { validateInteger, validateObject, validateOneOf } = require('internal/util/validators');
const { bindProperties, bindStreams, inspectOptions: optionsOf, kIsConsole } = require('internal/console/fields');
const methods = require('internal/console/methods');

const kMaxGroupIndentation = 1000;

function keepInspectOptions(console, { stdout, stderr, inspectOptions, colorMode }) {
  validateObject(inspectOptions, 'options.inspectOptions');
  const { isMap } = require('internal/util/types');
  const byStream = isMap(inspectOptions)
    ? inspectOptions
    : new Map([
        [stdout, inspectOptions],
        [stderr, inspectOptions],
      ]);
  for (const options of each(byStream.values())) {
    if (options.colors !== undefined && colorMode !== undefined) {
      throw new ERR_INCOMPATIBLE_OPTION_PAIR('options.inspectOptions.color', 'colorMode');
    }
  }
  optionsOf.set(console, byStream);
}

// Also called as (stdout, stderr, ignoreErrors).
function Console(options) {
  if (new.target === undefined) return Reflect.construct(Console, arguments);
  if (!options || typeof options.write === 'function') {
    options = { stdout: options, stderr: arguments[1], ignoreErrors: arguments[2] };
  }
  const { stdout, stderr = stdout, ignoreErrors = true, colorMode = 'auto', inspectOptions, groupIndentation } = options;
  if (!stdout || typeof stdout.write !== 'function') throw new ERR_CONSOLE_WRITABLE_STREAM('stdout');
  if (!stderr || typeof stderr.write !== 'function') throw new ERR_CONSOLE_WRITABLE_STREAM('stderr');
  validateOneOf(colorMode, 'colorMode', ['auto', true, false]);
  if (groupIndentation !== undefined) validateInteger(groupIndentation, 'groupIndentation', 0, kMaxGroupIndentation);
  if (inspectOptions !== undefined) {
    keepInspectOptions(this, { stdout, stderr, inspectOptions, colorMode: options.colorMode });
  }
  // Bound from the instance, so that a subclass's methods are the ones that count.
  for (const key of each(Object.keys(Console.prototype))) {
    this[key] = functionBind.call(this[key], this);
    Object.defineProperty(this[key], 'name', { __proto__: null, value: key });
  }
  bindStreams(this, stdout, stderr);
  bindProperties(this, ignoreErrors, colorMode, groupIndentation);
}

Object.defineProperty(Console, Symbol.hasInstance, {
  __proto__: null,
  value: {
    [Symbol.hasInstance](instance) {
      return instance[kIsConsole];
    },
  }[Symbol.hasInstance],
});
Object.assign(Console.prototype, methods);

module.exports = { Console };
