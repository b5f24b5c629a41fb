// EventEmitter: order, changes during emit, errors, rejections, limits.
'use strict';

const assert = require('assert');
const EventEmitter = require('events');

// Listeners changed during emit do not change this emit.
{
  const emitter = new EventEmitter();
  const seen = [];
  const second = () => seen.push('second');
  emitter.on('x', () => {
    seen.push('first');
    emitter.off('x', second);
    emitter.on('x', () => seen.push('late'));
  });
  emitter.on('x', second);
  emitter.prependListener('x', () => seen.push('before'));
  emitter.emit('x');
  assert.deepStrictEqual(seen.splice(0), ['before', 'first', 'second']);
  emitter.emit('x');
  assert.deepStrictEqual(seen, ['before', 'first', 'late']);
}

// Arguments by count, `this`, and what emit returns.
for (let count = 0; count < 6; count++) {
  for (const listeners of [1, 2]) {
    const emitter = new EventEmitter();
    let calls = 0;
    for (let i = 0; i < listeners; i++) {
      emitter.on('x', function() {
        calls++;
        assert.strictEqual(this, emitter);
        assert.strictEqual(arguments.length, count);
      });
    }
    assert.strictEqual(emitter.emit('x', ...Array(count).fill(undefined)), true);
    assert.strictEqual(calls, listeners);
  }
}
assert.strictEqual(new EventEmitter().emit('nobody'), false);
assert.strictEqual(EventEmitter.prototype.emit.length, 1);

// once, rawListeners, removeAllListeners with its events.
{
  const emitter = new EventEmitter();
  const listener = () => {};
  emitter.once('x', listener);
  assert.deepStrictEqual(emitter.listeners('x'), [listener]);
  assert.strictEqual(emitter.rawListeners('x')[0].listener, listener);
  assert.strictEqual(emitter.listenerCount('x', listener), 1);
  const removed = [];
  emitter.on('removeListener', (type) => removed.push(type));
  emitter.on('y', listener);
  emitter.removeAllListeners();
  assert.deepStrictEqual(removed, ['x', 'y']);
  assert.deepStrictEqual(emitter.eventNames(), []);
}

// Errors nobody listens for.
{
  const error = new Error('boom');
  assert.throws(() => new EventEmitter().emit('error', error), error);
  assert.throws(() => new EventEmitter().emit('error', { a: 1 }), {
    code: 'ERR_UNHANDLED_ERROR', message: 'Unhandled error. ({ a: 1 })', context: { a: 1 },
  });
  const watched = new EventEmitter();
  let seen;
  watched.on(EventEmitter.errorMonitor, (value) => { seen = value; });
  assert.throws(() => watched.emit('error', error), error);
  assert.strictEqual(seen, error);
}

// A rejected listener with captureRejections.
{
  const emitter = new EventEmitter({ captureRejections: true });
  emitter.on('x', async (value) => { throw value; });
  let reported;
  emitter.on('error', (error) => { reported = error; });
  emitter.emit('x', 'late');
  process.on('exit', () => assert.strictEqual(reported, 'late'));
}

// The leak warning comes once.
{
  const emitter = new EventEmitter();
  const warnings = [];
  process.on('warning', (warning) => warnings.push(warning));
  for (let i = 0; i < 20; i++) emitter.on('leak', () => {});
  process.on('exit', () => {
    assert.strictEqual(warnings.length, 1);
    assert.strictEqual(warnings[0].name, 'MaxListenersExceededWarning');
    assert.strictEqual(warnings[0].count, 11);
  });
}
