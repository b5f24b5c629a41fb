// A CommonJS file is the body of a function, all of it and nothing more; what does not parse is reported in the file's own lines.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const { spawnSync } = require('node:child_process');

const folder = fs.mkdtempSync(path.join(require('node:os').tmpdir(), 'rondo-body-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const file = path.join(folder, 'file.js');
function run(text) {
  fs.writeFileSync(file, text);
  return spawnSync(process.execPath, [file], { encoding: 'utf8' });
}
function refuses(text, line, excerpt, message) {
  const { stdout, stderr, status } = run(text);
  assert.strictEqual(stdout, '');
  assert.strictEqual(status, 1);
  assert.ok(stderr.startsWith(`${file}:${line}\n${excerpt}\n`), stderr);
  assert.ok(stderr.includes(`SyntaxError: ${message}\n`), stderr);
}

refuses('});console.log("escaped");(function(){\n', 1, '});console.log("escaped");(function(){\n^\n', "Unexpected token '}'");
refuses('a();\n}, x, function () {\n', 2, '}, x, function () {\n^\n', "Unexpected token '}'");
refuses('function f() {\n}}\nfoo();\n', 2, '}}\n ^\n', "Unexpected token '}'");
refuses('let x = 1;\n}\n', 2, '}\n^\n', "Unexpected token '}'");
refuses('function f() {\n  if (1) {\n    x();\n}\n', 5, '', 'Unexpected end of input');
refuses('f(1,\n', 2, '', 'Unexpected end of input');
refuses('let a = `x\nfoo();\n', 3, '', 'Unexpected end of input');
refuses('let a;\nlet b = ;\n', 2, 'let b = ;\n        ^\n', "Unexpected token ';'");

// What looks like a bracket is none.
const { stdout, stderr } = run('const r = /[})]+/, s = "})", t = `})${"}"}`; // })\n/* }) */ if (r.test("})")) console.log(s, t);\nreturn;\n');
assert.strictEqual(stdout, '}) })}\n', stderr);
assert.strictEqual(run('#!/usr/bin/env rondo\nconsole.log(typeof exports, arguments.length, this === module.exports)').stdout, 'object 5 true\n');

// Functions in the blocks of a sloppy script see the blocks' variables, and are hoisted.
const scripts = [
  ['{ let x = 1; function f() { return x } f() }', 1],
  ['{ let x = 2; { function f() { return x } } f() }', 2],
  ['var r; for (const x of [3]) { function f() { return x } r = f() } r', 3],
  ['switch (1) { case 1: let x = 4; function f() { return x } f() }', 4],
  ['if (1) { const x = 5; function f() { return x } } f()', 5],
  ['try { throw 6 } catch (e) { function f() { return e } f() }', 6],
];
for (const [code, value] of scripts) {
  assert.strictEqual(new vm.Script(code).runInThisContext(), value, code);
  assert.strictEqual(vm.runInNewContext(code), value, code);
  assert.strictEqual(spawnSync(process.execPath, ['-p', code], { encoding: 'utf8' }).stdout, `${value}\n`, code);
  assert.strictEqual(spawnSync(process.execPath, ['-p', '-'], { encoding: 'utf8', input: code }).stderr, '', code);
}
// Declarations at the top stay the script's own.
const context = vm.createContext();
vm.runInContext('let kept = 7; function top() { return kept }', context);
assert.strictEqual(vm.runInContext('top() + kept', context), 14);
