// natives: none
//
// The HeapProfiler domain: heap snapshots, collecting garbage. The engine tells of no allocations, so there is no sampling of them.

'use strict';

const { ProtocolError, required } = require('internal/inspector/protocol_error');

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

function noSampling() {
  throw new ProtocolError(kServerError, 'Allocations cannot be sampled by this engine');
}

const methods = {
  __proto__: null,
  'HeapProfiler.enable': () => {},
  'HeapProfiler.disable': () => {},
  'HeapProfiler.collectGarbage': () => {
    require('internal/process/garbage').collectGarbage();
  },
  'HeapProfiler.takeHeapSnapshot': takeHeapSnapshot,
  'HeapProfiler.startSampling': noSampling,
  'HeapProfiler.stopSampling': noSampling,
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

module.exports = { methods };
