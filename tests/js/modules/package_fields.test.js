// Fields of package.json that are of the wrong kind: `exports` and `main` are as good as absent, `type` and `name` are refused.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(require('node:os').tmpdir(), 'rondo-package-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
let count = 0;
function makePackage(fields) {
  const name = `p${count++}`;
  const home = path.join(folder, 'node_modules', name);
  fs.mkdirSync(home, { recursive: true });
  fs.writeFileSync(path.join(home, 'package.json'), JSON.stringify(fields));
  fs.writeFileSync(path.join(home, 'index.js'), 'module.exports = "index"');
  return { name, file: path.join(home, 'package.json') };
}
const load = (name) => require(require.resolve(name, { paths: [folder] }));

for (const value of [5, 0, true, false, null]) {
  assert.strictEqual(load(makePackage({ exports: value }).name), 'index');
  assert.strictEqual(load(makePackage({ main: value }).name), 'index');
}
for (const field of ['type', 'name']) {
  for (const value of [5, true, null, {}, []]) {
    const { name, file } = makePackage({ [field]: value });
    assert.throws(() => load(name), { code: 'ERR_INVALID_PACKAGE_CONFIG', message: `Invalid package config ${file}.` });
  }
  assert.strictEqual(load(makePackage({ [field]: '' }).name), 'index');
}
