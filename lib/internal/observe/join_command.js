// natives: none
// rondo trace --join a.json b.json …: recordings of several processes (rondo trace --json -o a.json app.js) as one report. Each process
// that uses rondo:mesh has a record `mesh peer TAG, TIME ms`, which says whose tasks they are and when that was; a message's task is
// called `mesh message ← TAG #TASK`. Clocks of machines may differ: an arrow that would go back in time is shown as it is.
'use strict';

const kPeer = /^mesh peer ([0-9a-f]{8}), (\d+) ms$/;
const kMessage = /^mesh message ← ([0-9a-f]{8}) #(\d+)$/;
const kMostRows = 1000;
const kNameColumns = 90;

// { label, tasks: Map('runtime id' -> task), peers: [{ tag, runtime }], offset } of one file
function readRecording(path, UsageError) {
  const recording = { label: require('internal/path/path').basename(path), tasks: new Map(), peers: [], offset: undefined };
  const { linesOf } = require('internal/observe/recorded_file');
  for (const record of each(linesOf(path, UsageError))) note(recording, record);
  if (recording.peers.length === 0) throw new UsageError(`${path} has no record of rondo:mesh: the program did not use it`);
  return recording;
}

function note(recording, { kind, runtime, id, cause, time, what, name }) {
  if (kind !== 'task.queued' && kind !== 'task.begin' && kind !== 'task.end' && kind !== 'task.named') return;
  const key = `${runtime} ${id}`;
  let task = recording.tasks.get(key);
  if (task === undefined)
    recording.tasks.set(key, (task = { recording, runtime, id, cause: 0, name: '', what, begin: undefined, end: undefined }));
  if (name !== undefined) task.name = name;
  if (kind === 'task.queued') task.cause = cause;
  if (kind === 'task.begin') task.begin = time;
  if (kind === 'task.end') task.end = time;
  const peer = kind === 'task.queued' && name !== undefined ? regexpExec.call(kPeer, name) : null;
  if (peer === null) return;
  arrayPush.call(recording.peers, { tag: peer[1], runtime });
  recording.offset ??= Number(peer[2]) * 1e6 - time;
}

const ms = (ns) => stringPadStart.call(numberToFixed.call(ns / 1e6, 3), 10);

function placeOf(task) {
  return `${task.recording.label}${task.runtime === 0 ? '' : `/${task.runtime}`} #${task.id}`;
}

function join(recordings) {
  const byTag = new Map();
  const tasks = [];
  for (const recording of each(recordings)) {
    for (const { tag, runtime } of each(recording.peers)) byTag.set(tag, { recording, runtime });
    for (const task of each(recording.tasks.values())) if (task.begin !== undefined) arrayPush.call(tasks, task);
  }
  let messages = 0,
    across = 0,
    unknown = 0;
  for (const task of each(tasks)) {
    const found = regexpExec.call(kMessage, task.name);
    if (found === null) continue;
    messages++;
    const sender = byTag.get(found[1]);
    task.sender = sender?.recording.tasks.get(`${sender.runtime} ${found[2]}`);
    if (sender === undefined) unknown++;
    else if (sender.recording !== task.recording) across++;
    task.senderText = sender === undefined ? `← ${found[1]}, of no recording here` : `← ${sender.recording.label} #${found[2]}`;
  }
  arraySort.call(tasks, (a, b) => a.begin + a.recording.offset - (b.begin + b.recording.offset));
  return { tasks, messages, across, unknown };
}

// Steps of the library between two tasks of the program; --all shows them.
function isOfLibrary({ name }) {
  return stringIncludes.call(name, 'node:internal/') || stringStartsWith.call(name, 'promise reaction');
}

function textOf(recordings, hasAll) {
  const { tasks, messages, across, unknown } = join(recordings);
  const counts = `${recordings.length} processes, ${tasks.length} tasks, ${messages} messages`;
  const lines = [`${counts}: ${across} from another process, ${unknown} of unknown senders`];
  const first = tasks.length > 0 ? tasks[0].begin + tasks[0].recording.offset : 0;
  arrayPush.call(lines, '     at ms     ran ms  task, its cause and name');
  const shown = arrayFilter.call(tasks, (task) => (hasAll || !isOfLibrary(task)) && !regexpTest.call(kPeer, task.name));
  for (const task of each(arraySlice.call(shown, -kMostRows))) {
    const at = ms(task.begin + task.recording.offset - first);
    const ran = task.end === undefined ? '          ' : ms(task.end - task.begin);
    const cause = task.senderText === undefined ? `by #${task.cause}` : task.senderText;
    const sender = task.sender === undefined ? '' : `, sent in ${task.sender.name || 'the main script'}`;
    const name = task.senderText === undefined ? task.name : `mesh message${sender}`;
    arrayPush.call(lines, `${at} ${ran}  ${placeOf(task)} ${cause}  ${stringSlice.call(name, 0, kNameColumns)}`);
  }
  return arrayJoin.call(lines, '\n');
}

async function run(args) {
  const { UsageError } = require('internal/observe/command');
  const files = arrayFilter.call(args, (arg) => !stringStartsWith.call(arg, '-'));
  if (files.length < 2) throw new UsageError('--join wants the recordings of two or more processes');
  const recordings = arrayMap.call(files, (path) => readRecording(path, UsageError));
  process.stdout.write(`${textOf(recordings, arrayIncludes.call(args, '--all'))}\n`);
  return 0;
}

module.exports = { run };
