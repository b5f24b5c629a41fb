// Every block of JavaScript in README.md and docs/*.md runs: alone, as the file that it is, to its end. Servers stop counting as soon as
// they listen. Left out are docs/adding-a-builtin.md and docs/lib.md, whose blocks are files of lib/, and
// docs/serve.md and docs/mesh.md, whose blocks are parts of servers (tests/js/serve and examples/mesh are the whole ones).
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');

const root = path.resolve(__dirname, '../../..');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'documents-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
fs.symlinkSync(path.resolve(__dirname, '../node_modules'), path.join(folder, 'node_modules'));
fs.writeFileSync(path.join(folder, 'unref.cjs'), `
  const net = require('node:net');
  const { listen } = net.Server.prototype;
  net.Server.prototype.listen = function (...args) {
    return Reflect.apply(listen, this, typeof args[0] === 'number' ? [0, ...args.slice(1)] : args).unref();
  };
`);

function blocks(name) {
  const found = [];
  const text = fs.readFileSync(path.join(root, name), 'utf8');
  for (const { 1: language, 2: code, index } of text.matchAll(/^```(js|mjs|ts)\n([^]*?)^```$/gm)) {
    found.push({ at: `${name}:${text.slice(0, index).split('\n').length}`, language, code });
  }
  return found;
}

const names = ['README.md', ...fs.readdirSync(path.join(root, 'docs')).filter((name) => /(?<!adding-a-builtin|lib|serve|mesh)\.md$/.test(name)).map((name) => `docs/${name}`)];
const all = names.flatMap(blocks);
assert.ok(all.length >= 5, `${all.length} blocks`);
for (const { at, language, code } of all) {
  const isModule = language === 'mjs' || /^import |^await /m.test(code);
  const file = path.join(folder, `block.${isModule && language === 'js' ? 'mjs' : language}`);
  fs.writeFileSync(file, code);
  const { status, signal, stderr } = spawnSync(process.execPath, ['--require', './unref.cjs', file], { cwd: folder, encoding: 'utf8', timeout: 20_000 });
  assert.strictEqual(status, 0, `${at} ends with ${status ?? signal}:\n${stderr}`);
}
