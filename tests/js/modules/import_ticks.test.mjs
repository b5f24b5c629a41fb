// How many microtasks pass until import() runs a module and until it settles, the first and the second time: as in Node 26.
import assert from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-ticks-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const note = 'globalThis.ranAt = globalThis.tick;';
const files = {
  'leaf.mjs': note, 'leaf2.mjs': '', 'leaf3.mjs': '', 'middle.mjs': 'import "./leaf3.mjs";',
  'two.mjs': `import "./leaf2.mjs"; ${note}`, 'three.mjs': `import "./middle.mjs"; ${note}`,
  'throws.mjs': `${note} throw new Error();`, 'requires_throws.mjs': 'import "./throws.mjs";',
  'awaits.mjs': `${note} await null; await null;`, 'awaits_throws.mjs': `${note} await null; await null; throw new Error();`,
  'common.cjs': note, 'data.json': '{}', 'syntax.mjs': 'let x = ;', 'link.mjs': 'import { no } from "./leaf.mjs";',
};
for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);

async function measure(specifier, options) {
  globalThis.ranAt = '';
  globalThis.tick = 0;
  let settled;
  import(specifier, options).then(() => { settled = `+${globalThis.tick}`; }, () => { settled = `-${globalThis.tick}`; });
  for (; settled === undefined; globalThis.tick++) await null;
  return `${globalThis.ranAt}${settled}`;
}

for (const [name, first, second, options] of [
  ['leaf.mjs', '4+10', '+7'], ['two.mjs', '6+12', '+7'], ['three.mjs', '8+14', '+7'], ['throws.mjs', '4-10', '-7'],
  ['requires_throws.mjs', '-12', '-7'], ['awaits.mjs', '4+13', '+7'], ['awaits_throws.mjs', '4-13', '-7'], ['common.cjs', '4+10', '+7'],
  ['data.json', '+10', '+7', { with: { type: 'json' } }], ['missing.mjs', '-4', '-4'], ['syntax.mjs', '-4', '-4'], ['link.mjs', '-11', '-6'],
]) {
  const at = path.join(folder, name);
  assert.deepStrictEqual([name, await measure(at, options), await measure(at, options)], [name, first, second]);
}
assert.strictEqual(await measure('node:dgram'), '+10');
