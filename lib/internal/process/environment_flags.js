// natives: none
//
// process.allowedNodeEnvironmentFlags: a frozen set of what NODE_OPTIONS may say. Looking a flag up forgives underscores for
// dashes and a value after '='.

'use strict';

const flags = [
  '--conditions',
  '-C',
  '--deprecation',
  '--disable-warning',
  '--enable-source-maps',
  '--entry-url',
  '--env-file',
  '--env-file-if-exists',
  '--experimental-detect-module',
  '--experimental-import-meta-resolve',
  '--import',
  '--input-type',
  '--no-deprecation',
  '--no-warnings',
  '--pending-deprecation',
  '--preserve-symlinks',
  '--preserve-symlinks-main',
  '--require',
  '-r',
  '--require-module',
  '--stack-trace-limit',
  '--strip-types',
  '--throw-deprecation',
  '--trace-deprecation',
  '--trace-exit',
  '--trace-require-module',
  '--trace-uncaught',
  '--trace-warnings',
  '--unhandled-rejections',
  '--warnings',
];

const known = new Set(flags);

function normal(flag) {
  const text = replaceMatches(replaceMatches(flag, /_/g, '-'), /=.*$/, '');
  if (known.has(text)) return text;
  const bare = replaceMatches(text, /^-{0,2}/, '');
  for (const dashes of each(['--', '-'])) {
    if (known.has(dashes + bare)) return dashes + bare;
  }
  return stringStartsWith.call(text, '--no-') && known.has('--' + stringSlice.call(text, 5)) ? '--' + stringSlice.call(text, 5) : undefined;
}

class EnvironmentFlags extends program.Set {
  constructor() {
    super();
  }

  add() {
    return this;
  }
  delete() {
    return false;
  }
  clear() {}

  has(flag) {
    return typeof flag === 'string' && normal(flag) !== undefined;
  }
}

function allowed() {
  const set = new EnvironmentFlags();
  for (const flag of each(flags)) Reflect.apply(Set.prototype.add, set, [flag]);
  Object.freeze(EnvironmentFlags.prototype);
  return Object.freeze(set);
}

module.exports = { allowed };
