// PerformanceObservers of 'http2' hear of each stream and session when it ends, with its counters.
'use strict';
const assert = require('node:assert');
const http2 = require('node:http2');
const { PerformanceObserver } = require('node:perf_hooks');

const entries = [];
const observer = new PerformanceObserver((list) => {
  entries.push(...list.getEntries());
  if (entries.length === 4) finish();
});
observer.observe({ type: 'http2' });

const server = http2.createServer();
server.on('stream', (stream) => {
  stream.respond({ ':status': 200 });
  stream.end('twelve bytes');
});
server.listen(0, '127.0.0.1', () => {
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  client.ping(() => {
    const request = client.request({ ':method': 'POST' });
    request.end('four');
    request.resume();
    request.on('close', () => {
      client.close();
      server.close();
    });
  });
});

function finish() {
  observer.disconnect();
  const of = (name) => entries.filter((entry) => entry.name === name);
  for (const entry of entries) {
    assert.strictEqual(entry.entryType, 'http2');
    assert.ok(entry.duration > 0 && entry.startTime > 0);
  }
  const streams = of('Http2Stream').map(({ detail }) => detail);
  assert.deepStrictEqual(streams.map(({ id }) => id), [1, 1]);
  assert.deepStrictEqual(streams.map(({ bytesRead, bytesWritten }) => `${bytesRead} ${bytesWritten}`).sort(), ['12 4', '4 12']);
  assert.ok(streams.some(({ timeToFirstHeader }) => timeToFirstHeader > 0));
  assert.ok(streams.every(({ timeToFirstByteSent }) => timeToFirstByteSent > 0));
  const sessions = of('Http2Session').map(({ detail }) => detail);
  assert.deepStrictEqual(sessions.map(({ type }) => type).sort(), ['client', 'server']);
  for (const { streamCount, maxConcurrentStreams, framesReceived, framesSent, bytesRead, bytesWritten } of sessions) {
    assert.deepStrictEqual([streamCount, maxConcurrentStreams], [1, 1]);
    assert.ok(framesReceived >= 4 && framesSent >= 4 && bytesRead > 50 && bytesWritten > 50);
  }
  assert.ok(sessions.every(({ pingRTT }) => typeof pingRTT === 'number'));
}
process.on('exit', () => assert.strictEqual(entries.length, 4));
