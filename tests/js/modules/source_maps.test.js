// Source maps: module.SourceMap and findSourceMap, mapped stacks and uncaught errors, and switching it all on and off.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { execFileSync, spawnSync } = require('node:child_process');
const { SourceMap, findSourceMap, getSourceMapsSupport, setSourceMapsSupport } = require('node:module');

const folder = fs.mkdtempSync(path.join(require('node:os').tmpdir(), 'rondo-maps-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

// Line 1 of out.js is line 3 of in.ts, line 2 is line 5 from column 2, and is called "original" there.
const payload = {
  version: 3, file: 'out.js', sources: ['in.ts'], sourcesContent: ['1\n2\n3\n4\n  throw new Error("mapped")\n'],
  names: ['original'], mappings: 'AAEA;AAEEA', sourceRoot: '',
};
const map = new SourceMap(payload, { lineLengths: [1, 2] });
assert.deepStrictEqual(map.findEntry(0, 5), {
  generatedLine: 0, generatedColumn: 0, originalSource: 'in.ts', originalLine: 2, originalColumn: 0, name: undefined,
});
assert.deepStrictEqual(map.findEntry(1, 0), {
  generatedLine: 1, generatedColumn: 0, originalSource: 'in.ts', originalLine: 4, originalColumn: 2, name: 'original',
});
assert.deepStrictEqual(map.findOrigin(2, 4), { name: 'original', fileName: 'in.ts', lineNumber: 5, columnNumber: 6 });
assert.deepStrictEqual(map.findEntry(-1, 0), {});
assert.deepStrictEqual(map.lineLengths, [1, 2]);
assert.notStrictEqual(map.payload.sources, map.payload.sources);
assert.throws(() => new SourceMap('text'), { code: 'ERR_INVALID_ARG_TYPE' });

assert.deepStrictEqual({ ...getSourceMapsSupport() }, { enabled: false, nodeModules: false, generatedCode: false });
assert.strictEqual(process.sourceMapsEnabled, false);
for (const wrong of [1, 'x', null, {}]) assert.throws(() => setSourceMapsSupport(wrong), { code: 'ERR_INVALID_ARG_TYPE' });
assert.throws(() => process.setSourceMapsEnabled(1), { code: 'ERR_INVALID_ARG_TYPE' });

const out = path.join(folder, 'out.js');
const text = 'exports.f = 1;\nexports.fail = () => { throw new Error("mapped"); };\n//# sourceMappingURL=out.js.map\n';
fs.writeFileSync(out, text);
fs.writeFileSync(`${out}.map`, JSON.stringify(payload));

assert.strictEqual(findSourceMap(out), undefined);
setSourceMapsSupport(true);
assert.strictEqual(process.sourceMapsEnabled, true);
const { fail } = require(out);
assert.ok(findSourceMap(out) instanceof SourceMap);
const stack = (() => { try { return fail(); } catch (error) { return error.stack; } })();
assert.match(stack, /^Error: mapped\n/);
assert.ok(stack.includes(`${path.join(folder, 'in.ts')}:5:3)`), stack);
assert.ok(stack.includes(`${__filename}:`), stack);
setSourceMapsSupport(false);
assert.ok(!(() => { try { return fail(); } catch (error) { return error.stack; } })().includes('in.ts'));

// A file that throws where nobody catches: place and line are the original's.
const main = path.join(folder, 'main.mjs');
const inline = Buffer.from(JSON.stringify({ ...payload, mappings: ';AAIE' })).toString('base64');
fs.writeFileSync(main, `//\n;throw new Error("mapped");\n//# sourceMappingURL=data:application/json;base64,${inline}\n`);
const { stderr, status } = spawnSync(process.execPath, ['--enable-source-maps', main], { encoding: 'utf8' });
assert.strictEqual(status, 1);
assert.ok(stderr.startsWith(`${path.join(folder, 'in.ts')}:5\n  throw new Error("mapped")\n`), stderr);
// The words inside a string are no comment.
const quoted = path.join(folder, 'quoted.js');
fs.writeFileSync(quoted, `module.exports = \`\n//# sourceMappingURL=data:application/json;base64,${inline}\n\`;\n`);
execFileSync(process.execPath, ['--enable-source-maps', '-e',
  `require(${JSON.stringify(quoted)}); assert.strictEqual(require('module').findSourceMap(${JSON.stringify(quoted)}), undefined)`]);
