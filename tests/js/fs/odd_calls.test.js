// Odd arguments, links, directories in the place of files: results and errors of node:fs as recorded from Node 26.10 (odd_calls.txt).
//   node odd_calls.test.js --write      records them anew
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { inspect } = require('node:util');

const file = path.join(__dirname, 'odd_calls.txt');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'odd-calls-'));
const start = process.cwd();
process.chdir(folder);
process.on('exit', () => {
  process.chdir(start);
  fs.rmSync(folder, { recursive: true });
});

function makeTree() {
  fs.rmSync('t', { recursive: true, force: true });
  fs.mkdirSync('t/a/b', { recursive: true });
  fs.writeFileSync('t/f', 'text');
  fs.writeFileSync('t/a/x.js', 'x');
  fs.writeFileSync('t/a/b/y.js', 'y');
  fs.symlinkSync('a', 't/link');
  fs.symlinkSync('none', 't/broken');
}

const invalid = new Date(NaN);
const odd = { toString: 1 };
// [name, arguments], each in its three forms.
const calls = [
  ['stat', 't/f', { bigint: 1 }], ['lstat', 't/f', { bigint: 'x' }], ['lstat', 't/f', { bigint: true }],
  ['stat', 't/f/x', { throwIfNoEntry: false }], ['lstat', 't/f/x', { throwIfNoEntry: false }], ['lstat', 't/none', { throwIfNoEntry: false }],
  ['readFile', 't/a'], ['readFile', 't/a', 'utf8'], ['readFile', 't/none'], ['writeFile', 't/a', 'x'],
  ['utimes', 't/f', invalid, 5], ['utimes', 't/f', 5, invalid], ['lutimes', 't/link', invalid, invalid], ['utimes', 't/f', NaN, 1],
  ['copyFile', 't/a', 't/none/x'], ['copyFile', 't/a', 't/f', 1], ['copyFile', 't/a', 't/new'], ['copyFile', 't/a', 't/f/x'],
  ['mkdir', 't/new', { mode: 'zz' }], ['mkdir', NaN, -1], ['mkdir', 't/new', { mode: true }], ['mkdir', 't/f', { recursive: true }],
  ['readdir', 't', { recursive: 1 }], ['readdir', 't/f', { recursive: 1 }],
  ['rm', null, { recursive: 1 }], ['rm', 't/f/', { force: true }], ['rm', 't/a\0', { force: 'x' }], ['rm', 't/a', {}], ['rm', 't/none', { force: true }],
  ['rmdir', 1, { recursive: true }], ['rmdir', 't', { maxRetries: -1 }],
  ['writeFile', 't/f', 'x', { flag: 1.5 }], ['appendFile', 't/f', 'x', { flag: 1e10 }], ['appendFile', Symbol('x'), {}], ['writeFile', {}, odd],
  ['appendFile', 't/f\0', 'x', { mode: 1.5 }],
  ['cp', 't/f', 't/f'], ['cp', 't/a', 't/f', { recursive: true }], ['cp', 't/f', 't/a'], ['cp', 't/a', 't/a/b/n', { recursive: true }],
  ['cp', 't/a', 't/n'], ['cp', 't/none', 't/n'], ['cp', 't/f', 't/a/x.js', { errorOnExist: true, force: false }], ['cp', 't/f', 't/new/f'],
  ['glob', 't/**/y.js'], ['glob', 't/*/x.js'], ['glob', 't/**/'], ['glob', 't/*/'], ['glob', 't/link/*'], ['glob', 't/*/x.js', { followSymlinks: true }],
  ['glob', ''], ['glob', ['', 't/f']], ['glob', '**/y.js', { withFileTypes: true }], ['glob', '*', { cwd: 't', withFileTypes: true }],
  ['fchown', {}, 'x', 0], ['fstat', -1, { bigint: 1 }],
];

const show = (value) => {
  if (Array.isArray(value)) return inspect(value.map((item) => item.parentPath ? `${item.parentPath} | ${item.name}` : item).sort(), { breakLength: Infinity });
  return value?.isFile ? `${value.constructor.name} ${value.isFile()}` : inspect(value);
};
const showError = (error) => [error.name, error.code, error.message, error.syscall, error.path, error.dest].map(String).join(' | ');
const forms = {
  sync: async (name, given) => fs[`${name}Sync`](...given),
  callback: (name, given) => new Promise((resolve, reject) => void fs[name](...given, (error, value) => (error ? reject(error) : resolve(value)))),
  async promise(name, given) {
    if (name !== 'glob') return fs.promises[name](...given);
    const found = [];
    for await (const entry of fs.promises.glob(...given)) found.push(entry);
    return found;
  },
};

(async () => {
  const lines = [];
  for (const [name, ...given] of calls) {
    for (const [form, run] of Object.entries(forms)) {
      if (form === 'promise' && !fs.promises[name]) continue;
      makeTree();
      const result = await run(name, given).then(show, showError);
      const line = `${form} ${name} ${given.map((value) => inspect(value, { breakLength: Infinity })).join(', ')}: ${result}`;
      lines.push(line.replaceAll(folder, 'FOLDER').replaceAll('\n', ' '));
    }
  }
  // A file handle's.
  const handle = await fs.promises.open('t/f');
  lines.push(await handle.stat(null).then(show, showError), await handle.stat({ bigint: 1 }).then(show, showError));
  await handle.close();

  if (process.argv.includes('--write')) fs.writeFileSync(file, `${lines.join('\n')}\n`);
  else assert.deepStrictEqual(lines, fs.readFileSync(file, 'utf8').trimEnd().split('\n'));
})();
