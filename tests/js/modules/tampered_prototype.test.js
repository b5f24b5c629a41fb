'use strict';
// Accessors that a program puts on Object.prototype reach neither package.json's fields nor those of modules and of require().
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tampered-'));
fs.mkdirSync(path.join(folder, 'package'));
fs.writeFileSync(path.join(folder, 'package/package.json'), '{}');
fs.writeFileSync(path.join(folder, 'package/index.js'), 'exports.main = require.main === process.mainModule;');

const touched = [];
const names = ['name', 'main', 'exports', 'imports', 'type', 'resolve', 'cache', 'extensions'];
for (const name of names) {
  Object.defineProperty(Object.prototype, name, {
    __proto__: null,
    configurable: true,
    get() { touched.push(`get ${name}`); return undefined; },
    set(value) { touched.push(`set ${name}`); Object.defineProperty(this, name, { __proto__: null, value, writable: true, configurable: true }); },
  });
}
const found = require(path.join(folder, 'package'));
for (const name of names) delete Object.prototype[name];

assert.deepStrictEqual(touched.filter((what) => what !== 'set main'), []); // of the assignment in the package itself
assert.strictEqual(found.main, true);
fs.rmSync(folder, { recursive: true });
