// natives: none
// Private symbols of a REPL server.
'use strict';

module.exports = {
  kBuffered: Symbol('bufferedCommand'), // lines of an input that is not complete yet, without a terminal
  kLoading: Symbol('loading'), // .load is writing a file's lines
  kStandalone: Symbol('standalone'), // started by the command line
  REPL_MODE_SLOPPY: Symbol('repl-sloppy'),
  REPL_MODE_STRICT: Symbol('repl-strict'),
};
