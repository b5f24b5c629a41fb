// Everything that the global of a page, a frame of another origin, a worker of each kind, a worklet and a bare script leads to (tests/fixtures/html_realm/walk.js): nothing that compiles code
// elsewhere, no name of Node's, no inner object, no intrinsic of the library's realm that is not frozen. And what was tried on those intrinsics has no effect.
import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';

const fixture = fs.readFileSync(new URL('../../fixtures/html_realm/walk.js', import.meta.url), 'utf8');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-walk-'));
after(() => fs.rmSync(folder, { recursive: true }));

const print = (end) => `walkRealm().then((result) => { console.info(String.fromCharCode(10) + 'RESULT ' + JSON.stringify(result)); ${end} });`;
fs.writeFileSync(path.join(folder, 'walk.js'), fixture);
fs.writeFileSync(path.join(folder, 'worker.js'), `${fixture};${print('close();')}`);
fs.writeFileSync(path.join(folder, 'shared.js'), `${fixture};addEventListener('connect', () => { ${print('close();')} }, { once: true });`);
fs.writeFileSync(path.join(folder, 'inner.html'), `<body><script>${fixture}</script><script>${print('top.postMessage("over", "*");')}</script>`);
fs.writeFileSync(path.join(folder, 'module_worker.mjs'), `${fixture};${print('close();')}`);
fs.writeFileSync(path.join(folder, 'worklet.mjs'), `globalThis.setTimeout ??= undefined;${fixture};${print('')}`);

const untilOver = '<script>addEventListener("message", ({ data }) => { if (data === "over") close(); })</script>';
const kinds = {
  page: ['page.html', `<body><script src="walk.js"></script><script>${print('window.close();')}</script>`, 5000],
  'bare script': ['bare.js', `${fixture};${print('close();')}`, 1000],
  worker: ['worker.html', '<script>new Worker("worker.js")</script>', 1000],
  'module worker': ['module_worker.html', '<script>new Worker("module_worker.mjs", { type: "module" })</script>', 1000],
  'worker of a blob': ['blob_worker.html', '<script type="module">new Worker(URL.createObjectURL(await (await fetch("worker.js")).blob()))</script>', 1000],
  'shared worker': ['shared.html', '<script>new SharedWorker("shared.js")</script>', 1000],
  // A frame of the same origin is left out: its walk removes the frame itself by the document around it.
  'frame of another origin': ['frame.html', `${untilOver}<iframe sandbox="allow-scripts" src="inner.html"></iframe>`, 5000],
  worklet: ['worklet.html', '<script>rondo.worklet.addModule("worklet.mjs")</script>', 500],
};
function run(name, text) {
  fs.writeFileSync(path.join(folder, name), text);
  return spawnSync(process.execPath, ['--loop=html', path.join(folder, name)], { encoding: 'utf8', maxBuffer: 1 << 26 });
}

for (const kind of Object.keys(kinds)) {
  const [name, text, least] = kinds[kind];
  test(`nothing harmful is to be reached: ${kind}`, () => {
    const { stdout, stderr } = run(name, text);
    const line = stdout.split('\n').map((text) => text.trim()).find((text) => text.startsWith('RESULT '));
    assert.ok(line, stderr.slice(-2000));
    const { objects, found } = JSON.parse(line.slice('RESULT '.length));
    assert.deepStrictEqual(found, []);
    assert.ok(objects > least, `${objects} objects`);
  });
}

test('prototypes of the library are nobody\'s to change', () => {
  const { stdout } = run('pollution.html', `<body><script>
    const arrays = Object.getPrototypeOf(PerformanceObserver.supportedEntryTypes);
    const library = Object.getPrototypeOf(arrays);
    const functions = Object.getPrototypeOf(arrays.push);
    if (library === Object.prototype || functions === Function.prototype) throw new Error('they are the page\\'s own');
    const seen = [];
    const attempts = {
      assign() { 'use strict'; library.polluted = 1; }, define: () => Object.defineProperty(library, 'get', { get() { seen.push(this); } }), remove() { 'use strict'; delete functions.call; },
      prototype: () => Object.setPrototypeOf(functions, { x: 1 }), push() { 'use strict'; arrays.push = function(item) { seen.push(item); }; },
      iterator() { 'use strict'; arrays[Symbol.iterator] = function* () { seen.push(this); }; }, to() { 'use strict'; library.toString = () => seen.push('called'); },
      constructor() { 'use strict'; functions.constructor = 1; }, lookup: () => library.__defineGetter__('x', () => 1), symbol() { 'use strict'; library[Symbol.iterator] = () => seen.push('called'); },
    };
    for (const name of Object.keys(attempts)) {
      try {
        attempts[name]();
        console.log(name, 'done');
      } catch (error) {
        console.log(name, error.name);
      }
    }
    const made = document.createElement('p');
    made.className = 'a';
    document.body.append(made);
    console.log(document.querySelectorAll('p.a').length, seen.length, made.polluted);
    console.log('_document' in window, Object.getOwnPropertyNames(window).filter((name) => name[0] === '_').join(), Reflect.set(window, '_globalProxy', 1));
  </script>`);
  const lines = stdout.trimEnd().split('\n');
  assert.deepStrictEqual(lines.slice(0, -2).map((line) => line.split(' ')[1]), Array(10).fill('TypeError'));
  assert.deepStrictEqual(lines.slice(-2), ['1 0 undefined', 'false _globalObject,_globalProxy false']);
});
