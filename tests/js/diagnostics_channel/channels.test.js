// Channels, bound stores and tracing channels.
'use strict';

const assert = require('assert');
const { AsyncLocalStorage } = require('async_hooks');
const dc = require('diagnostics_channel');

const channel = dc.channel('x');
assert.strictEqual(dc.channel('x'), channel);
assert.strictEqual(channel.hasSubscribers, false);
const seen = [];
const listener = (message, name) => seen.push([message, name]);
dc.subscribe('x', listener);
channel.publish(1);
assert.strictEqual(dc.unsubscribe('x', listener), true);
assert.strictEqual(dc.unsubscribe('x', listener), false);
channel.publish(2);
assert.deepStrictEqual(seen, [[1, 'x']]);

const store = new AsyncLocalStorage();
channel.bindStore(store, (data) => data * 2);
channel.runStores(21, () => assert.strictEqual(store.getStore(), 42));
assert.strictEqual(store.getStore(), undefined);

const tracing = dc.tracingChannel('job');
const order = [];
tracing.subscribe(Object.fromEntries(['start', 'end', 'asyncStart', 'asyncEnd', 'error'].map((name) => [name, () => order.push(name)])));
tracing.traceSync(() => {});
assert.throws(() => tracing.traceSync(() => { throw new Error('x'); }), /x/);
assert.deepStrictEqual(order.splice(0), ['start', 'end', 'start', 'error', 'end']);
let finished = false;
tracing.tracePromise(async () => 5).then((value) => {
  assert.strictEqual(value, 5);
  assert.deepStrictEqual(order, ['start', 'end', 'asyncStart', 'asyncEnd']);
  finished = true;
});
process.on('exit', () => assert.ok(finished));

// A subscriber that throws hurts nobody else.
dc.subscribe('thrower', () => { throw new Error('later'); });
let caught;
process.once('uncaughtException', (error) => { caught = error; });
dc.channel('thrower').publish(0);
process.on('exit', () => assert.strictEqual(caught?.message, 'later'));
