// The process object: what every program looks at first.
const assert = require('node:assert');

assert.strictEqual(process.argv[1], __filename);
assert.ok(process.execPath.startsWith('/'));
assert.strictEqual(process.argv[0], process.execPath);
assert.strictEqual(process.platform, 'linux');
assert.ok(['x64', 'arm64'].includes(process.arch));
assert.ok(process.pid > 1 && process.ppid > 0);
assert.match(process.version, /^v\d+\.\d+\.\d+/);
assert.strictEqual(process.versions.node, process.version.slice(1));
assert.strictEqual(typeof process.cwd(), 'string');

process.env.RONDO_TEST_VARIABLE = 5;
assert.strictEqual(process.env.RONDO_TEST_VARIABLE, '5');
assert.ok('RONDO_TEST_VARIABLE' in process.env);
assert.ok(Object.keys(process.env).includes('RONDO_TEST_VARIABLE'));
delete process.env.RONDO_TEST_VARIABLE;
assert.strictEqual(process.env.RONDO_TEST_VARIABLE, undefined);

const before = process.hrtime.bigint();
const [seconds, nanoseconds] = process.hrtime();
assert.ok(BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds) >= before);
assert.ok(process.hrtime([seconds, nanoseconds])[0] >= 0);
assert.ok(process.uptime() > 0);
for (const key of ['rss', 'heapTotal', 'heapUsed', 'external', 'arrayBuffers'])
  assert.ok(process.memoryUsage()[key] >= 0, key);
assert.ok(process.memoryUsage.rss() > 1_000_000);
assert.strictEqual(Object.prototype.toString.call(process), '[object process]');
