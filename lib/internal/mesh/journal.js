// natives: structured_clone, zlib
// The file of an embedded mesh: a line of records, each with its length and a checksum, in the wire form of structured clones. Records are
// written in groups, and one that was appended is on the disk (fdatasync) when its promise resolves. After a crash the records up to the
// first damaged one count. When most of the file is about things that are gone it is written anew.
'use strict';

const { decode, encode } = native('structured_clone');
const { Buffer } = require('internal/buffer/buffer');
const { MeshError } = require('internal/mesh/errors');
const { crc32 } = native('zlib');
const fs = require('internal/fs/fs');

const kMagic = 'rondo mesh 1\n';
const kRewriteFrom = 16 << 20; // bytes of the file
const kMostRecord = 1 << 30;

function storageError(path, error) {
  return new MeshError('ERR_MESH_STORAGE', `The journal '${path}' cannot be used: ${error.message}`, { cause: error });
}

// Calls a function of node:fs that takes a callback.
function asked(run) {
  return new Promise((resolve, reject) => run((error, value) => (error ? reject(error) : resolve(value))));
}

function framed(record) {
  const bytes = encode(record);
  const frame = Buffer.allocUnsafeSlow(bytes.length + 8);
  frame.writeUInt32LE(bytes.length, 0);
  frame.writeUInt32LE(crc32(bytes, 0), 4);
  bytesSet.call(frame, bytes, 8);
  return frame;
}

class Journal {
  #fd;
  #size = 0;
  #liveSize = 0; // of the file when it was written anew last
  #waiting = []; // frames
  #settlers = [];
  #isWriting = false;
  #isLoading = true;
  #snapshot;
  #error;

  constructor(path) {
    this.path = path;
  }

  // replay(record) for each; snapshot() iterates over the records that say everything.
  async open(replay, snapshot) {
    this.#snapshot = snapshot;
    try {
      this.#lock();
      this.#read(replay);
    } catch (error) {
      throw error instanceof MeshError ? error : storageError(this.path, error);
    }
    this.#isLoading = false;
  }

  // One process at a time: a second one would write between the records of the first.
  #lock() {
    const lockPath = `${this.path}.lock`;
    for (let i = 0; i < 2; i++) {
      try {
        fs.writeFileSync(lockPath, `${process.pid}`, { flag: 'wx' });
        process.once('exit', () => {
          try {
            fs.unlinkSync(lockPath);
          } catch {}
        });
        return;
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
      const holder = Number(fs.readFileSync(lockPath, 'latin1'));
      if (holder > 0 && holder !== process.pid && isAlive(holder)) {
        throw new MeshError('ERR_MESH_STORAGE', `The journal '${this.path}' is in use by process ${holder}`);
      }
      fs.unlinkSync(lockPath);
    }
    throw new MeshError('ERR_MESH_STORAGE', `The journal '${this.path}' is in use`);
  }

  #read(replay) {
    this.#fd = fs.openSync(this.path, 'a+');
    const content = fs.readFileSync(this.path);
    if (content.length === 0) {
      fs.writeSync(this.#fd, kMagic);
      this.#size = kMagic.length;
      return;
    }
    if (content.latin1Slice(0, kMagic.length) !== kMagic) throw new Error('it is a file of another kind');
    let at = kMagic.length;
    while (content.length - at >= 8) {
      const size = content.readUInt32LE(at);
      if (size > kMostRecord || size > content.length - at - 8) break;
      const bytes = content.subarray(at + 8, at + 8 + size);
      if (crc32(bytes, 0) !== content.readUInt32LE(at + 4)) break;
      replay(decode(bytes, 0, bytes.length));
      at += 8 + size;
    }
    // A record that was not complete was never confirmed.
    if (at < content.length) fs.ftruncateSync(this.#fd, at);
    this.#size = this.#liveSize = at;
  }

  // A promise, for what must be on the disk before it is confirmed.
  append(record) {
    if (this.#isLoading) return undefined;
    if (this.#error !== undefined) return Promise.reject(this.#error);
    arrayPush.call(this.#waiting, framed(record));
    const written = new Promise((resolve, reject) => arrayPush.call(this.#settlers, { resolve, reject }));
    promiseThen(written, undefined, () => {}); // acknowledgements are not awaited
    if (!this.#isWriting) {
      this.#isWriting = true;
      process.nextTick(() => this.#write());
    }
    return written;
  }

  async #write() {
    while (this.#waiting.length > 0) {
      const settlers = this.#settlers;
      const group = Buffer.concat(this.#waiting);
      this.#waiting = [];
      this.#settlers = [];
      try {
        for (let at = 0; at < group.length; ) at += await asked((done) => fs.write(this.#fd, group, at, group.length - at, null, done));
        await asked((done) => fs.fdatasync(this.#fd, done));
        this.#size += group.length;
      } catch (error) {
        this.#fail(error, settlers);
        continue;
      }
      for (const { resolve } of each(settlers)) resolve();
      if (this.#size > kRewriteFrom && this.#size > this.#liveSize * 4) await this.#rewrite();
    }
    this.#isWriting = false;
  }

  // The disk is full, or gone: the part of a record that was written is taken back, and those who wait are told. The next may succeed.
  #fail(error, settlers) {
    const problem = storageError(this.path, error);
    try {
      fs.ftruncateSync(this.#fd, this.#size);
    } catch {
      this.#error = problem;
    }
    for (const { reject } of each(settlers)) reject(problem);
  }

  // Into a new file, which takes the old one's place when it is complete. Nothing is appended meanwhile: #write waits.
  async #rewrite() {
    const path = `${this.path}.new`;
    try {
      const fd = fs.openSync(path, 'w');
      let size = 0;
      let chunks = [Buffer.from(kMagic, 'latin1')];
      const records = [...each(this.#snapshot())]; // one moment; bytes are shared with the queues
      // Records that wait are in the snapshot already.
      const settlers = this.#settlers;
      this.#waiting = [];
      this.#settlers = [];
      for (let i = 0; i <= records.length; i++) {
        if (i < records.length) arrayPush.call(chunks, framed(records[i]));
        if (i < records.length && chunks.length < 1000) continue;
        const group = Buffer.concat(chunks);
        chunks = [];
        for (let at = 0; at < group.length; ) at += await asked((done) => fs.write(fd, group, at, group.length - at, null, done));
        size += group.length;
      }
      await asked((done) => fs.fsync(fd, done));
      fs.renameSync(path, this.path);
      fs.closeSync(this.#fd);
      this.#fd = fd;
      this.#size = this.#liveSize = size;
      for (const { resolve } of each(settlers)) resolve();
    } catch (error) {
      this.#error = storageError(this.path, error);
    }
  }

  async close() {
    while (this.#isWriting) await new Promise((resolve) => setImmediate(resolve));
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

module.exports = { Journal };
