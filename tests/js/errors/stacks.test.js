// Where stacks begin, what their first line says, who awaits, and what a program's own functions may do to them.
'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');

const frames = (error) => error.stack.split('\n').slice(1).map((line) => line.trim());

// The constructors of the error's classes are left out.
class First extends Error { constructor(text) { super(text); } }
class Second extends First { constructor(text) { super(text); this.extra = 1; } }
class Plain extends Second {}
function makeSecond() { return new Second('x'); }
function makePlain() { return new Plain('x'); }
function makeFirst() { return new First('x'); }
assert.match(frames(makeFirst())[0], /^at makeFirst \(/);
assert.match(frames(makeSecond())[0], /^at makeSecond \(/);
assert.match(frames(makePlain())[0], /^at makePlain \(/);
// An error that a constructor makes for somebody else keeps it.
class Holder { constructor() { this.error = new First('x'); } }
assert.match(frames(new Holder().error)[0], /^at new Holder \(/);

// A getter of `name` counts; one that throws, or asks for the stack, does not hurt.
class Named extends Error { get name() { return 'AssertionError'; } }
assert.match(new Named('text').stack, /^AssertionError: text\n/);
class Thrower extends Error { get name() { throw new Error('no'); } }
assert.match(new Thrower('text').stack, /^Error: text\n/);
class Curious extends Error { get name() { return `has${typeof this.stack}`; } }
assert.match(new Curious('text').stack, /\n {4}at /);

// Who awaits.
const tick = () => new Promise((resolve) => setImmediate(resolve));
async function inner() { await tick(); throw new Error('deep'); }
async function middle() { await inner(); }
const arrow = async () => { await middle(); };
async function outer() { await null; await arrow(); }
outer().then(assert.fail, (error) => {
  const lines = frames(error).filter((line) => line.includes(__filename));
  assert.match(lines[0], /^at inner \(/);
  assert.match(lines[1], /^at async middle \(.*stacks\.test\.js:\d+:\d+\)$/);
  assert.match(lines[2], /^at async arrow \(/);
  assert.match(lines[3], /^at async outer \(/);
  const lineOf = (name) => require('node:fs').readFileSync(__filename, 'utf8').split('\n').findIndex((l) => l.includes(`function ${name}(`)) + 1;
  assert.ok(lines[1].includes(`:${lineOf('middle')}:`), lines[1]);
  assert.ok(lines[3].includes(`:${lineOf('outer')}:`), lines[3]);
  ownFunctions();
});

// A program's own prepareStackTrace: stacks that it asks for are plain, what it throws reaches who asked.
function ownFunctions() {
  let depth = 0;
  Error.prepareStackTrace = (error, sites) => {
    assert.ok(++depth < 5);
    return `${new Error('inside').stack.split('\n')[0]} ${sites.length > 0}`;
  };
  assert.strictEqual(new Error('x').stack, 'Error: inside true');
  assert.strictEqual(depth, 1);
  Error.prepareStackTrace = () => { throw new RangeError('from prepareStackTrace'); };
  assert.throws(() => new Error('x').stack, { name: 'RangeError', message: 'from prepareStackTrace' });
  Error.captureStackTrace({});
  Error.prepareStackTrace = (error, sites) => sites;
  (async () => { await tick(); return new Error('x').stack; })().then(async () => {
    const awaiting = async () => { await tick(); return new Error('x').stack; };
    const sites = await (async function waits() { return await awaiting(); })();
    assert.match(String(sites.find((site) => site.isAsync())), /^async waits \(/);
    Error.prepareStackTrace = undefined;
  });
}

// What is thrown may be a Proxy whose traps throw.
for (const thrown of ['new Proxy({}, {})', 'new Proxy(new Error("x"), { get() { throw 5 }, getPrototypeOf() { throw 6 }, has() { throw 7 } })']) {
  assert.strictEqual(spawnSync(process.execPath, ['-e', `throw ${thrown}`]).status, 1, thrown);
}
