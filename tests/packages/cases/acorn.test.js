// acorn: parses its own source, both forms of the package.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const acorn = require('acorn');

const source = fs.readFileSync(require.resolve('acorn'), 'utf8');
const tree = acorn.parse(source, { ecmaVersion: 'latest', locations: true });
assert.strictEqual(tree.type, 'Program');
assert(tree.loc.end.line > 6000);
assert(Array.from(acorn.tokenizer(source, { ecmaVersion: 'latest' })).length > 30000);
assert.throws(() => acorn.parse('a b', { ecmaVersion: 6 }), { name: 'SyntaxError', pos: 2 });
import('acorn').then(({ parse }) => {
  const module = parse('import a from "b"; export const c = await a;', { ecmaVersion: 'latest', sourceType: 'module' });
  assert.strictEqual(module.body.length, 2);
});
