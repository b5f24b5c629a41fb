// natives: none
//
// The command line's options as lib/ sees them, under Node's names. The
// runtime hands them over once, before any program code runs; what it does not
// name has the default below.

'use strict';

const defaults = {
  __proto__: null,
  '--addons': true,
  '--allow-fs-read': [],
  '--allow-fs-write': [],
  '--conditions': [],
  '--cpu-prof-interval': '',
  '--heap-prof-interval': '',
  '--deprecation': true,
  '--warnings': true,
  '--experimental-detect-module': true,
  '--experimental-global-navigator': true,
  '--experimental-websocket': true,
  '--experimental-repl-await': true,
  '--experimental-sqlite': true,
  '--experimental-loader': [],
  '--extra-info-on-fatal-exception': true,
  '--global-search-paths': true,
  '--import': [],
  '--require': [],
  '--require-module': true,
  '--strip-types': true,
  '--watch-path': [],
  '--webstorage': true,
  '--watch-kill-signal': '',
  '--disable-warning': [],
  '--env-file': [],
  '--env-file-if-exists': [],
  '--unhandled-rejections': '',
  '--input-type': '',
  '--network-family-autoselection': true,
  '--network-family-autoselection-attempt-timeout': 500,
  '--secure-heap': 0,
  '--secure-heap-min': 2,
  '--stack-trace-limit': 10,
  '--test-concurrency': 0,
  '--test-coverage-branches': 0,
  '--test-coverage-exclude': [],
  '--test-coverage-functions': 0,
  '--test-coverage-include': [],
  '--test-coverage-lines': 0,
  '--test-global-setup': '',
  '--test-isolation': 'process',
  '--test-name-pattern': [],
  '--test-reporter': [],
  '--test-reporter-destination': [],
  '--test-rerun-failures': '',
  '--test-shard': '',
  '--test-skip-pattern': [],
  '--test-timeout': 0,
  '--experimental-test-tag-filter': [],
};

let values = { __proto__: defaults };

// Older spellings that Node still takes.
const renamed = [
  ['--experimental-require-module', '--require-module'],
  ['--experimental-strip-types', '--strip-types'],
  ['--loader', '--experimental-loader'],
  ['--enable-network-family-autoselection', '--network-family-autoselection'],
];

function setOptions(given) {
  values = { __proto__: defaults, ...given };
  for (const [old, name] of eachEntry(renamed)) {
    if (given[old] !== undefined && given[name] === undefined) values[name] = given[old];
  }
  if (given['--permission'] && !given['--allow-addons']) values['--addons'] = false;
}

// Options nobody set and nobody knows are off.
function getOptionValue(name) {
  const value = values[name];
  if (value !== undefined) return value;
  if (stringStartsWith.call(name, '--no-')) return !getOptionValue('--' + stringSlice.call(name, 5));
  return false;
}

// Those that were given. For a worker, which has the options of its owner.
function getOptions() {
  const { '--check': check, '--print': print, ...own } = values;
  return own;
}

const hasOption = (name) => Object.hasOwn(values, name);
const hasOptions = () => Object.keys(values).length !== 0;

module.exports = { setOptions, getOptions, hasOption, hasOptions, getOptionValue };
