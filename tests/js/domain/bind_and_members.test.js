// bind, intercept, add, remove, nesting; and --abort-on-uncaught-exception asks no listener but a domain's.
'use strict';
const assert = require('assert');
const { spawnSync } = require('child_process');
const domain = require('domain');
const EventEmitter = require('events');

const outer = domain.create();
const inner = domain.create();
outer.run(() => {
  inner.run(() => {
    assert.strictEqual(process.domain, inner);
    assert.deepStrictEqual(domain._stack, [outer, inner]);
  });
  assert.strictEqual(process.domain, outer);
});
assert.strictEqual(process.domain, undefined);

assert.strictEqual(outer.bind(() => process.domain)(), outer);
const told = [];
outer.on('error', (error) => told.push(error));
const error = new Error('given');
outer.intercept(() => assert.fail())(error);
assert.strictEqual(outer.intercept((value) => value)(null, 7), 7);
const emitter = new EventEmitter();
outer.add(emitter);
assert.deepStrictEqual(outer.members, [emitter]);
emitter.emit('error', error);
assert.strictEqual(error.domainEmitter, emitter);
outer.remove(emitter);
assert.throws(() => emitter.emit('error', error), error);
assert.deepStrictEqual(told, [error, error]);

const run = (text) => spawnSync(process.execPath, ['--abort-on-uncaught-exception', '-e', text], { encoding: 'utf8' });
const aborted = run("process.on('uncaughtException', () => process.exit(42)); throw new Error('x')");
assert.match(aborted.signal, /^SIG(ABRT|TRAP)$/);
const kept = run("const d = require('domain').create(); d.on('error', () => console.log('kept')); d.run(() => { throw new Error('x'); })");
assert.deepStrictEqual([kept.status, kept.stdout], [0, 'kept\n']);
