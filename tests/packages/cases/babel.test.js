// @babel/core: transforms a file with a plug-in, sync, by callback and by promise; the result runs.
'use strict';
const assert = require('node:assert');
const path = require('node:path');
const babel = require('@babel/core');

const file = path.join(__dirname, 'fixtures/greeting.js');
// const → var, and names shouted.
const plugin = ({ types: t }) => ({
  visitor: {
    VariableDeclaration(found) { if (found.node.kind === 'const') found.node.kind = 'var'; },
    StringLiteral(found) { if (found.node.value === 'world') found.replaceWith(t.stringLiteral('WORLD')); },
  },
});
const options = { babelrc: false, configFile: false, plugins: [plugin], sourceMaps: true, sourceType: 'script' };

async function main() {
  const { code, map } = babel.transformFileSync(file, options);
  assert.match(code, /var greeting = /);
  assert.strictEqual((0, eval)(code), 'hello, WORLD');
  assert.deepStrictEqual(map.sources.map((name) => path.basename(name)), ['greeting.js']);
  assert.strictEqual((await babel.transformFileAsync(file, options)).code, code);
  const { default: imported } = await import('@babel/core');
  const tree = await imported.parseAsync('let a = b ?? c;', { babelrc: false, configFile: false });
  assert.strictEqual(tree.program.body[0].declarations[0].init.operator, '??');
  assert.throws(() => babel.transformSync('let a = ;', { filename: file, ...options }), { code: 'BABEL_PARSE_ERROR' });
}
let ended = false;
main().then(() => { ended = true; });
process.on('exit', () => assert(ended));
