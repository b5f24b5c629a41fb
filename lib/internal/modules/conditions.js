// natives: none
//
// The condition names under which package "exports" and "imports" are read:
// one set for require(), one for import. Fixed at start by --conditions.

'use strict';

const { getOptionValue } = require('internal/process/options');

let requireNames;
let requireSet;
let importNames;
let importSet;

function shared() {
  const names = ['node'];
  if (getOptionValue('--addons') !== false) arrayPush.call(names, 'node-addons');
  return names;
}

function requireConditionNames() {
  if (requireNames === undefined) {
    const names = ['require', ...each(shared()), ...each(getOptionValue('--conditions'))];
    if (getOptionValue('--require-module')) arrayPush.call(names, 'module-sync');
    requireNames = Object.freeze(names);
  }
  return requireNames;
}

function importConditionNames() {
  if (importNames === undefined) {
    const names = [...each(shared()), 'import'];
    if (getOptionValue('--require-module')) arrayPush.call(names, 'module-sync');
    arrayPush.call(names, ...each(getOptionValue('--conditions')));
    importNames = Object.freeze(names);
  }
  return importNames;
}

function requireConditions() {
  return (requireSet ??= new Set(requireConditionNames()));
}

// `names` is what a resolve hook passed on; undefined means the default.
function importConditions(names) {
  if (names === undefined || names === importNames) return (importSet ??= new Set(importConditionNames()));
  if (!Array.isArray(names)) {
    const { ERR_INVALID_ARG_VALUE } = require('internal/errors/coded').codes;
    throw new ERR_INVALID_ARG_VALUE('conditions', names, 'expected an array');
  }
  return new Set(names);
}

module.exports = { requireConditionNames, importConditionNames, requireConditions, importConditions };
