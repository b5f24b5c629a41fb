// natives: observe
// Records of a watched program and its child processes, as they come over the wire: the newest million of each runtime, with the heap after
// each collection and the doctor's findings. A recording is what the page and the other readers of page/model.js take.
'use strict';

const { kRecordBytes } = native('observe');
const { Watcher } = require('internal/observe/command');
const { Doctor } = require('internal/observe/doctor');
const { placeOf } = require('internal/observe/page/sentences');
const { Buffer } = require('internal/buffer/buffer');
const fs = require('internal/fs/fs');

const kMostRecords = 1 << 20;
const kMostLive = 200_000; // that a page is sent at first
const kMostNames = 1 << 18;
const kMostHeap = 2000;
const kMostFindings = 100;
const kDeflateFrom = 1 << 16; // bytes
const kMostSource = 300_000; // characters of a file; and so much of all, ten times
const kThreshold = 100; // ms, of the doctor

// The text of files, as long as there is room for it.
function readSources(files) {
  const found = {};
  let room = 10 * kMostSource;
  for (const file of each([...each(files)])) {
    if (stringIncludes.call(file, '/node_modules/')) continue;
    const text = readText(file);
    if (text === undefined || text.length > Math.min(kMostSource, room)) continue;
    room -= text.length;
    found[file] = text;
  }
  return found;
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

// The last `count` records of some pieces.
function lastPieces(pieces, count) {
  const list = [];
  for (let i = pieces.length - 1; i >= 0 && count > 0; i--) {
    const records = pieces[i].length / kRecordBytes;
    arrayUnshift.call(list, records <= count ? pieces[i] : pieces[i].subarray((records - count) * kRecordBytes));
    count -= records;
  }
  return list;
}

// One runtime of one process. Names are numbered upwards.
class RuntimeRecords {
  constructor(number, label) {
    this.number = number;
    this.label = label;
    this.offset = 0; // ns from the first process's clock
    this.names = {};
    this.lastName = 0;
    this.pieces = [];
    this.count = 0;
    this.lost = 0;
  }

  addName(number, text) {
    this.names[number] = text;
    this.lastName = Math.max(this.lastName, number);
    delete this.names[number - kMostNames];
  }

  add(records, lost) {
    this.lost += lost;
    arrayPush.call(this.pieces, records);
    this.count += records.length / kRecordBytes;
    while (this.count - this.pieces[0].length / kRecordBytes > kMostRecords) {
      const dropped = arrayShift.call(this.pieces).length / kRecordBytes;
      this.count -= dropped;
      this.lost += dropped;
    }
  }

  // From a record and a name on. Places of records count from the first that ever came. `form`: 'text' for a page that asks, 'file' for one
  // that has them inside, 'bytes' for who reads them here.
  since(next, name, form) {
    const end = this.lost + this.count;
    const from = Math.max(this.lost, Math.min(end, next));
    const bytes = Buffer.concat(lastPieces(this.pieces, end - from));
    const names = {};
    for (let i = Math.max(name, this.lastName - kMostNames); i <= this.lastName; i++) {
      if (this.names[i] !== undefined) names[i] = this.names[i];
    }
    const { number, label, offset } = this;
    const isDeflated = form === 'file' && bytes.length >= kDeflateFrom;
    let data = { bytes };
    if (isDeflated) data = { deflated: require('internal/zlib/zlib').deflateRawSync(bytes, { level: 1 }).toString('base64') };
    else if (form !== 'bytes') data = { records: bytes.toString('base64') };
    return { number, label, offset, from, next: end, nextName: this.lastName + 1, lost: from, names, ...data };
  }
}

class Recorder {
  // options: calls, doctor, first (words of control before the program begins)
  constructor(script, { calls = false, doctor = false, first = [] } = {}) {
    this.script = script;
    this.runtimes = new Map();
    this.processes = new Map(); // peer → { doctor, start, held, releasedAt }
    this.files = new Set();
    this.heap = [];
    this.findings = [];
    this.hasEnded = false;
    const commands = ['records', 'pulse'];
    if (calls) arrayPush.call(commands, 'ask start 0 calls');
    if (doctor) arrayPush.call(commands, 'ask start 0 watchLateness');
    for (let i = 0; i < first.length; i++) arrayPush.call(commands, `control start 0 ${first[i]}`);
    this.hasDoctor = doctor;
    this.watcher = new Watcher(commands);
    this.watcher.onPeer = (peer) => this.addProcess(peer);
    this.watcher.onNames = (peer, bytes) => this.takeNames(peer, bytes);
    this.watcher.onRecords = (peer, bytes) => this.takeRecords(peer, bytes);
    this.watcher.onMessage = (peer, message) => this.take(peer, message);
  }

  addProcess(peer) {
    const options = { threshold: kThreshold, threads: Number(process.env.UV_THREADPOOL_SIZE) || 4, isSparing: true };
    const known = { peer, start: 0, held: new Map(), releasedAt: 0, doctor: undefined };
    if (this.hasDoctor) known.doctor = new Doctor(peer, options, (finding) => this.addFinding(known, finding));
    this.processes.set(peer, known);
  }

  addFinding(known, finding) {
    const time = Math.max(0, (known.now - this.start) * 1e6);
    if (this.findings.length < kMostFindings) arrayPush.call(this.findings, { ...finding, time, pid: known.peer.pid });
  }

  // The first process's runtimes have their own numbers; those of its children are told apart.
  runtime(peer, number) {
    const isFirst = this.watcher.peers[0] === peer;
    const key = isFirst ? number : peer.pid * 1000 + number;
    let known = this.runtimes.get(key);
    if (known === undefined) {
      const label = isFirst ? undefined : `process ${peer.pid}${number === 0 ? '' : `, worker ${number}`}`;
      this.runtimes.set(key, (known = new RuntimeRecords(key, label)));
      known.offset = Math.max(0, ((this.processes.get(peer)?.start ?? 0) - this.start) * 1e6);
      known.peer = peer;
      known.ownNumber = number;
    }
    return known;
  }

  takeNames(peer, bytes) {
    const runtime = this.runtime(peer, bytes.readUInt32LE(0));
    for (let at = 4; at < bytes.length; ) {
      const length = bytes.readUInt16LE(at + 4);
      const text = bytes.utf8Slice(at + 6, at + 6 + length);
      runtime.addName(bytes.readUInt32LE(at), text);
      const { file } = placeOf(text);
      if (file !== '') this.files.add(file);
      at += 6 + length;
    }
  }

  takeRecords(peer, bytes) {
    this.runtime(peer, bytes.readUInt32LE(0)).add(Buffer.from(bytes.subarray(12)), Number(bytes.readBigUInt64LE(4)));
  }

  take(peer, message) {
    const known = this.processes.get(peer);
    if (message.kind === 'records') {
      known.start = message.start;
      this.start ??= message.start;
    } else if (message.kind === 'pulse') {
      this.takePulse(known, message);
    } else if (message.kind === 'held') {
      known.held.set(message.runtime, { reason: message.reason, value: message.value });
    } else if (message.kind === 'going') {
      known.held.delete(message.runtime);
      known.releasedAt = message.now;
      known.doctor?.goesOn();
    } else if (message.kind === 'allocation') {
      known.doctor?.runtime(message.runtime).leaks.takeAllocation(message);
    } else if (message.kind === 'exit') {
      known.doctor?.end(message);
    }
  }

  takePulse(known, pulse) {
    known.now = pulse.now;
    if (this.start === undefined) return;
    if (this.watcher.peers[0] === known.peer && pulse.runtime === 0) this.noteHeap(pulse);
    // Time for which a thread was held is not the program's.
    if (known.held.size > 0 || pulse.now - pulse.busy <= known.releasedAt) return;
    known.doctor?.see(pulse);
  }

  noteHeap({ now, heap, collections, collecting }) {
    const last = this.heap[this.heap.length - 1];
    if (heap === 0 || (last !== undefined && last.collections === collections)) return;
    arrayPush.call(this.heap, { time: Math.max(0, (now - this.start) * 1e6), bytes: heap, collections, collecting });
    if (this.heap.length > kMostHeap) arrayShift.call(this.heap);
  }

  // ---- recordings ----

  #all(one) {
    return arrayMap.call([...each(this.runtimes.values())], one);
  }
  // Records since a page asked last: number → { next, names }.
  since(have) {
    const runtimes = this.#all((one) => {
      const from = have.get(one.number);
      return one.since(from?.next ?? one.lost + one.count - kMostLive, from?.names ?? 0, 'text');
    });
    const held = {};
    const stopped = this.#all((one) => ({ key: one.number, held: this.processes.get(one.peer)?.held.get(one.ownNumber) }));
    for (let i = 0; i < stopped.length; i++) if (stopped[i].held !== undefined) held[stopped[i].key] = stopped[i].held;
    return { runtimes, held, heap: this.heap, findings: this.findings, ended: this.hasEnded };
  }
  live() {
    return { version: 2, script: this.script, live: true, ...this.since(new Map()) };
  }
  recording(form = 'file') {
    const runtimes = this.#all((one) => one.since(0, 0, form));
    const { script, heap, findings } = this;
    return { version: 2, script, live: false, runtimes, heap, findings, sources: form === 'file' ? this.sources() : {} };
  }

  // The program's own files that its names have.
  sources() {
    return readSources(this.files);
  }
  // Only files that the program named are read for a page.
  source(file) {
    return this.files.has(file) ? readText(file) : undefined;
  }
}

module.exports = { Recorder, readSources };
