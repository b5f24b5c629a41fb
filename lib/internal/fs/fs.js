// natives: fs
//
// node:fs. Gathers the sync and callback functions and the classes; what is
// large and seldom used (streams, watchers, cp, glob, promises) is loaded when
// first asked for.

'use strict';

const { addLazy } = require('internal/util/lazy_property');
const binding = native('fs');
const sync = require('internal/fs/sync');
const callbacks = require('internal/fs/callbacks');
const wholeFile = require('internal/fs/whole_file');
const { readdir, readdirSync } = require('internal/fs/readdir');
const { realpath, realpathSync } = require('internal/fs/realpath');
const { Stats, Dirent } = require('internal/fs/stats');
const { toUnixTimestamp } = require('internal/fs/utils');

function cp(src, dest, options, callback) {
  require('internal/fs/cp').cp(src, dest, options, callback);
}

function cpSync(src, dest, options) {
  require('internal/fs/cp').cpSync(src, dest, options);
}

function rm(path, options, callback) {
  require('internal/fs/rm').rm(path, options, callback);
}

function rmSync(path, options) {
  require('internal/fs/rm').rmSync(path, options);
}

function glob(pattern, options, callback) {
  require('internal/fs/glob').glob(pattern, options, callback);
}

function globSync(pattern, options) {
  return require('internal/fs/glob').globSync(pattern, options);
}

function opendir(path, options, callback) {
  require('internal/fs/dir').opendir(path, options, callback);
}

function opendirSync(path, options) {
  return require('internal/fs/dir').opendirSync(path, options);
}

function watch(filename, options, listener) {
  return require('internal/fs/watch').watch(filename, options, listener);
}

function watchFile(filename, options, listener) {
  return require('internal/fs/stat_watch').watchFile(filename, options, listener);
}

function unwatchFile(filename, listener) {
  require('internal/fs/stat_watch').unwatchFile(filename, listener);
}

function createReadStream(path, options) {
  return new (require('internal/fs/streams').ReadStream)(path, options);
}

function createWriteStream(path, options) {
  return new (require('internal/fs/streams').WriteStream)(path, options);
}

// The constructor is deprecated for programs; instanceof works.
let warnedOfStats = false;
function DeprecatedStats(...values) {
  if (!warnedOfStats) {
    warnedOfStats = true;
    process.emitWarning('fs.Stats constructor is deprecated.', 'DeprecationWarning', 'DEP0180');
  }
  return Reflect.construct(Stats, values, new.target ?? Stats);
}
DeprecatedStats.prototype = Stats.prototype;
Object.setPrototypeOf(DeprecatedStats, Stats);
Object.defineProperties(DeprecatedStats, { name: { value: 'Stats' }, length: { value: Stats.length } });

const { readFile, readFileSync, writeFile, writeFileSync, appendFile, appendFileSync } = wholeFile;
const {
  access,
  chown,
  chmod,
  close,
  copyFile,
  exists,
  fchown,
  fchmod,
  fdatasync,
  fstat,
  fsync,
  ftruncate,
  futimes,
  lchown,
  link,
  lstat,
  lutimes,
  mkdir,
  mkdtemp,
  open,
  read,
  readv,
  readlink,
  rename,
  rmdir,
  stat,
  statfs,
  symlink,
  truncate,
  unlink,
  utimes,
  write,
  writev,
} = callbacks;
const {
  accessSync,
  chownSync,
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fchownSync,
  fchmodSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  lchownSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  mkdtempDisposableSync,
  openSync,
  openAsBlob,
  openAsBlobSync,
  readSync,
  readvSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  statSync,
  statfsSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeSync,
  writevSync,
} = sync;

const fs = {
  appendFile,
  appendFileSync,
  access,
  accessSync,
  chown,
  chownSync,
  chmod,
  chmodSync,
  close,
  closeSync,
  copyFile,
  copyFileSync,
  cp,
  cpSync,
  createReadStream,
  createWriteStream,
  exists,
  existsSync,
  fchown,
  fchownSync,
  fchmod,
  fchmodSync,
  fdatasync,
  fdatasyncSync,
  fstat,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncate,
  ftruncateSync,
  futimes,
  futimesSync,
  glob,
  globSync,
  lchown,
  lchownSync,
  lchmod: undefined,
  lchmodSync: undefined,
  link,
  linkSync,
  lstat,
  lstatSync,
  lutimes,
  lutimesSync,
  mkdir,
  mkdirSync,
  mkdtemp,
  mkdtempSync,
  mkdtempDisposableSync,
  open,
  openSync,
  openAsBlob,
  openAsBlobSync,
  readdir,
  readdirSync,
  read,
  readSync,
  readv,
  readvSync,
  readFile,
  readFileSync,
  readlink,
  readlinkSync,
  realpath,
  realpathSync,
  rename,
  renameSync,
  rm,
  rmSync,
  rmdir,
  rmdirSync,
  stat,
  statfs,
  statSync,
  statfsSync,
  symlink,
  symlinkSync,
  truncate,
  truncateSync,
  unwatchFile,
  unlink,
  unlinkSync,
  utimes,
  utimesSync,
  watch,
  watchFile,
  writeFile,
  writeFileSync,
  write,
  writeSync,
  writev,
  writevSync,
  Dirent,
  Stats: DeprecatedStats,
  _toUnixTimestamp: toUnixTimestamp,
  opendir,
  opendirSync,
};

// Loaded on first use, replaceable by programs.
function lazy(name, load, more) {
  Object.defineProperty(fs, name, {
    get() {
      return load();
    },
    set(value) {
      Object.defineProperty(fs, name, { value, writable: true, enumerable: true, configurable: true });
    },
    enumerable: true,
    configurable: true,
    ...more,
  });
}
lazy('ReadStream', () => require('internal/fs/streams').ReadStream);
lazy('WriteStream', () => require('internal/fs/streams').WriteStream);
lazy('FileReadStream', () => require('internal/fs/streams').ReadStream);
lazy('FileWriteStream', () => require('internal/fs/streams').WriteStream);
lazy('Utf8Stream', () => require('internal/fs/utf8_stream').Utf8Stream, { set: undefined });
addLazy(fs, ['Dir'], () => require('internal/fs/dir').Dir, true);
lazy('promises', () => require('internal/fs/promises').exports, { set: undefined });
Object.defineProperty(fs, 'constants', { value: binding.constants, enumerable: true, writable: false, configurable: false });

Object.defineProperty(exists, require('internal/util/helpers').promisify.custom, {
  value: { exists: (path) => new Promise((resolve) => exists(path, resolve)) }.exists,
});

module.exports = fs;
