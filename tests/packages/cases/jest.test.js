// jest 29 from its command line: suites in contexts of their own, in worker processes and in worker threads, with mocks, fake timers
// and snapshots.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');

const bin = path.join(__dirname, '../node_modules/jest/bin/jest.js');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'jest-'));
const suite = (name, failing) => `
  const { add } = require('./add');
  jest.mock('./net', () => ({ get: jest.fn(async () => '${name}') }));
  jest.useFakeTimers();
  test('adds', () => { expect(add(1, 2)).toBe(3); });
  test('mocks', async () => { expect(await require('./net').get()).toEqual('${name}'); });
  test('times', () => {
    const fn = jest.fn();
    setTimeout(fn, 1e6);
    jest.runAllTimers();
    expect(fn).toHaveBeenCalledTimes(1);
  });
  test('keeps', () => { expect({ name: '${name}', list: [1, new Map([[1, 2]])] }).toMatchSnapshot(); });
  ${failing ? "test('fails', () => { expect([1, 2]).toEqual([1, 3]); });" : ''}
`;
try {
  fs.writeFileSync(path.join(folder, 'package.json'), '{"jest":{"testEnvironment":"node","transform":{},"watchman":false}}');
  fs.writeFileSync(path.join(folder, 'add.js'), 'exports.add = (a, b) => a + b;');
  fs.writeFileSync(path.join(folder, 'net.js'), 'throw new Error("not mocked");');
  for (const name of ['one', 'two']) fs.writeFileSync(path.join(folder, `${name}.test.js`), suite(name, name === 'two'));
  for (const threads of [[], ['--workerThreads']]) {
    const run = spawnSync(process.execPath, [bin, '--json', '-w', '2', '--no-cache', ...threads], { encoding: 'utf8', cwd: folder });
    assert.strictEqual(run.status, 1, run.stderr);
    const { numPassedTests, numFailedTests, numTotalTestSuites, snapshot, testResults } = JSON.parse(run.stdout);
    assert.deepStrictEqual([numPassedTests, numFailedTests, numTotalTestSuites], [8, 1, 2], run.stderr);
    assert.strictEqual(threads.length ? snapshot.matched : snapshot.added, 2);
    assert.match(testResults.find(({ status }) => status === 'failed').message, /-\s+3,\n.*\+\s+2,/);
  }
} finally {
  fs.rmSync(folder, { recursive: true });
}
