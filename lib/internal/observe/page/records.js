// natives: none
// Records of a recording (docs/trace-format.md) in columns: a recording may have a million of them. Runs in a browser, and in the commands
// that read recordings: here no program replaces the language's methods, so files of this folder use them as they are.
'use strict';

const kKinds = [
  'start',
  'iteration',
  'phase.begin',
  'phase.end',
  'wait.begin',
  'wait.end',
  'poll.budget',
  'callback.begin',
  'callback.end',
  'handle.start',
  'handle.stop',
  'handle.close',
  'task.queued',
  'task.begin',
  'task.end',
  'job.queued',
  'job.begin',
  'job.end',
  'exit',
  'starvation',
  'task.cancelled',
  'task.named',
  'output',
  'place',
  'turn',
];
const kPhases = ['update time', 'timers', 'pending', 'idle', 'prepare', 'poll', 'check', 'closing'];
const kPageKinds = ['dom', 'interaction', 'networking', 'history', 'message', 'scheduler', 'database'];
const kTaskKinds = ['script', 'tick', 'microtask', 'timer', 'immediate', 'io', 'event', 'rendering', 'idle', 'call', ...kPageKinds];
const kJobClasses = ['fs', 'dns', 'crypto', 'user'];
const kHandleKinds = [
  'none',
  'timer',
  'check',
  'prepare',
  'idle',
  'async',
  'post',
  'deferred',
  'operation',
  'tcp',
  'tcp server',
  'pipe',
  'pipe server',
  'tty',
  'udp',
  'file',
  'directory',
  'file watch',
  'file poll',
  'signal',
  'process',
  'pool job',
  'dns',
  'poll',
  'closing',
  'user',
];

const kRecordBytes = 32;
const kWords = kRecordBytes / 4;

// Numbers of kinds by name: kind.taskBegin for 'task.begin'.
const kind = {};
kKinds.forEach((name, i) => {
  kind[name.replace(/\.(.)/, (_, letter) => letter.toUpperCase())] = i;
});

function decodeBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// Records come in the order of their times, but for those of pool jobs, which come when the loop hears of them.
function sortedOrder(count, timeOf, kindOf) {
  const jobs = [];
  const order = new Uint32Array(count);
  let rest = 0;
  let last = -Infinity;
  let isSorted = true;
  for (let i = 0; i < count; i++) {
    const isJob = kindOf(i) === kind.jobBegin || kindOf(i) === kind.jobEnd;
    if (isJob) {
      jobs.push(i);
      continue;
    }
    const time = timeOf(i);
    if (time < last) isSorted = false;
    last = time;
    order[rest++] = i;
  }
  const byTime = (a, b) => timeOf(a) - timeOf(b) || a - b;
  jobs.sort(byTime);
  if (!isSorted) order.subarray(0, rest).sort(byTime);
  // Merged from the end, so that there is room.
  for (let to = count - 1, a = rest - 1, b = jobs.length - 1; b >= 0; to--) {
    order[to] = a >= 0 && byTime(order[a], jobs[b]) > 0 ? order[a--] : jobs[b--];
  }
  return order;
}

class Records {
  // `bytes` of one runtime; `names` by number; `offset` of its times from those of the recording's first process
  constructor(bytes, names, offset = 0) {
    const whole = bytes.byteLength - (bytes.byteLength % kRecordBytes);
    const isAligned = bytes.byteOffset % 4 === 0;
    const data = isAligned ? bytes.subarray(0, whole) : bytes.slice(0, whole);
    this.bytes = data;
    this.names = names;
    this.words = new Uint32Array(data.buffer, data.byteOffset, whole / 4);
    this.signed = new Int32Array(data.buffer, data.byteOffset, whole / 4);
    this.count = whole / kRecordBytes;
    this.order = sortedOrder(
      this.count,
      (i) => this.wide(i * kWords),
      (i) => data[i * kRecordBytes + 28],
    );
    this.times = new Float64Array(this.count);
    for (let i = 0; i < this.count; i++) this.times[i] = this.wide(this.order[i] * kWords) + offset;
  }

  // Whether there is one of a kind.
  has(number) {
    for (let i = 28; i < this.bytes.length; i += kRecordBytes) if (this.bytes[i] === number) return true;
    return false;
  }
  wide(word) {
    return this.signed[word + 1] * 4294967296 + this.words[word];
  }
  kindAt(i) {
    return this.bytes[this.order[i] * kRecordBytes + 28];
  }
  phaseAt(i) {
    return kPhases[this.bytes[this.order[i] * kRecordBytes + 29]];
  }
  whatAt(i) {
    return this.bytes[this.order[i] * kRecordBytes + 30];
  }
  depthAt(i) {
    return this.bytes[this.order[i] * kRecordBytes + 31];
  }
  payloadAt(i) {
    return this.wide(this.order[i] * kWords + 2);
  }
  idAt(i) {
    return this.words[this.order[i] * kWords + 4];
  }
  causeAt(i) {
    return this.words[this.order[i] * kWords + 5];
  }
  nameAt(i) {
    return this.names[this.words[this.order[i] * kWords + 6]] ?? '';
  }
  at(i) {
    return {
      time: this.times[i],
      payload: this.payloadAt(i),
      id: this.idAt(i),
      cause: this.causeAt(i),
      name: this.nameAt(i),
      kind: kKinds[this.kindAt(i)],
      phase: this.phaseAt(i),
      what: this.whatAt(i),
      depth: this.depthAt(i),
    };
  }
}

module.exports = { Records, kind, decodeBase64, kKinds, kPhases, kTaskKinds, kHandleKinds, kJobClasses, kRecordBytes };
