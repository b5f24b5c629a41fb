// natives: none
//
// process.binding, long deprecated: of Node's internal objects those that have
// a meaning outside Node and that old packages ask for. Any other name is
// refused with Node's words, as is everything by process._linkedBinding: nothing
// is linked in.

'use strict';

const { genericNodeError } = require('internal/errors/coded');
const { getOptionValue } = require('internal/process/options');
const { deprecate, pendingDeprecate } = require('internal/util/helpers');

function pick(source, names) {
  const picked = {};
  for (const name of each(names)) picked[name] = source[name];
  return picked;
}

const makers = {
  __proto__: null,

  constants() {
    const { constants } = require('internal/os/os');
    return {
      os: constants,
      fs: require('internal/fs/fs').constants,
      crypto: requireLater('internal/crypto/crypto').constants,
      zlib: requireLater('internal/zlib/zlib').constants,
    };
  },

  buffer() {
    const { isAscii, isUtf8, kMaxLength, kStringMaxLength } = require('internal/buffer/buffer');
    return { isAscii, isUtf8, kMaxLength, kStringMaxLength };
  },

  // Yarn's Plug'n'Play looks for the first and puts its own in its place, which nothing here asks: its hooks read the files of archives.
  fs() {
    const fs = require('internal/fs/fs');
    return {
      readFileUtf8: function readFileUtf8(path, flag) {
        return fs.readFileSync(path, { __proto__: null, encoding: 'utf8', flag });
      },
      existsSync: fs.existsSync,
      internalModuleStat: function internalModuleStat(path) {
        const found = fs.statSync(path, { __proto__: null, throwIfNoEntry: false });
        return found === undefined ? -2 : Number(found.isDirectory());
      },
    };
  },

  spawn_sync() {
    return requireLater('internal/child_process/sync').spawner;
  },

  tty_wrap() {
    return { isTTY: requireLater('internal/tty/tty').isatty };
  },

  config() {
    return { isDebugBuild: false, hasOpenSSL: true, hasIntl: true, hasTracing: false, hasNodeOptions: true, hasInspector: false, bits: 64 };
  },

  // Names and sources of the builtin modules; the sources are not given out.
  natives() {
    const sources = {};
    for (const id of each(requireLater('internal/modules/builtins').builtinModules())) sources[replaceMatches(id, /^node:/, '')] = '';
    return sources;
  },

  util() {
    return pick(require('internal/util/util').types, [
      'isArrayBuffer',
      'isAsyncFunction',
      'isDate',
      'isExternal',
      'isMap',
      'isMapIterator',
      'isNativeError',
      'isPromise',
      'isRegExp',
      'isSet',
      'isSetIterator',
      'isAnyArrayBuffer',
      'isArrayBufferView',
      'isDataView',
      'isTypedArray',
      'isUint8Array',
    ]);
  },

  uv() {
    const { getSystemErrorMap, getSystemErrorName } = require('internal/util/util');
    const codes = {
      errname: pendingDeprecate(
        (number) => getSystemErrorName(number),
        "Directly calling process.binding('uv').errname(<val>) is being deprecated. " +
          'Please make sure to use util.getSystemErrorName() instead.',
        'DEP0119',
      ),
      getErrorMap: () => getSystemErrorMap(),
      getErrorMessage: (number) => require('internal/util/util').getSystemErrorMessage(number),
    };
    for (const [number, names] of eachEntry(getSystemErrorMap())) codes[`UV_${names[0]}`] = number;
    return codes;
  },
};

const made = new Map();

function binding(module) {
  const name = String(module);
  if (made.has(name)) return made.get(name);
  if (makers[name] === undefined) throw new Error(`No such module: ${name}`);
  const object = makers[name]();
  made.set(name, object);
  return object;
}

function _linkedBinding(module) {
  throw genericNodeError(`No such binding was linked: ${module}`, { code: 'ERR_INVALID_MODULE' });
}

module.exports = {
  binding: getOptionValue('--pending-deprecation')
    ? deprecate(binding, 'process.binding() is deprecated. Please use public APIs instead.', 'DEP0111')
    : binding,
  _linkedBinding,
};
