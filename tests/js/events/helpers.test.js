// events.once, events.on, addAbortListener and friends, on emitters and on event targets.
'use strict';

const assert = require('assert');
const events = require('events');

async function main() {
  const emitter = new events();
  process.nextTick(() => emitter.emit('x', 1, 2));
  assert.deepStrictEqual(await events.once(emitter, 'x'), [1, 2]);
  assert.strictEqual(emitter.listenerCount('error'), 0);

  process.nextTick(() => emitter.emit('error', new Error('no')));
  await assert.rejects(events.once(emitter, 'x'), { message: 'no' });

  const controller = new AbortController();
  const waiting = events.once(emitter, 'x', { signal: controller.signal });
  controller.abort();
  await assert.rejects(waiting, { name: 'AbortError', code: 'ABORT_ERR' });
  assert.strictEqual(emitter.listenerCount('x'), 0);

  const target = new EventTarget();
  process.nextTick(() => target.dispatchEvent(new Event('go')));
  const [event] = await events.once(target, 'go');
  assert.strictEqual(event.type, 'go');

  process.nextTick(() => { for (const i of [1, 2, 3]) emitter.emit('item', i); emitter.emit('done'); });
  const seen = [];
  for await (const [item] of events.on(emitter, 'item', { close: ['done'] })) seen.push(item);
  assert.deepStrictEqual(seen, [1, 2, 3]);

  const stop = new AbortController();
  let aborted = 0;
  events.addAbortListener(stop.signal, () => aborted++);
  stop.signal.addEventListener('abort', (e) => e.stopImmediatePropagation());
  stop.abort();
  assert.strictEqual(aborted, 1);

  events.setMaxListeners(3, emitter, target);
  assert.strictEqual(events.getMaxListeners(emitter), 3);
  assert.strictEqual(events.getMaxListeners(target), 3);
  assert.deepStrictEqual(events.getEventListeners(emitter, 'none'), []);
}

let finished = false;
main().then(() => { finished = true; });
process.on('exit', () => assert.ok(finished));
