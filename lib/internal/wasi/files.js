// natives: wasi
// WASI's functions of files: fd_… and path_…. Each gets the program ({ memory, descriptors }) and its arguments, checked for their types.
'use strict';

const binding = native('wasi');
const { fdFlags, fileTypes, kAllRights, lookupFollow, openFlags, rights, timeFlags } = require('internal/wasi/constants');
const { hostPath, typeOf } = require('internal/wasi/descriptors');
const { fail, failWith } = require('internal/wasi/error');

const kStatSize = 64,
  kEntrySize = 24,
  kMode = 0o666,
  kFolderMode = 0o777,
  kWhences = 3,
  kNsPerSecond = 1e9;
const fs = () => require('internal/fs/fs');

function checked(answer) {
  if (answer < 0) failWith(answer);
  return answer;
}

// ---- descriptors ----

function systemFlags(flags) {
  let bits = 0;
  if (flags & fdFlags.append) bits |= binding.kAppend;
  if (flags & fdFlags.dsync) bits |= binding.kDsync;
  if (flags & fdFlags.nonblock) bits |= binding.kNonblock;
  if (flags & (fdFlags.sync | fdFlags.rsync)) bits |= binding.kSync;
  return bits;
}

function flagsOf(fd) {
  const bits = checked(binding.flags(fd));
  let flags = 0;
  if (bits & binding.kAppend) flags |= fdFlags.append;
  if (bits & binding.kNonblock) flags |= fdFlags.nonblock;
  if ((bits & binding.kSync) === binding.kSync) flags |= fdFlags.sync;
  else if (bits & binding.kDsync) flags |= fdFlags.dsync;
  return flags;
}

function writeStat(memory, at, stats) {
  memory.setU64(at, stats.dev);
  memory.setU64(at + 8, stats.ino);
  memory.setU64(at + 16, 0n);
  memory.setU8(at + 16, typeOf(stats));
  memory.setU64(at + 24, stats.nlink);
  memory.setU64(at + 32, stats.size);
  memory.setU64(at + 40, stats.atimeNs);
  memory.setU64(at + 48, stats.mtimeNs);
  memory.setU64(at + 56, stats.ctimeNs);
}

// [access, modification] in seconds.
function newTimes(access, modification, flags, stats) {
  const both = (now, given) => (flags & now) !== 0 && (flags & given) !== 0;
  if (both(timeFlags.accessNow, timeFlags.access) || both(timeFlags.modificationNow, timeFlags.modification)) fail('EINVAL');
  const pick = (isNow, isGiven, given, old) => (isNow ? Date.now() / 1000 : Number(isGiven ? given : old) / kNsPerSecond);
  return [
    pick(flags & timeFlags.accessNow, flags & timeFlags.access, access, stats.atimeNs),
    pick(flags & timeFlags.modificationNow, flags & timeFlags.modification, modification, stats.mtimeNs),
  ];
}

// Reads or writes the parts of memory one after the other, until one is not done whole. `done`: where their number of bytes goes.
function move({ memory, descriptors }, fd, needed, vectors, count, done, part) {
  memory.check(done, 4);
  const { fd: own } = descriptors.get(fd, needed);
  let total = 0;
  for (const bytes of each(memory.vectors(vectors, count))) {
    if (bytes.length === 0) continue;
    const moved = part(own, bytes, total);
    total += moved;
    if (moved < bytes.length) break;
  }
  memory.setU32(done, total);
}

