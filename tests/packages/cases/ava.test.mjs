// ava: each test file in a worker thread (its default) and in a process, its report read from TAP.
import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../node_modules/ava/entrypoints/cli.mjs', import.meta.url));
for (const kind of [[], ['--no-worker-threads']]) {
  const run = spawnSync(process.execPath, [bin, '--tap', ...kind, 'fixtures/ava_suite.mjs'], {
    encoding: 'utf8', cwd: fileURLToPath(new URL('.', import.meta.url)), env: { ...process.env, AVA_FORCE_CI: 'not-ci' },
  });
  assert.strictEqual(run.status, 1, run.stderr + run.stdout);
  assert.match(run.stdout, /^ok \d+ - adds$/m);
  assert.match(run.stdout, /^ok \d+ - waits$/m);
  assert.match(run.stdout, /^not ok \d+ - fails$/m);
  assert.match(run.stdout, /# pass 2\n# fail 1/);
}
