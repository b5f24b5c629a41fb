// A script of nothing but calls with literals, which the engine would run without compiling it, fails like any other: a ReferenceError with its
// place. A script that begins further down in its file shows the right line.
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const vm = require('node:vm');

for (const code of ['foo("x")', ' foo ( 1 );', 'foo([1, {"a": 2}]); foo(3);', 'foo("x")\n']) {
  for (const run of [(options) => vm.runInThisContext(code, options), (options) => vm.runInNewContext(code, {}, options)]) {
    assert.throws(() => run({ filename: 'jsonp.js' }), (error) => error.message === 'foo is not defined' && /^jsonp.js:1\n/.test(error.stack), code);
  }
}
let seen;
vm.runInNewContext('callback({"a": [1]})', { callback(value) { seen = value; } });
assert.deepStrictEqual(JSON.stringify(seen), '{"a":[1]}');
const script = new vm.Script('callback(1)', { produceCachedData: true });
assert.strictEqual(new vm.Script('callback(1)', { cachedData: script.cachedData }).cachedDataRejected, false);

const program = `require('vm').runInThisContext('let a;\\nnull.x;\\nlet b;', { filename: '/far/away.js', lineOffset: 10 })`;
const { stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
assert.match(stderr, /^\/far\/away\.js:12\nnull\.x;\n/);
