// S29: a port holds its messages until it is started; each message is a task, its ticks and microtasks run before the next.
'use strict';
const assert = require('node:assert');
const { MessageChannel: Channel, receiveMessageOnPort, isMainThread, threadId } = require('node:worker_threads');

assert.strictEqual(Channel, MessageChannel);
assert.strictEqual(isMainThread, true);
assert.strictEqual(threadId, 0);

const order = [];
const { port1, port2 } = new MessageChannel();
assert.strictEqual(port2.postMessage('first'), true);
port2.postMessage({ second: true });
assert.deepStrictEqual(receiveMessageOnPort(port1), { message: 'first' });
const inner = new MessageChannel();
inner.port1.postMessage('waiting inside');
port2.postMessage({ port: inner.port2 }, [inner.port2]);

port1.on('message', (message) => {
  order.push(message.port ? 'port' : message);
  Promise.resolve().then(() => order.push('microtask'));
  process.nextTick(() => order.push('tick'));
  if (!message.port) return;
  message.port.onmessage = (event) => {
    order.push(event.data);
    assert.ok(event instanceof MessageEvent);
    message.port.close();
    port1.close();
  };
});
port1.on('close', () => order.push('close 1'));
port2.on('close', () => order.push('close 2'));
port2.ref(); // else nobody would wait for its end
assert.throws(() => port2.postMessage(() => {}), { name: 'DataCloneError' });
assert.throws(() => port2.postMessage(1, [port2]), { name: 'DataCloneError' });
assert.throws(() => new MessagePort(), { code: 'ERR_CONSTRUCT_CALL_INVALID' });

process.on('exit', () => {
  assert.deepStrictEqual(order, [
    { second: true }, 'tick', 'microtask', 'port', 'tick', 'microtask', 'waiting inside', 'close 1', 'close 2',
  ]);
});

// Methods called on something else, and how a port is shown: without the library's own fields.
{
  const { port1 } = new MessageChannel();
  for (const name of ['postMessage', 'close', 'start', 'ref', 'unref', 'hasRef']) {
    assert.throws(() => port1[name].call({}), { name: 'TypeError', message: 'Illegal invocation' });
  }
  port1.mine = 1;
  assert.strictEqual(require('node:util').inspect(port1), 'MessagePort [EventTarget] { active: true, refed: false, mine: 1 }');
  port1.close();
}

// postMessage answers true, also when nobody will read it; undefined when the port itself is closed.
{
  const ends = new MessageChannel();
  ends.port1.close();
  assert.strictEqual(ends.port1.postMessage(1), undefined);
  const moved = new MessageChannel();
  const carrier = new MessageChannel();
  assert.strictEqual(carrier.port1.postMessage(1, [moved.port1]), true);
  assert.strictEqual(moved.port1.postMessage(1), undefined);
  carrier.port1.close();
}
