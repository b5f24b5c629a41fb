// node:os: the machine as the kernel tells it.
'use strict';

const assert = require('assert');
const fs = require('fs');
const os = require('os');

assert.strictEqual(os.type(), 'Linux');
assert.strictEqual(os.hostname(), fs.readFileSync('/proc/sys/kernel/hostname', 'utf8').trim());
assert.strictEqual(`${os.hostname}`, os.hostname());
assert.strictEqual(os.release(), fs.readFileSync('/proc/sys/kernel/osrelease', 'utf8').trim());
assert.ok(os.totalmem() >= os.freemem() && os.freemem() > 0);
assert.ok(os.availableParallelism() >= 1);
for (const cpu of os.cpus()) assert.deepStrictEqual(Object.keys(cpu.times), ['user', 'nice', 'sys', 'idle', 'irq']);
assert.strictEqual(os.loadavg().length, 3);
const lo = os.networkInterfaces().lo?.find((entry) => entry.family === 'IPv4');
if (lo) assert.strictEqual(lo.cidr, '127.0.0.1/8');
assert.strictEqual(os.userInfo().uid, process.geteuid());
assert.ok(Buffer.isBuffer(os.userInfo({ encoding: 'buffer' }).username));
assert.strictEqual(os.constants.signals.SIGINT, 2);
assert.strictEqual(os.constants.errno.ENOENT, 2);
os.setPriority(os.getPriority());
assert.throws(() => os.getPriority(-1), { code: 'ERR_SYSTEM_ERROR', name: 'SystemError' });
assert.throws(() => os.setPriority(0, 20), { code: 'ERR_OUT_OF_RANGE' });
assert.strictEqual(os.EOL, '\n');
