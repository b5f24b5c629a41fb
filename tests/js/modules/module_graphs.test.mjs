// The order in which 250 random graphs of modules are evaluated, and what import() of each of their modules says afterwards, is the
// one Node 26 has. With `-g` as argument the orders are written anew, by the runtime that runs this file.
import assert from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runGraph } from './fixtures/module_graphs.mjs';

const recorded = path.join(import.meta.dirname, 'fixtures/module_graphs.node.txt');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-graphs-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));

const orders = [];
for (let seed = 1; seed <= 250; seed++) orders.push(`${seed}: ${await runGraph(seed, path.join(folder, String(seed)))}`);
if (process.argv[2] === '-g') {
  fs.writeFileSync(recorded, orders.join('\n') + '\n');
} else {
  const expected = fs.readFileSync(recorded, 'utf8').trimEnd().split('\n');
  assert.strictEqual(expected.length, orders.length);
  for (const [i, order] of orders.entries()) assert.strictEqual(order, expected[i]);
}

// A cycle that waits for a module outside of it and then throws: every module of the cycle has the error, the one outside has not.
// (Node 26 itself ends here with a failed check.)
assert.strictEqual(await runGraph(548, path.join(folder, '548')), 'd d2 c b -b | -b -b -b + | -b -b -b +');
