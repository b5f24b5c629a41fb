// EventTarget's dispatch, AbortController, AbortSignal.timeout and any; errors of listeners surface as uncaught.
'use strict';
const assert = require('node:assert');

const target = new EventTarget();
const seen = [];
const once = () => seen.push('once');
target.addEventListener('x', once, { once: true });
target.addEventListener('x', once, { once: true });
target.addEventListener('x', { handleEvent(event) { seen.push(event.type, event.eventPhase); } });
target.addEventListener('x', (event) => { event.preventDefault(); event.stopImmediatePropagation(); });
target.addEventListener('x', () => seen.push('never'));
assert.strictEqual(target.dispatchEvent(new Event('x', { cancelable: true })), false);
assert.deepStrictEqual(seen, ['once', 'x', 2]);
assert.throws(() => target.dispatchEvent({}), { code: 'ERR_INVALID_ARG_TYPE' });
assert.throws(() => new Event(), { code: 'ERR_MISSING_ARGS' });
assert.strictEqual(new CustomEvent('c', { detail: 7 }).detail, 7);

const controller = new AbortController();
let aborted = 0;
controller.signal.onabort = () => aborted++;
const any = AbortSignal.any([controller.signal, AbortSignal.timeout(1e6)]);
controller.abort();
controller.abort('again');
assert.strictEqual(aborted, 1);
assert.strictEqual(any.aborted, true);
assert.strictEqual(any.reason, controller.signal.reason);
assert.strictEqual(controller.signal.reason.name, 'AbortError');
assert.match(controller.signal.reason.stack, /^AbortError: This operation was aborted\n/);
assert.throws(() => AbortSignal.abort(5).throwIfAborted(), (reason) => reason === 5);
assert.throws(() => new AbortSignal(), { code: 'ERR_ILLEGAL_CONSTRUCTOR' });

// The time-out fires although nothing else keeps the process alive than the timer below.
const soon = AbortSignal.timeout(5);
const keep = setInterval(() => {}, 1000);
soon.addEventListener('abort', () => {
  assert.strictEqual(soon.reason.name, 'TimeoutError');
  clearInterval(keep);
});

process.once('uncaughtException', (error) => assert.strictEqual(error.message, 'from a listener'));
const faulty = new EventTarget();
faulty.addEventListener('y', () => { throw new Error('from a listener'); });
assert.strictEqual(faulty.dispatchEvent(new Event('y')), true);
