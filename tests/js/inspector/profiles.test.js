// Heap snapshots by a session, and the collector's log.
'use strict';

const assert = require('node:assert');
const inspector = require('node:inspector');
const v8 = require('node:v8');

const session = new inspector.Session();
session.connect();
const post = (method, params) => {
  let answer;
  session.post(method, params, (error, result) => { answer = error ?? result; });
  return answer;
};

let text = '';
session.on('HeapProfiler.addHeapSnapshotChunk', ({ params: { chunk } }) => { text += chunk; });
post('HeapProfiler.takeHeapSnapshot');
const { snapshot, nodes } = JSON.parse(text);
assert.strictEqual(nodes.length, snapshot.node_count * snapshot.meta.node_fields.length);

const collector = new v8.GCProfiler();
assert.strictEqual(collector.stop(), undefined);
collector.start();
post('HeapProfiler.collectGarbage');
const { version, statistics } = collector.stop();
assert.strictEqual(version, 1);
assert(statistics.some(({ gcType, cost, beforeGC }) => gcType === 'MarkSweepCompact' && cost > 0 && beforeGC.heapStatistics.usedHeapSize > 0));
session.disconnect();
