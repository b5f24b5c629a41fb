// execa: children with promises, pipes, lines, errors, time limits, input and messages.
import assert from 'node:assert';
import { execa, execaNode, execaSync, $ } from 'execa';

const node = process.execPath;
const { stdout, exitCode } = await execa(node, ['-p', '6*7']);
assert.deepStrictEqual([stdout, exitCode], ['42', 0]);
assert.strictEqual(execaSync(node, ['-p', '"sync"']).stdout, 'sync');
const failure = await execa(node, ['-e', 'console.error("why"); process.exit(3)']).catch((error) => error);
assert.deepStrictEqual([failure.exitCode, failure.stderr, failure.failed], [3, 'why', true]);
await assert.rejects(execa(node, ['-e', 'setInterval(() => {}, 1000)'], { timeout: 100 }), { timedOut: true });
await assert.rejects(execa('no-such-program-here'), { code: 'ENOENT' });
const upper = "process.stdin.on('data', (d) => process.stdout.write(String(d).toUpperCase()))";
assert.strictEqual((await execa(node, ['-e', upper], { input: 'abc' })).stdout, 'ABC');
assert.strictEqual((await execa(node, ['-e', 'console.log("piped")']).pipe(node, ['-e', upper])).stdout, 'PIPED');
const lines = [];
for await (const line of execa(node, ['-e', 'console.log("a\\nb")'])) lines.push(line);
assert.deepStrictEqual(lines, ['a', 'b']);
assert.strictEqual((await $`${node} -p ${'1 + 1'}`).stdout, '2');
const echo = new URL('fixtures/echo_messages.js', import.meta.url);
const child = execaNode(echo, { ipc: true });
await child.sendMessage({ n: 1 });
assert.deepStrictEqual(await child.getOneMessage(), { n: 2 });
await child;
