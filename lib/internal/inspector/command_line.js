// natives: none
//
// Names in DevTools' console beside the program's own: require().

'use strict';

let made;

function commandLineRequire() {
  if (made !== undefined) return made;
  const { Module, makeRequire } = require('internal/modules/cjs_loader');
  const module = new Module('<inspector console>');
  module.paths = Module._nodeModulePaths(process.cwd());
  return (made = makeRequire(module));
}

module.exports = { require: commandLineRequire };
