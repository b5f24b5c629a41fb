// moveMessagePortToContext: the port, what it receives and what it throws are of the vm context; the old port is of no use any more.
'use strict';
const assert = require('assert');
const vm = require('vm');
const { test } = require('node:test');
const { MessageChannel, moveMessagePortToContext } = require('worker_threads');

const event = (port) => new Promise((resolve) => {
  port.onmessage = resolve;
  port.onmessageerror = resolve;
});

test('messages are values of the context, and go both ways', async () => {
  const { port1, port2 } = new MessageChannel();
  const context = vm.createContext({});
  const moved = moveMessagePortToContext(port1, context);
  const within = vm.runInContext('({ Object, Array, Map, Error })', context);
  assert.ok(moved instanceof within.Object && !(moved instanceof Object));
  assert.strictEqual(moved.onmessage, undefined);
  port2.postMessage({ list: [1], map: new Map([[1, 2]]) });
  const received = event(moved);
  moved.start();
  const { data, type, target, ports } = await received;
  assert.ok(data instanceof within.Object && data.list instanceof within.Array && data.map instanceof within.Map);
  assert.deepStrictEqual([data.list[0], data.map.get(1), type, target, ports.length], [1, 2, 'message', moved, 0]);
  const answer = new Promise((resolve) => port2.once('message', resolve));
  moved.postMessage(vm.runInContext('({ answer: [42] })', context));
  assert.deepStrictEqual(await answer, { answer: [42] });
  port2.close();
});

test('ports that come along are of the context too, and may go on', async () => {
  const { port1, port2 } = new MessageChannel(), other = new MessageChannel();
  const context = vm.createContext({});
  const moved = moveMessagePortToContext(port1, context);
  const received = event(moved);
  moved.start();
  port2.postMessage({ port: other.port1 }, [other.port1]);
  const { data, ports } = await received;
  assert.strictEqual(ports[0], data.port);
  assert.ok(data.port instanceof moved.constructor);
  const back = new Promise((resolve) => port2.once('message', resolve));
  moved.postMessage(data.port, [data.port]);
  const returned = await back;
  returned.postMessage('through');
  assert.strictEqual((await new Promise((resolve) => other.port2.once('message', (message) => resolve({ message })))).message, 'through');
  for (const port of [port2, other.port2]) port.close();
});

test('what cannot be cloned is an error of the context', () => {
  const { port1, port2 } = new MessageChannel();
  const context = vm.createContext({});
  context.port = moveMessagePortToContext(port1, context);
  const [isError, name, code] = vm.runInContext(`
    try { port.postMessage(() => {}); } catch (error) { [error instanceof Error, error.name, error.code]; }`, context);
  assert.deepStrictEqual([isError, name, code], [true, 'DataCloneError', 25]);
  port2.close();
});

test('objects of the library stay outside: messageerror, and the next message arrives', async () => {
  const { port1, port2 } = new MessageChannel();
  const moved = moveMessagePortToContext(port1, vm.createContext({}));
  let received = event(moved);
  moved.start();
  port2.postMessage(require('crypto').createSecretKey(Buffer.from('key')));
  const { type, data } = await received;
  assert.deepStrictEqual([type, data.code], ['messageerror', 'ERR_MESSAGE_TARGET_CONTEXT_UNAVAILABLE']);
  received = event(moved);
  port2.postMessage('next');
  assert.strictEqual((await received).data, 'next');
  port2.close();
});

test('closed ports, other objects and no contexts are refused', () => {
  const { port1, port2 } = new MessageChannel();
  assert.throws(() => moveMessagePortToContext(port1, {}), { code: 'ERR_INVALID_ARG_TYPE', message: 'Invalid context argument' });
  assert.throws(() => moveMessagePortToContext({}, vm.createContext({})), { code: 'ERR_INVALID_ARG_TYPE' });
  port2.close();
  assert.throws(() => moveMessagePortToContext(port2, vm.createContext({})), { code: 'ERR_CLOSED_MESSAGE_PORT' });
});
