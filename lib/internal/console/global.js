// natives: stdio
// Makes the global console a whole Console on process.stdout and process.stderr. Called by
// internal/console/program the first time a call is more than plain text. As long as the
// program leaves process.stdout alone and it is no terminal, lines go straight to the
// descriptor and the stream is never made.
'use strict';

const { kindOf, writeText } = native('stdio');
const { Console } = require('internal/console/constructor');
const { bindProperties, bindStreamsLazily, kDirectWriter } = require('internal/console/fields');
const methods = require('internal/console/methods');

function makeGlobalConsole(console, isUntouched) {
  bindStreamsLazily(console, process);
  bindProperties(console, true, 'auto');
  const writerOf = (fd) =>
    kindOf(fd) === 'tty'
      ? undefined
      : (text) => {
          const result = writeText(fd, text);
          if (result < 0) require('internal/process/stdio').failed(fd, result);
        };
  const writers = { _stdout: writerOf(1), _stderr: writerOf(2) };
  Object.defineProperty(console, kDirectWriter, {
    __proto__: null,
    writable: true,
    configurable: true,
    enumerable: false,
    value: (name) => (isUntouched(stringSlice.call(name, 1)) && process.env.FORCE_COLOR === undefined ? writers[name] : undefined),
  });
  return methods;
}

module.exports = { Console, makeGlobalConsole };
