// jest with ES modules (--experimental-vm-modules): static and dynamic import, unstable_mockModule, import.meta, a JSON module, top-level await.
'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const bin = path.join(__dirname, '../node_modules/jest/bin/jest.js');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'jest-esm-'));
const files = {
  'package.json': '{"type":"module","jest":{"testEnvironment":"node","transform":{},"watchman":false}}',
  'add.js': 'export const add = (a, b) => a + b; export default import.meta.url;',
  'old.cjs': 'exports.old = true;',
  'net.js': 'throw new Error("not mocked");',
  'late.js': 'export const late = await Promise.resolve(7);',
  'suite.test.js': `
    import { jest } from '@jest/globals';
    import url, { add } from './add.js';
    import old from './old.cjs';
    import fs, { readFileSync } from 'node:fs';
    jest.unstable_mockModule('./net.js', () => ({ get: jest.fn(() => 'mocked') }));
    const { get } = await import('./net.js');
    test('imports', async () => {
      expect(add(1, 2)).toBe(3);
      expect(url).toMatch(/^file:.*add\\.js$/);
      expect(old.old).toBe(true);
      expect(fs.readFileSync).toBe(readFileSync);
      expect((await import('./late.js')).late).toBe(7);
      expect(await import('./add.js')).toBe(await import('./add.js'));
      await expect(import('./missing.js')).rejects.toThrow(/missing/);
    });
    test('mocks', () => {
      expect(get()).toBe('mocked');
      expect(get).toHaveBeenCalledTimes(1);
    });
    test('has its own globals', () => { expect(import.meta.filename ?? import.meta.url).toMatch(/suite\\.test\\.js$/); });
  `,
};
try {
  for (const name of Object.keys(files)) fs.writeFileSync(path.join(folder, name), files[name]);
  const run = spawnSync(process.execPath, ['--experimental-vm-modules', bin, '--json', '-i', '--no-cache'], { encoding: 'utf8', cwd: folder });
  assert.strictEqual(run.status, 0, run.stderr);
  const { numPassedTests, numFailedTests } = JSON.parse(run.stdout);
  assert.deepStrictEqual([numPassedTests, numFailedTests], [3, 0], run.stderr);
} finally {
  fs.rmSync(folder, { recursive: true });
}
