// natives: worker
// State of a worker's thread about itself and its owner. In other threads: nothing.
'use strict';

const { isWorker, takePublic } = native('worker');

let line; // to the owner
let streams;
let parentPort;

// The standard streams of this worker; none without a line to its owner.
function makeStreams() {
  if (streams !== undefined || line === undefined) return streams;
  const { ReadableWorkerStdio, WritableWorkerStdio } = require('internal/worker/stdio');
  streams = {
    stdin: new ReadableWorkerStdio(line, 'stdin', true),
    stdout: new WritableWorkerStdio(line, 'stdout'),
    stderr: new WritableWorkerStdio(line, 'stderr'),
  };
  if (!state.hasStdin) streams.stdin.push(null);
  return streams;
}

const state = (module.exports = {
  isWorker,
  hasStdin: false,
  workerData: null,
  attach(control) {
    line = new (require('internal/worker/control_line').ControlLine)(control);
  },
  get parentPort() {
    if (!isWorker) return null;
    return (parentPort ??= require('internal/messaging/message_channel').portOf(takePublic()));
  },
  // The main thread is to take the events of its inspector.
  wakeInspector() {
    line?.send({ type: 'inspector' });
  },
  streams: makeStreams,
  flush() {
    streams?.stdout.handOver();
    streams?.stderr.handOver();
  },
});
