// natives: modules
//
// Real paths for the module loaders, remembered for the life of the process:
// a module keeps the name under which it was first found. Not for node:fs,
// which always asks the system.

'use strict';

const binding = native('modules');

const known = new Map();

function realPath(file) {
  let real = known.get(file);
  if (real === undefined) known.set(file, (real = binding.realpath(file)));
  return real;
}

module.exports = { realPath };
