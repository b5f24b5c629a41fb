// natives: fs
//
// Results of stat(), statfs() and readdir(): Stats, BigIntStats, StatFs,
// Dirent. Stats come ready from the native half; for the others it writes into
// shared arrays, which are read at once, before any other call overwrites them.

'use strict';

const binding = native('fs');
const { statNumbers, statBigInts, constants } = binding;
const { S_IFMT, S_IFREG, S_IFDIR, S_IFCHR, S_IFBLK, S_IFIFO, S_IFLNK, S_IFSOCK } = constants;

const kType = Symbol('type');

function StatsBase(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks) {
  this.dev = dev;
  this.mode = mode;
  this.nlink = nlink;
  this.uid = uid;
  this.gid = gid;
  this.rdev = rdev;
  this.blksize = blksize;
  this.ino = ino;
  this.size = size;
  this.blocks = blocks;
}

const kinds = {
  isDirectory: S_IFDIR,
  isFile: S_IFREG,
  isBlockDevice: S_IFBLK,
  isCharacterDevice: S_IFCHR,
  isSymbolicLink: S_IFLNK,
  isFIFO: S_IFIFO,
  isSocket: S_IFSOCK,
};
for (const [name, kind] of eachEntry(Object.entries(kinds))) {
  StatsBase.prototype[name] = {
    [name]() {
      return this._checkModeProperty(kind);
    },
  }[name];
}

function own(target, name, value) {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
  return value;
}

// A date costs an object, and most callers read none: made when first read.
function lazyField(prototype, name, make) {
  Object.defineProperty(prototype, name, {
    get() {
      return own(this, name, make(this));
    },
    set(value) {
      own(this, name, value);
    },
    enumerable: true,
    configurable: true,
  });
}

function instant(nanoseconds) {
  const Instant = globalThis.Temporal?.Instant;
  if (Instant === undefined) {
    const { ERR_NO_TEMPORAL } = require('internal/errors/coded').codes;
    throw new ERR_NO_TEMPORAL();
  }
  return new Instant(nanoseconds);
}

const timeNames = ['atime', 'mtime', 'ctime', 'birthtime'];
function addTimes(prototype, nanosecondsOf) {
  arrayForEach.call(timeNames, (name, index) => {
    lazyField(prototype, name, (stats) => new Date(Math.round(Number(stats[name + 'Ms']))));
  });
  arrayForEach.call(timeNames, (name, index) => {
    lazyField(prototype, name + 'Instant', (stats) => instant(nanosecondsOf(stats, name, index)));
  });
}

// The native half makes objects of the same shape by itself (setStatsPrototype), with the exact nanoseconds hidden in them.
function Stats(
  dev,
  mode,
  nlink,
  uid,
  gid,
  rdev,
  blksize,
  ino,
  size,
  blocks,
  atimeS,
  atimeNs,
  mtimeS,
  mtimeNs,
  ctimeS,
  ctimeNs,
  birthtimeS,
  birthtimeNs,
) {
  Reflect.apply(StatsBase, this, [dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks]);
  this.atimeMs = atimeS * 1000 + atimeNs / 1e6;
  this.mtimeMs = mtimeS * 1000 + mtimeNs / 1e6;
  this.ctimeMs = ctimeS * 1000 + ctimeNs / 1e6;
  this.birthtimeMs = birthtimeS * 1000 + birthtimeNs / 1e6;
}
Object.setPrototypeOf(Stats.prototype, StatsBase.prototype);
Object.setPrototypeOf(Stats, StatsBase);
Stats.prototype._checkModeProperty = function (kind) {
  return (this.mode & S_IFMT) === kind;
};
addTimes(
  Stats.prototype,
  (stats, name, index) =>
    BigInt(Math.floor(stats[name + 'Ms'] / 1000)) * 1_000_000_000n +
    BigInt(binding.statNanoseconds(stats, index) ?? Math.round((stats[name + 'Ms'] % 1000) * 1e6)),
);
binding.setStatsPrototype(Stats.prototype);

function BigIntStats(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks, atimeNs, mtimeNs, ctimeNs, birthtimeNs) {
  Reflect.apply(StatsBase, this, [dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks]);
  this.atimeMs = atimeNs / 1_000_000n;
  this.mtimeMs = mtimeNs / 1_000_000n;
  this.ctimeMs = ctimeNs / 1_000_000n;
  this.birthtimeMs = birthtimeNs / 1_000_000n;
  this.atimeNs = atimeNs;
  this.mtimeNs = mtimeNs;
  this.ctimeNs = ctimeNs;
  this.birthtimeNs = birthtimeNs;
}
Object.setPrototypeOf(BigIntStats.prototype, StatsBase.prototype);
Object.setPrototypeOf(BigIntStats, StatsBase);
BigIntStats.prototype._checkModeProperty = function (kind) {
  return (this.mode & BigInt(S_IFMT)) === BigInt(kind);
};
addTimes(BigIntStats.prototype, (stats, name) => stats[name + 'Ns']);

// The result of a native stat: a Stats, nothing, or `true` for numbers left in the shared array.
function toStats(found) {
  if (found !== true) return found;
  const v = statBigInts;
  const time = (at) => v[at] * 1_000_000_000n + v[at + 1];
  return new BigIntStats(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], time(10), time(12), time(14), time(16));
}

// All zeros: what fs.watchFile reports for a file that is not there.
function emptyStats(bigint) {
  if (bigint) return new BigIntStats(...each(arrayFill.call(Array(14), 0n)));
  return new Stats(...each(arrayFill.call(Array(18), 0)));
}

class StatFs {
  constructor(type, bsize, frsize, blocks, bfree, bavail, files, ffree) {
    this.type = type;
    this.bsize = bsize;
    this.frsize = frsize;
    this.blocks = blocks;
    this.bfree = bfree;
    this.bavail = bavail;
    this.files = files;
    this.ffree = ffree;
  }
}

function takeStatFs(bigint) {
  const v = bigint ? statBigInts : statNumbers;
  return new StatFs(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
}

class Dirent {
  constructor(name, type, path) {
    this.name = name;
    this.parentPath = path;
    this[kType] = type;
  }

  isDirectory() {
    return this[kType] === constants.UV_DIRENT_DIR;
  }
  isFile() {
    return this[kType] === constants.UV_DIRENT_FILE;
  }
  isBlockDevice() {
    return this[kType] === constants.UV_DIRENT_BLOCK;
  }
  isCharacterDevice() {
    return this[kType] === constants.UV_DIRENT_CHAR;
  }
  isSymbolicLink() {
    return this[kType] === constants.UV_DIRENT_LINK;
  }
  isFIFO() {
    return this[kType] === constants.UV_DIRENT_FIFO;
  }
  isSocket() {
    return this[kType] === constants.UV_DIRENT_SOCKET;
  }
}

module.exports = { Stats, Dirent, toStats, takeStatFs, emptyStats };
