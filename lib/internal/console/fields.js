// natives: ledger
// State of every console (streams, counters, timers, indentation) as hidden properties,
// and the two things all its methods do with them: format arguments, write a line.
'use strict';

const ledger = native('ledger');

const kColorMode = Symbol('kColorMode');
const kCounts = Symbol('counts');
const kGroupIndentationString = Symbol('kGroupIndentationString');
const kGroupIndentationWidth = Symbol('kGroupIndentWidth');
const kIsConsole = Symbol('kIsConsole');
// (stream name) -> a function that writes text to the descriptor itself, or undefined when
// the stream must be asked. Only the global console has it.
const kDirectWriter = Symbol('kDirectWriter');

const kWithColors = { colors: true };
const kWithoutColors = {};
const inspectOptions = new WeakMap();
const noop = () => {};

const hidden = (value) => ({ __proto__: null, writable: true, enumerable: false, configurable: true, value });

// An error that the stream will emit later must not become an uncaught exception.
function errorHandler(console, name) {
  return (error) => {
    const stream = console[name];
    if (error !== null && !stream._writableState.errorEmitted && stream.listenerCount('error') === 0) {
      stream.once('error', noop);
    }
  };
}

function bindProperties(console, ignoreErrors, colorMode, groupIndentation = 2) {
  Object.defineProperties(console, {
    _stdoutErrorHandler: hidden(errorHandler(console, '_stdout')),
    _stderrErrorHandler: hidden(errorHandler(console, '_stderr')),
    _ignoreErrors: hidden(Boolean(ignoreErrors)),
    _times: hidden(new Map()),
    [kCounts]: hidden(new Map()),
    [kColorMode]: hidden(colorMode),
    [kIsConsole]: hidden(true),
    [kGroupIndentationWidth]: hidden(groupIndentation),
    [kGroupIndentationString]: hidden(''),
    [Symbol.toStringTag]: { ...hidden('console'), writable: false },
  });
}

function bindStreams(console, stdout, stderr) {
  Object.defineProperties(console, { _stdout: hidden(stdout), _stderr: hidden(stderr) });
}

// The global console's streams are made when first written to.
function bindStreamsLazily(console, source) {
  for (const name of each(['stdout', 'stderr'])) {
    let stream;
    Object.defineProperty(console, `_${name}`, {
      __proto__: null,
      enumerable: false,
      configurable: true,
      get() {
        return (stream ||= source[name]);
      },
      set(value) {
        stream = value;
        console[kDirectWriter] = undefined;
      },
    });
  }
}

function optionsFor(console, name) {
  if (console[kDirectWriter]?.(name) !== undefined) return kWithoutColors;
  const stream = console[name];
  let color = console[kColorMode];
  if (color === 'auto') color = require('internal/util/colors').shouldColorize(stream);
  const options = inspectOptions.get(console)?.get(stream);
  if (options === undefined) return color ? kWithColors : kWithoutColors;
  if (options.colors === undefined) options.colors = color;
  return options;
}

function format(console, name, args) {
  if (args.length === 1 && typeof args[0] === 'string') return args[0];
  return require('internal/util/format').formatWithOptions(optionsFor(console, name), ...each(args));
}

function write(console, name, text) {
  const indentation = console[kGroupIndentationString];
  if (indentation !== '') text = indentation + stringReplaceAll.call(text, '\n', `\n${indentation}`);
  const line = `${text}\n`;
  if (ledger.enabled) ledger.output(name === '_stderr' ? 2 : 1, line);
  const writeDirectly = console[kDirectWriter]?.(name);
  if (writeDirectly !== undefined) return writeDirectly(line);
  const stream = console[name];
  if (console._ignoreErrors === false) return stream.write(line);
  try {
    // Errors may come at once (files, terminals) or later (pipes): neither reaches the program.
    if (stream.listenerCount('error') === 0) stream.once('error', noop);
    stream.write(line, console[`${name}ErrorHandler`]);
  } catch (error) {
    if (require('internal/errors/coded').isStackOverflowError(error)) throw error;
  } finally {
    stream.removeListener('error', noop);
  }
}

module.exports = {
  bindProperties,
  bindStreams,
  bindStreamsLazily,
  format,
  inspectOptions,
  kCounts,
  kDirectWriter,
  kGroupIndentationString,
  kGroupIndentationWidth,
  kIsConsole,
  optionsFor,
  write,
};
