// natives: profiler, stdio
// --cpu-prof: a CPU profile of the whole run of a thread, written when it ends.
'use strict';

const binding = native('profiler');

const kUsualInterval = 1000; // in microseconds
const kAllSamples = 2 ** 32 - 1;
let sequence = 0;

const threadId = () => requireLater('internal/worker/worker_threads').threadId;

// CPU.{date}.{time}.{pid}.{thread}.{number}.cpuprofile
function defaultName(kind, extension) {
  const now = new Date();
  const digits = (value, length = 2) => stringPadStart.call(`${value}`, length, '0');
  const date = digits(dateGetFullYear.call(now), 4) + digits(dateGetMonth.call(now) + 1) + digits(dateGetDate.call(now));
  const time = digits(dateGetHours.call(now)) + digits(dateGetMinutes.call(now)) + digits(dateGetSeconds.call(now));
  return `${kind}.${date}.${time}.${process.pid}.${threadId()}.${digits(sequence++, 3)}.${extension}`;
}

// Node's names for parts of a name.
function expandName(name) {
  const replaced = stringReplaceAll.call(name, '${pid}', () => `${process.pid}`);
  return stringReplaceAll.call(replaced, '${thread_id}', () => `${threadId()}`);
}

// Where --NAME-dir and --NAME-name say that a profile goes; folders are those of the start.
function placeOf(get, option, kind, extension) {
  const path = require('internal/path/path');
  const folder = path.resolve(get(`${option}-dir`) || get('--diagnostic-dir') || '.');
  const name = get(`${option}-name`);
  return () => path.join(folder, name ? expandName(name) : defaultName(kind, extension));
}

function start(get) {
  const place = placeOf(get, '--cpu-prof', 'CPU', 'cpuprofile');
  const number = binding.startCpuProfile(Number(get('--cpu-prof-interval') || kUsualInterval), kAllSamples);
  require('internal/process/before_end').add(() => {
    const text = binding.stopCpuProfile(number);
    if (text !== undefined) write(place(), () => requireLater('internal/inspector/profiler_domain').withUrls(text));
  });
}

function write(path, make) {
  const fs = require('internal/fs/fs');
  try {
    fs.mkdirSync(require('internal/path/path').dirname(path), { recursive: true });
    fs.writeFileSync(path, JSON.stringify(make()));
  } catch (error) {
    native('stdio').writeText(2, `${process.execPath}: Failed to write the profile: ${error.message}\n`);
  }
}

module.exports = { placeOf, start, write };
