// natives: profiler
//
// The HeapProfiler domain: heap snapshots, sampling of allocations, collecting garbage.

'use strict';

const binding = native('profiler');
const { ProtocolError, optional, required } = require('internal/inspector/protocol_error');
const { scriptUrl } = require('internal/inspector/stack');

const kServerError = -32000;
const kChunk = 100_000;

function takeHeapSnapshot(session, params) {
  const { snapshotPieces } = require('internal/v8/heap_snapshot');
  const pieces = snapshotPieces({ exposeInternals: params.exposeInternals === true });
  if (params.reportProgress === true) session.event('HeapProfiler.reportHeapSnapshotProgress', { done: 1, total: 1, finished: true });
  let pending = '';
  for (const piece of each(pieces)) {
    pending += piece;
    while (pending.length >= kChunk) {
      session.event('HeapProfiler.addHeapSnapshotChunk', { chunk: stringSlice.call(pending, 0, kChunk) });
      pending = stringSlice.call(pending, kChunk);
    }
  }
  if (pending !== '') session.event('HeapProfiler.addHeapSnapshotChunk', { chunk: pending });
}

const kUsualInterval = 32768,
  kUsualDepth = 128;

class SamplingState {
  isRunning = false;

  start(params) {
    const interval = optional(params, 'samplingInterval', 'number') ?? kUsualInterval;
    if (!(interval > 0)) throw new ProtocolError(kServerError, 'Invalid sampling interval');
    if (this.isRunning) return;
    const keepsDead = optional(params, 'includeObjectsCollectedByMajorGC', 'boolean') ?? false;
    const keepsDeadYoung = optional(params, 'includeObjectsCollectedByMinorGC', 'boolean') ?? false;
    const depth = optional(params, 'stackDepth', 'number') ?? kUsualDepth;
    this.isRunning = binding.startHeapProfile(interval, depth, keepsDead, keepsDeadYoung);
    if (!this.isRunning) throw new ProtocolError(kServerError, 'A heap profile runs already');
  }

  read() {
    if (!this.isRunning) throw new ProtocolError(kServerError, 'V8 sampling heap profiler was not started.');
    return withUrls(binding.heapProfile());
  }

  stop() {
    const profile = this.read();
    this.close();
    return profile;
  }

  close() {
    if (this.isRunning) binding.stopHeapProfile();
    this.isRunning = false;
  }
}

const samplingOf = (session) => session.state('HeapProfiler', () => new SamplingState());

// Addresses as the protocol writes them.
function withUrls(text) {
  const profile = JSON.parse(text);
  const todo = [profile.head];
  while (todo.length > 0) {
    const { callFrame, children } = arrayPop.call(todo);
    callFrame.url = scriptUrl(callFrame.url);
    for (const child of each(children)) arrayPush.call(todo, child);
  }
  return profile;
}

const methods = {
  __proto__: null,
  'HeapProfiler.enable': () => {},
  'HeapProfiler.disable': () => {},
  'HeapProfiler.collectGarbage': () => {
    require('internal/process/garbage').collectGarbage();
  },
  'HeapProfiler.takeHeapSnapshot': takeHeapSnapshot,
  'HeapProfiler.startSampling': (session, params) => samplingOf(session).start(params),
  'HeapProfiler.stopSampling': (session) => ({ profile: samplingOf(session).stop() }),
  'HeapProfiler.getSamplingProfile': (session) => ({ profile: samplingOf(session).read() }),
  'HeapProfiler.startTrackingHeapObjects': (session) => {
    session.event('HeapProfiler.lastSeenObjectId', { lastSeenObjectId: 1, timestamp: Date.now() });
    session.event('HeapProfiler.heapStatsUpdate', { statsUpdate: [0, 1, process.memoryUsage().heapUsed] });
  },
  'HeapProfiler.stopTrackingHeapObjects': takeHeapSnapshot,
  'HeapProfiler.getHeapObjectId': (session, params) => {
    session.objects.get(required(params, 'objectId', 'string'));
    throw new ProtocolError(kServerError, 'Objects have no number in snapshots here');
  },
};

module.exports = { methods, withUrls };