const descriptorFunctions = {
  __proto__: null,
  fd_advise({ descriptors }, fd, offset, length, advice) {
    const kAdvices = 6;
    if (advice >= kAdvices) fail('EINVAL');
    checked(binding.advise(descriptors.get(fd, rights.fd_advise).fd, offset, length, advice));
  },
  fd_allocate({ descriptors }, fd, offset, length) {
    checked(binding.allocate(descriptors.get(fd, rights.fd_allocate).fd, offset, length));
  },
  fd_close({ descriptors }, fd) {
    descriptors.close(fd);
  },
  fd_datasync({ descriptors }, fd) {
    fs().fdatasyncSync(descriptors.get(fd, rights.fd_datasync).fd);
  },
  fd_sync({ descriptors }, fd) {
    fs().fsyncSync(descriptors.get(fd, rights.fd_sync).fd);
  },
  fd_fdstat_get({ memory, descriptors }, fd, at) {
    memory.check(at, kEntrySize);
    const { fd: own, type, base, inheriting } = descriptors.get(fd);
    memory.setU16(at, type);
    memory.setU16(at + 2, flagsOf(own));
    memory.setU32(at + 4, 0);
    memory.setU64(at + 8, base);
    memory.setU64(at + 16, inheriting);
  },
  fd_fdstat_set_flags({ descriptors }, fd, flags) {
    checked(binding.setFlags(descriptors.get(fd, rights.fd_fdstat_set_flags).fd, systemFlags(flags)));
  },
  fd_fdstat_set_rights({ descriptors }, fd, base, inheriting) {
    const entry = descriptors.get(fd);
    const [wantedBase, wantedInheriting] = each([BigInt.asUintN(64, base), BigInt.asUintN(64, inheriting)]);
    if ((wantedBase & ~entry.base) !== 0n || (wantedInheriting & ~entry.inheriting) !== 0n) fail('ENOTCAPABLE');
    entry.base = wantedBase;
    entry.inheriting = wantedInheriting;
  },
  fd_filestat_get({ memory, descriptors }, fd, at) {
    memory.check(at, kStatSize);
    writeStat(memory, at, fs().fstatSync(descriptors.get(fd, rights.fd_filestat_get).fd, { bigint: true }));
  },
  fd_filestat_set_size({ descriptors }, fd, size) {
    fs().ftruncateSync(descriptors.get(fd, rights.fd_filestat_set_size).fd, Number(BigInt.asUintN(64, size)));
  },
  fd_filestat_set_times({ descriptors }, fd, access, modification, flags) {
    const { fd: own } = descriptors.get(fd, rights.fd_filestat_set_times);
    const times = newTimes(access, modification, flags, fs().fstatSync(own, { bigint: true }));
    fs().futimesSync(own, times[0], times[1]);
  },
  fd_read(state, fd, vectors, count, done) {
    move(state, fd, rights.fd_read, vectors, count, done, (own, bytes) => fs().readSync(own, bytes, 0, bytes.length, null));
  },
  fd_pread(state, fd, vectors, count, offset, done) {
    const from = BigInt.asUintN(64, offset);
    const read = (own, bytes, total) => fs().readSync(own, bytes, 0, bytes.length, from + BigInt(total));
    move(state, fd, rights.fd_read | rights.fd_seek, vectors, count, done, read);
  },
  fd_write(state, fd, vectors, count, done) {
    move(state, fd, rights.fd_write, vectors, count, done, (own, bytes) => fs().writeSync(own, bytes, 0, bytes.length, null));
  },
  fd_pwrite(state, fd, vectors, count, offset, done) {
    const from = Number(BigInt.asUintN(64, offset));
    const write = (own, bytes, total) => fs().writeSync(own, bytes, 0, bytes.length, from + total);
    move(state, fd, rights.fd_write | rights.fd_seek, vectors, count, done, write);
  },
  fd_prestat_get({ memory, descriptors }, fd, at) {
    memory.check(at, 8);
    const { guest } = descriptors.get(fd);
    if (guest === undefined) fail('EINVAL');
    memory.setU32(at, 0);
    memory.setU32(at + 4, bytesOf(guest).length);
  },
  fd_prestat_dir_name({ memory, descriptors }, fd, at, size) {
    const { guest } = descriptors.get(fd);
    if (guest === undefined) fail('EBADF');
    const name = bytesOf(guest);
    if (name.length > size) fail('ENOBUFS');
    bytesSet.call(memory.bytes(at, name.length), name);
  },
  fd_readdir: readFolder,
  fd_renumber({ descriptors }, from, to) {
    descriptors.renumber(from, to);
  },
  fd_seek({ memory, descriptors }, fd, offset, whence, at) {
    memory.check(at, 8);
    const { fd: own } = descriptors.get(fd, rights.fd_seek);
    if (whence >= kWhences) fail('EINVAL');
    memory.setU64(at, BigInt(checked(binding.seek(own, offset, whence))));
  },
  fd_tell({ memory, descriptors }, fd, at) {
    memory.check(at, 8);
    const kFromHere = 1;
    memory.setU64(at, BigInt(checked(binding.seek(descriptors.get(fd, rights.fd_tell).fd, 0n, kFromHere))));
  },
};

const bytesOf = (text) => require('internal/buffer/buffer').Buffer.from(text);

// Entries from number `cookie` on, the last one cut where memory ends.
function readFolder({ memory, descriptors }, fd, at, size, cookie, done) {
  memory.check(done, 4);
  const entry = descriptors.get(fd, rights.fd_readdir);
  if (entry.type !== fileTypes.folder) fail('ENOTDIR');
  const folder = hostPath(entry);
  const { Buffer } = require('internal/buffer/buffer');
  const names = fs().readdirSync(folder);
  const target = memory.bytes(at, size);
  let used = 0;
  for (let i = Number(cookie); i < names.length && used < size; i++) {
    const stats = fs().lstatSync(`${folder}/${names[i]}`, { bigint: true, throwIfNoEntry: false });
    const name = Buffer.from(names[i]);
    const record = Buffer.alloc(kEntrySize + name.length);
    record.writeBigUInt64LE(BigInt(i + 1), 0);
    record.writeBigUInt64LE(stats?.ino ?? 0n, 8);
    record.writeUInt32LE(name.length, 16);
    record.writeUInt8(stats === undefined ? fileTypes.unknown : typeOf(stats), 20);
    bytesSet.call(record, name, kEntrySize);
    const part = bytesSubarray.call(record, 0, size - used);
    bytesSet.call(target, part, used);
    used += part.length;
  }
  memory.setU32(done, used);
}

