// A file that does not parse: the report shows the line and the token, for CommonJS, ES modules and --check; the error has a stack.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');

const folder = fs.mkdtempSync(path.join(require('node:os').tmpdir(), 'rondo-syntax-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const write = (name, text) => {
  fs.writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
};
const common = write('c.js', 'let a = 1;\nvar x = ;\nlet c;\n');
const module_ = write('m.mjs', 'let a = 1;\nvar foo bar;\nexport let c;\n');
const run = (args, input) => spawnSync(process.execPath, args, { encoding: 'utf8', input });

for (const args of [[common], ['-c', common], ['-e', `require(${JSON.stringify(common)})`]]) {
  const { stderr, status } = run(args);
  assert.strictEqual(status, 1);
  assert.ok(stderr.startsWith(`${common}:2\nvar x = ;\n        ^\n\nSyntaxError: Unexpected token ';'\n`), stderr);
}
for (const args of [[module_], ['-c', module_]]) {
  const { stderr, status } = run(args);
  assert.strictEqual(status, 1);
  assert.match(stderr, /m\.mjs:2\nvar foo bar;\n {8}\^\^\^\n\nSyntaxError: Unexpected identifier 'bar'\n/);
}
import(module_).then(assert.fail, (error) => assert.match(error.stack, /^SyntaxError: .*\n {4}at /));

// --check, -p and scripts from standard input; text that begins with a dash.
assert.strictEqual(run(['-c'], 'var x = ;').status, 1);
assert.strictEqual(run(['-c', '-'], 'throw 1').status, 0);
assert.strictEqual(run(['-p'], '1 + 1').stdout, '2\n');
assert.strictEqual(run(['-'], 'console.log(3)').stdout, '3\n');
assert.strictEqual(run(['-p', '\\-42']).stdout, '-42\n');
assert.strictEqual(run(['--print', '--eval', '5']).stdout, '5\n');
assert.strictEqual(run(['--max_old_space_size=100', '-p', '6']).stdout, '6\n');
for (const args of [['-e', '-42'], ['-c', '-e', '1'], ['--no-stack-size'], ['--conditions='], ['--input-type=x', '-e', '1']]) {
  assert.strictEqual(run(args).status, 9, args.join(' '));
}

// What is in no file has its line and token, too; the fault of another text is not looked for in this one.
const begins = (args, input, text) => {
  const { stderr } = run(args, input);
  assert.ok(stderr.startsWith(text), stderr);
};
const line = (place, text, marks, error) => `${place}:1\n${text}\n${marks}\n\nSyntaxError: ${error}\n`;
begins(['-e', 'let x = ;'], '', line('[eval]', 'let x = ;', '        ^', "Unexpected token ';'"));
begins(['-p', 'foo bar'], '', line('[eval]', 'foo bar', '    ^^^', "Unexpected identifier 'bar'"));
begins([], 'let x = ;', line('[stdin]', 'let x = ;', '        ^', "Unexpected token ';'"));
begins(['-e', 'Promise.reject(new SyntaxError("q"))'], '', line('[eval]', 'Promise.reject(new SyntaxError("q"))', `${' '.repeat(15)}^`, 'q'));
const evaluatedModule = run(['-e', 'import "fs"; let x = ;']).stderr;
assert.match(evaluatedModule, /\/\[eval1\]:1\nimport "fs"; let x = ;\n {21}\^\n\nSyntaxError: Unexpected token ';'\n/);
const maker = write('maker.js', '\n\n\n\nnew Function("a b")\n');
begins([maker], '', `${maker}:5\nnew Function("a b")\n^\n\nSyntaxError: Unexpected identifier 'b'\n`);

// A script of one call has a frame of its own: the engine likes to make such a call by itself.
const { stderr: onlyCall } = run(['-e', 'JSON.parse("{x")']);
assert.match(onlyCall, /^\[eval\]:1\nJSON\.parse\("\{x"\)\n {5}\^\n\nSyntaxError: .*\n {4}at JSON\.parse \(<anonymous>\)\n {4}at \[eval\]:1:6\n/);

// A value thrown that is no object is shown as text.
assert.match(run(['-e', 'throw 1n']).stderr, /^\n\[eval\]:1\nthrow 1n\n\^\n1\n/);
