// prom-client: counters, histograms and the default metrics, which read process, v8 and perf_hooks.
import assert from 'node:assert';
import http from 'node:http';
import client from 'prom-client';

const registry = new client.Registry();
client.collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 5 });
const requests = new client.Counter({ name: 'requests_total', help: 'requests', labelNames: ['code'], registers: [registry] });
const times = new client.Histogram({ name: 'seconds', help: 'seconds', buckets: [0.1, 1], registers: [registry] });

const server = http.createServer(async (request, response) => {
  const done = times.startTimer();
  requests.inc({ code: 200 });
  response.setHeader('content-type', registry.contentType);
  done();
  response.end(await registry.metrics());
}).listen(0, '127.0.0.1');
await new Promise((resolve) => { server.on('listening', resolve); });
let text;
for (let i = 0; i < 2; i++) text = await (await fetch(`http://127.0.0.1:${server.address().port}/`)).text();
server.closeAllConnections();
server.close();

assert.match(text, /^requests_total\{code="200"\} 2$/m);
assert.match(text, /^seconds_bucket\{le="1"\} 2$/m);
const names = new Set(text.match(/^# TYPE \S+/gm).map((line) => line.slice(7)));
for (const name of ['process_cpu_user_seconds_total', 'process_resident_memory_bytes', 'process_open_fds', 'nodejs_eventloop_lag_seconds', 'nodejs_eventloop_lag_p99_seconds', 'nodejs_active_resources',
  'nodejs_active_handles_total', 'nodejs_heap_size_used_bytes', 'nodejs_heap_space_size_used_bytes', 'nodejs_version_info', 'nodejs_gc_duration_seconds']) assert.ok(names.has(name), name);
for (const [, value] of text.matchAll(/^[a-z_]+(?:\{.*\})? (\S+)$/gm)) assert.ok(!Number.isNaN(Number(value)), value);
client.register.clear();
process.exit(0); // its own timers go on
