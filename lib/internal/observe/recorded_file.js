// natives: none
// Recordings in files, as lines of JSON (docs/trace-format.md): made by rondo trace --json -o FILE, or by rondo::TraceFile in a program in
// C++. rondo see FILE, rondo trace -o run.html FILE and rondo trace --join read them.
'use strict';

const fs = require('internal/fs/fs');
const path = require('internal/path/path');
const { Buffer } = require('internal/buffer/buffer');
const { kKinds, kPhases, kTaskKinds, kHandleKinds, kJobClasses, kRecordBytes } = require('internal/observe/page/records');

// A target of these commands that is no program: nothing but data can be in such a file.
const isRecordingFile = (rest) => rest.length === 1 && regexpTest.call(/\.jsonl?$/, rest[0]);

// The records of a file, one object each.
function linesOf(file, UsageError) {
  let text;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(error.message);
  }
  const isRecord = (record) => record !== null && typeof record === 'object' && typeof record.kind === 'string';
  const lines = [];
  for (const line of each(stringSplit.call(text, '\n'))) {
    if (line === '') continue;
    let record;
    try {
      record = JSON.parse(line);
    } catch {}
    if (!isRecord(record)) throw new UsageError(`${file} is no recording in lines of JSON: make it with rondo trace --json -o ${file}`);
    arrayPush.call(lines, record);
  }
  return lines;
}

// Names that the number `what` of a kind of record counts.
function whatsOf(kind) {
  if (stringStartsWith.call(kind, 'task.') || kind === 'starvation') return kTaskKinds;
  if (stringStartsWith.call(kind, 'job.')) return kJobClasses;
  return kHandleKinds;
}

const indexIn = (list, name) => Math.max(0, arrayIndexOf.call(list, name));

class RuntimeLines {
  constructor(number) {
    this.number = number;
    this.lines = [];
    this.names = {};
    this.numbers = new Map();
    this.lost = 0;
  }

  nameNumber(text) {
    if (text === undefined || text === '') return 0;
    let number = this.numbers.get(text);
    if (number === undefined) {
      this.numbers.set(text, (number = this.numbers.size + 1));
      this.names[number] = text;
    }
    return number;
  }

  // As the ledger keeps them: src/observe/record.h.
  records() {
    const bytes = Buffer.alloc(this.lines.length * kRecordBytes);
    for (let i = 0, at = 0; i < this.lines.length; i++, at += kRecordBytes) {
      const { time, payload, id, cause, name, kind, phase, what, depth } = this.lines[i];
      bytes.writeBigInt64LE(BigInt(Math.trunc(time ?? 0)), at);
      bytes.writeBigInt64LE(BigInt(Math.trunc(payload ?? 0)), at + 8);
      bytes.writeUInt32LE((id ?? 0) >>> 0, at + 16);
      bytes.writeUInt32LE((cause ?? 0) >>> 0, at + 20);
      bytes.writeUInt32LE(this.nameNumber(name), at + 24);
      bytes[at + 28] = arrayIndexOf.call(kKinds, kind);
      bytes[at + 29] = indexIn(kPhases, phase);
      bytes[at + 30] = what === undefined ? 0 : indexIn(whatsOf(kind), what);
      bytes[at + 31] = Math.min(depth ?? 0, 255);
    }
    return bytes;
  }

  recording() {
    const { number, lost, names } = this;
    const records = this.records().toString('base64');
    const next = lost + this.lines.length;
    return { number, label: undefined, offset: 0, from: lost, next, nextName: this.numbers.size + 1, lost, names, records };
  }
}

// Files of the working folder that the names have: a recording of someone else's shows nothing of this machine.
function sourcesOf(runtimes) {
  const { placeOf } = require('internal/observe/page/sentences');
  const files = new Set();
  const folder = process.cwd() + path.sep;
  for (const { names } of each(runtimes)) {
    for (const number of each(Object.keys(names))) {
      const { file } = placeOf(names[number]);
      if (stringStartsWith.call(path.resolve(file), folder)) files.add(file);
    }
  }
  return require('internal/observe/recorder').readSources(files);
}

// As Recorder.recording() gives it.
function recordingOf(file, UsageError) {
  const runtimes = new Map();
  for (const record of each(linesOf(file, UsageError))) {
    const number = record.runtime ?? 0;
    if (!runtimes.has(number)) runtimes.set(number, new RuntimeLines(number));
    const runtime = runtimes.get(number);
    if (record.kind === 'dropped') runtime.lost += record.count ?? 0;
    else if (arrayIncludes.call(kKinds, record.kind)) arrayPush.call(runtime.lines, record);
  }
  if (runtimes.size === 0) throw new UsageError(`${file} is empty`);
  const all = arrayMap.call([...each(runtimes.values())], (runtime) => runtime.recording());
  return { version: 2, script: file, live: false, runtimes: all, heap: [], findings: [], sources: sourcesOf(all) };
}

module.exports = { isRecordingFile, linesOf, recordingOf };
