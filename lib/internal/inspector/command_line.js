// natives: inspector
//
// Names in DevTools' console beside the program's own: require(), keys(), values(), debug() and undebug(), and those of the console.

'use strict';

const binding = native('inspector');

let madeRequire;

function commandLineRequire() {
  if (madeRequire !== undefined) return madeRequire;
  const { Module, makeRequire } = require('internal/modules/cjs_loader');
  const module = new Module('<inspector console>');
  module.paths = Module._nodeModulePaths(process.cwd());
  return (madeRequire = makeRequire(module));
}

// debug(f): stops whenever f is called.
function stopsAt(session, isWanted) {
  return (called) => {
    const place = typeof called === 'function' ? binding.functionPlace(called) : undefined;
    if (place === undefined) return;
    const state = session.state('Debugger');
    if (state === undefined || !state.isEnabled) return;
    const where = { scriptId: place[0], line: place[1], column: place[2] };
    if (isWanted) state.breakpoints.setAtFunction(where);
    else state.breakpoints.removeAtFunction(where);
  };
}

function names(session) {
  const { console } = globalThis;
  return {
    require: commandLineRequire(),
    keys: Object.keys,
    values: Object.values,
    debug: stopsAt(session, true),
    undebug: stopsAt(session, false),
    dir: console?.dir,
    dirxml: console?.dirxml,
    table: console?.table,
    clear: console?.clear,
    profile: console?.profile,
    profileEnd: console?.profileEnd,
  };
}

module.exports = { names };