// ---- paths ----

function openBits(wanted, flags, descriptorFlags) {
  const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY } = fs().constants;
  const reads = (wanted & (rights.fd_read | rights.fd_readdir)) !== 0n;
  const isWriter = (wanted & (rights.fd_write | rights.fd_datasync | rights.fd_allocate | rights.fd_filestat_set_size)) !== 0n;
  const writes = isWriter && (flags & openFlags.folder) === 0; // whatever is asked for, a folder is opened to be read
  let bits = writes ? (reads ? O_RDWR : O_WRONLY) : O_RDONLY;
  if (flags & openFlags.create) bits |= O_CREAT;
  if (flags & openFlags.folder) bits |= O_DIRECTORY;
  if (flags & openFlags.exclusive) bits |= O_EXCL;
  if (flags & openFlags.truncate) bits |= O_TRUNC;
  return bits | O_NOFOLLOW | systemFlags(descriptorFlags);
}

function openPath({ memory, descriptors }, fd, lookup, at, size, flags, base, inheriting, descriptorFlags, done) {
  memory.check(done, 4);
  let needed = rights.path_open;
  if (flags & openFlags.create) needed |= rights.path_create_file;
  if (flags & openFlags.truncate) needed |= rights.path_filestat_set_size;
  const parent = descriptors.get(fd, needed);
  const wanted = BigInt.asUintN(64, base) & kAllRights;
  if ((wanted & ~parent.inheriting) !== 0n) fail('ENOTCAPABLE');
  const place = descriptors.resolve(fd, needed, memory.text(at, size), (lookup & lookupFollow) !== 0);
  const own = fs().openSync(hostPath(place), openBits(wanted, flags, descriptorFlags), kMode);
  const { root, parts } = place;
  memory.setU32(done, descriptors.addOpened(own, wanted, BigInt.asUintN(64, inheriting) & parent.inheriting, { root, parts }));
}

const at = ({ memory, descriptors }, fd, right, path, size, follows) =>
  hostPath(descriptors.resolve(fd, right, memory.text(path, size), follows));

const pathFunctions = {
  __proto__: null,
  path_open: openPath,
  path_create_directory(program, fd, path, size) {
    fs().mkdirSync(at(program, fd, rights.path_create_directory, path, size, false), { mode: kFolderMode });
  },
  path_filestat_get(program, fd, lookup, path, size, into) {
    program.memory.check(into, kStatSize);
    const place = at(program, fd, rights.path_filestat_get, path, size, (lookup & lookupFollow) !== 0);
    writeStat(program.memory, into, fs().lstatSync(place, { bigint: true }));
  },
  path_filestat_set_times(program, fd, lookup, path, size, access, modification, flags) {
    const place = at(program, fd, rights.path_filestat_set_times, path, size, (lookup & lookupFollow) !== 0);
    const times = newTimes(access, modification, flags, fs().lstatSync(place, { bigint: true }));
    fs().lutimesSync(place, times[0], times[1]);
  },
  path_link(program, oldFd, lookup, oldPath, oldSize, newFd, newPath, newSize) {
    const from = at(program, oldFd, rights.path_link_source, oldPath, oldSize, (lookup & lookupFollow) !== 0);
    fs().linkSync(from, at(program, newFd, rights.path_link_target, newPath, newSize, false));
  },
  path_readlink(program, fd, path, size, into, room, done) {
    const { memory } = program;
    memory.check(done, 4);
    memory.check(into, room);
    const target = bytesOf(fs().readlinkSync(at(program, fd, rights.path_readlink, path, size, false)));
    const part = bytesSubarray.call(target, 0, room);
    bytesSet.call(memory.bytes(into, part.length), part);
    memory.setU32(done, part.length);
  },
  path_remove_directory(program, fd, path, size) {
    fs().rmdirSync(at(program, fd, rights.path_remove_directory, path, size, false));
  },
  path_rename(program, oldFd, oldPath, oldSize, newFd, newPath, newSize) {
    const from = at(program, oldFd, rights.path_rename_source, oldPath, oldSize, false);
    fs().renameSync(from, at(program, newFd, rights.path_rename_target, newPath, newSize, false));
  },
  path_symlink(program, oldPath, oldSize, fd, newPath, newSize) {
    const target = program.memory.text(oldPath, oldSize);
    if (target[0] === '/') fail('ENOTCAPABLE');
    fs().symlinkSync(target, at(program, fd, rights.path_symlink, newPath, newSize, false));
  },
  path_unlink_file(program, fd, path, size) {
    fs().unlinkSync(at(program, fd, rights.path_unlink_file, path, size, false));
  },
};

module.exports = { descriptorFunctions, pathFunctions };
