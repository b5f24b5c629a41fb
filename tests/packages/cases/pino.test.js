// pino: lines in this thread, and through its worker transport, which shares memory with this thread and is waited for at the end.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pino-'));
const destination = path.join(folder, 'log');
const script = `
  const pino = require('pino');
  const direct = pino({ base: { app: 'x' }, redact: ['secret'] }, pino.destination({ dest: 1, sync: true }));
  direct.child({ part: 'p' }).warn({ secret: 1, err: new RangeError('far') }, 'hello %s', 'you');
  const log = pino(pino.transport({ target: 'pino/file', options: { destination: ${JSON.stringify(destination)} } }));
  for (let i = 0; i < 2000; i++) log.info({ i }, 'line');
`;
try {
  const run = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', cwd: __dirname });
  assert.strictEqual(run.status, 0, run.stderr);
  const { level, app, part, secret, err, msg } = JSON.parse(run.stdout);
  assert.deepStrictEqual([level, app, part, secret, err.type, err.message, msg], [40, 'x', 'p', '[Redacted]', 'RangeError', 'far', 'hello you']);
  const lines = fs.readFileSync(destination, 'utf8').trim().split('\n').map((line) => JSON.parse(line).i);
  assert.deepStrictEqual(lines, Array.from({ length: 2000 }, (_, i) => i));
} finally {
  fs.rmSync(folder, { recursive: true });
}
