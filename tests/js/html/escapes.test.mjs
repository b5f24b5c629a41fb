// No object that a page can hold compiles code outside of the page's realm: tests/fixtures/html_realm/escapes.js in every kind of global scope.
import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';

const fixture = fs.readFileSync(new URL('../../fixtures/html_realm/escapes.js', import.meta.url), 'utf8');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-escapes-'));
after(() => fs.rmSync(folder, { recursive: true }));

const print = 'console.log(JSON.stringify(tryEscapes()));';
fs.writeFileSync(path.join(folder, 'escapes.js'), fixture);
fs.writeFileSync(path.join(folder, 'worker.js'), `${fixture};${print}close();`);
fs.writeFileSync(path.join(folder, 'shared.js'), `${fixture};onconnect = ({ ports: [port] }) => { port.postMessage(JSON.stringify(tryEscapes())); close(); };`);
fs.writeFileSync(path.join(folder, 'module.mjs'), `${fixture};${print}`);
fs.writeFileSync(path.join(folder, 'inner.html'), `<body><script src="escapes.js"></script><script>${print} top.close();</script>`);

const kinds = {
  page: ['page.html', `<body><script src="escapes.js"></script><script>${print} window.close();</script>`],
  frame: ['frame.html', '<iframe src="inner.html"></iframe>'],
  'bare script': ['bare.js', `${fixture};${print} close();`],
  'module script': ['script.html', '<body><script type="module" src="module.mjs"></script><script type="module">window.close()</script>'],
  worker: ['worker.html', '<script>new Worker("worker.js")</script>'],
  'shared worker': ['shared.html', '<script>new SharedWorker("shared.js").port.onmessage = ({ data }) => { console.log(data); window.close(); }</script>'],
  worklet: ['worklet.html', '<script>rondo.worklet.addModule("module.mjs").then(() => window.close())</script>'],
};

for (const kind of Object.keys(kinds)) {
  const [name, text] = kinds[kind];
  test(`nothing compiles outside of its realm: ${kind}`, () => {
    fs.writeFileSync(path.join(folder, name), text);
    const { stdout, stderr } = spawnSync(process.execPath, ['--loop=html', path.join(folder, name)], { encoding: 'utf8' });
    const line = stdout.split('\n').find((text) => text.startsWith('{"tried"'));
    assert.ok(line, stderr);
    const { tried, found } = JSON.parse(line);
    assert.deepStrictEqual(found, []);
    assert.ok(tried > 200, `${tried} attempts`);
  });
}

test('the library imports nothing for a page, and its functions are in no call site', () => {
  fs.writeFileSync(path.join(folder, 'sites.html'), `<script>
    Error.prepareStackTrace = (error, sites) => sites.map((site) => site.getFunction());
    const seen = [];
    addEventListener('x', function listener() { seen.push(...new Error().stack); });
    dispatchEvent(new Event('x'));
    console.log(seen.every((made) => made === undefined || made instanceof Function), seen.some((made) => made?.name === 'listener'));
    console.log(typeof process, typeof Buffer, typeof require, typeof setImmediate, typeof global);
    for (const name of ['node:fs', 'fs', 'node:child_process', 'html/network/requests', 'rondo:serve', 'file:///etc/passwd']) import(name).then(() => console.log('got', name), () => console.log('refused'));
  </script>`);
  const { stdout } = spawnSync(process.execPath, ['--loop=html', path.join(folder, 'sites.html')], { encoding: 'utf8' });
  assert.strictEqual(stdout, `true true\nundefined undefined undefined undefined undefined\n${'refused\n'.repeat(6)}`);
});

test('console asks no function of a page how an object looks, and hands it nothing', () => {
  fs.writeFileSync(path.join(folder, 'console.html'), `<script>
    const custom = Symbol.for('nodejs.util.inspect.custom');
    const got = [];
    const show = function (...parameters) { got.push(...parameters); return 'shown'; };
    const libraryPrototype = Object.getPrototypeOf(alert);
    console.log({ [custom]: show }, [new (class A { [custom]() { return show.apply(this, arguments); } })()]);
    console.log({ [custom]: show.bind(null) }, { [custom]: new Proxy(show, {}) });
    console.log({ [custom]: libraryPrototype.bind.call(show, null) }, { [custom]: Object.setPrototypeOf(function (...all) { got.push(...all); }, libraryPrototype) });
    console.log('given', got.length);
  </script>`);
  const { stdout } = spawnSync(process.execPath, ['--loop=html', path.join(folder, 'console.html')], { encoding: 'utf8' });
  assert.match(stdout, /\ngiven 0\n$/);
  assert.doesNotMatch(stdout, /shown/);
});
