// natives: none
// node:repl: a prompt over two streams that reads, evaluates and prints. The server is internal/repl/server's, `rondo` at a terminal
// internal/repl/standalone's.
'use strict';

const { REPLServer, writer, deprecated } = require('internal/repl/server');
const { Recoverable } = require('internal/repl/evaluate');
const { isValidSyntax } = require('internal/repl/syntax');
const { REPL_MODE_SLOPPY, REPL_MODE_STRICT } = require('internal/repl/symbols');
const { getBuiltinNames, setBuiltinNames } = require('internal/repl/complete');

function start(prompt, source, eval_, useGlobal, ignoreUndefined, replMode) {
  return new REPLServer(prompt, source, eval_, useGlobal, ignoreUndefined, replMode);
}

module.exports = { start, writer, REPLServer, REPL_MODE_SLOPPY, REPL_MODE_STRICT, Recoverable, isValidSyntax };

function defineNames(property, code) {
  const message = `repl.${property} is deprecated. Check module.builtinModules instead`;
  Object.defineProperty(module.exports, property, {
    __proto__: null,
    get: deprecated(() => getBuiltinNames(), message, code),
    set: deprecated(
      (names) => {
        setBuiltinNames(names);
      },
      message,
      code,
    ),
    enumerable: false,
    configurable: true,
  });
}

defineNames('builtinModules', 'DEP0191');
defineNames('_builtinLibs', 'DEP0142');
