// natives: none
// The descriptors of a WASI program: standard streams, folders that it was given, and files that it opened there. Each has rights; a
// path is looked up below a folder and never leaves the folder that the program was given, not through symbolic links either.
'use strict';

const { fileTypes, kAllRights, kFileRights, kFolderRights, kStreamRights } = require('internal/wasi/constants');
const { fail } = require('internal/wasi/error');

const kMostLinks = 32;
const fs = () => require('internal/fs/fs');

function typeOf(stats) {
  if (stats.isFile()) return fileTypes.file;
  if (stats.isDirectory()) return fileTypes.folder;
  if (stats.isSymbolicLink()) return fileTypes.link;
  if (stats.isCharacterDevice()) return fileTypes.character;
  if (stats.isBlockDevice()) return fileTypes.block;
  if (stats.isSocket()) return fileTypes.stream;
  return fileTypes.unknown;
}

function rightsOfType(type) {
  if (type === fileTypes.file) return kFileRights;
  if (type === fileTypes.folder) return kFolderRights;
  return kStreamRights | (type === fileTypes.character || type === fileTypes.unknown ? kFileRights : 0n);
}

class Descriptors {
  #list = new Map();

  constructor(stdio, preopens) {
    for (let i = 0; i < stdio.length; i++) this.#addStream(i, stdio[i]);
    for (const [guest, host] of eachEntry(preopens)) this.#addPreopened(guest, host);
  }

  #addStream(number, fd) {
    const type = typeOf(fs().fstatSync(fd));
    this.#list.set(number, { fd, type, base: rightsOfType(type), inheriting: kAllRights, isStream: true });
  }

  #addPreopened(guest, host) {
    const root = fs().realpathSync(host);
    const { O_RDONLY, O_DIRECTORY } = fs().constants;
    const fd = fs().openSync(root, O_RDONLY | O_DIRECTORY);
    this.add({ fd, type: fileTypes.folder, base: kFolderRights, inheriting: kAllRights, guest, root, parts: [] });
  }

  // The lowest free number, as open() has it.
  add(entry) {
    let number = 0;
    while (this.#list.has(number)) number++;
    this.#list.set(number, entry);
    return number;
  }

  addOpened(fd, base, inheriting, place) {
    const type = typeOf(fs().fstatSync(fd));
    return this.add({ fd, type, base: base & rightsOfType(type), inheriting, ...(type === fileTypes.folder && place) });
  }

  get(number, rights = 0n) {
    const entry = this.#list.get(number);
    if (entry === undefined) fail('EBADF');
    if ((entry.base & rights) !== rights) fail('ENOTCAPABLE');
    return entry;
  }

  close(number) {
    const entry = this.get(number);
    this.#list.delete(number);
    if (!entry.isStream) fs().closeSync(entry.fd); // the streams belong to the WASI object's owner
  }

  renumber(from, to) {
    const entry = this.get(from);
    this.get(to);
    if (from === to) return;
    this.close(to);
    this.#list.delete(from);
    this.#list.set(to, entry);
  }

  closeAll() {
    for (const number of each(Array.from(this.#list.keys()))) this.close(number);
  }

  // The place of `path`, seen from the folder `number`: { root, parts }. Links are followed, the last one where `follows`.
  resolve(number, rights, path, follows) {
    const { type, root, parts: base } = this.get(number, rights);
    if (type !== fileTypes.folder) fail('ENOTDIR');
    if (path === '') fail('ENOENT');
    if (path[0] === '/') fail('ENOTCAPABLE');
    const done = arraySlice.call(base);
    const todo = arrayReverse.call(stringSplit.call(path, '/'));
    const isFolder = todo[0] === '' || todo[0] === '.' || todo[0] === '..';
    for (let links = 0; todo.length > 0; ) {
      const part = arrayPop.call(todo);
      if (part === '' || part === '.') continue;
      if (part === '..') {
        if (done.length === 0) fail('ENOTCAPABLE');
        arrayPop.call(done);
        continue;
      }
      arrayPush.call(done, part);
      if (arrayEvery.call(todo, (rest) => rest === '') && !follows && !isFolder) continue;
      const target = linkAt(hostPath({ root, parts: done }));
      if (target === undefined) continue;
      if (++links > kMostLinks) fail('ELOOP');
      if (target[0] === '/') fail('ENOTCAPABLE');
      arrayPop.call(done);
      for (const next of each(arrayReverse.call(stringSplit.call(target, '/')))) arrayPush.call(todo, next);
    }
    return { root, parts: done, isFolder };
  }
}

// Where a symbolic link points; undefined for everything else, also for what is not there: the call that follows tells.
function linkAt(path) {
  const stats = fs().lstatSync(path, { throwIfNoEntry: false });
  return stats?.isSymbolicLink() ? fs().readlinkSync(path) : undefined;
}

// A path that ends in a slash names a folder: the system call that gets it says so.
function hostPath({ root, parts, isFolder }) {
  const path = parts.length === 0 ? root : `${root === '/' ? '' : root}/${arrayJoin.call(parts, '/')}`;
  return isFolder ? `${path}/` : path;
}

module.exports = { Descriptors, hostPath, typeOf };
