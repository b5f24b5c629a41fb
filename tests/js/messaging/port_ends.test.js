// How a channel ends, and what is still delivered, in Node's order: a port closes in the closing phase, its peer hears of it in the
// next iteration; what was sent before arrives.
'use strict';
const assert = require('node:assert');
const { AsyncLocalStorage } = require('node:async_hooks');
const { MessageChannel, receiveMessageOnPort } = require('node:worker_threads');

const logs = {};
let log;

function channel() {
  const made = new MessageChannel();
  made.port1.on('close', () => log('close1'));
  made.port2.on('close', () => log('close2'));
  return made;
}

const closed = (port) => new Promise((resolve) => port.once('close', resolve));
const immediate = () => new Promise((resolve) => setImmediate(resolve));

const cases = {
  async 'a port that closes itself reads nothing more'() {
    const { port1, port2 } = channel();
    port1.on('message', log);
    port2.postMessage(1);
    port1.close();
    await closed(port2);
  },

  async 'but a visit goes on to its end'() {
    const { port1, port2 } = channel();
    port1.on('message', (message) => {
      log(message);
      if (message !== 1) return;
      port2.postMessage(3);
      port1.close();
      port2.postMessage(4);
    });
    port2.postMessage(1);
    port2.postMessage(2);
    await closed(port2);
  },

  async 'what was sent before the close arrives, what is sent after it does not'() {
    const { port1, port2 } = channel();
    port2.on('message', log);
    port1.postMessage(1);
    port1.close();
    port1.postMessage(2);
    assert.throws(() => port1.postMessage(() => {}), { name: 'DataCloneError' });
    await closed(port2);
  },

  async 'a port that does not listen yet keeps its messages'() {
    const { port1, port2 } = channel();
    port1.postMessage(1);
    port1.postMessage(2);
    port1.close();
    await closed(port1);
    await immediate();
    log(receiveMessageOnPort(port2).message);
    port2.on('message', log);
    await closed(port2);
    log(receiveMessageOnPort(port2));
  },

  async 'a port that is sent away closes'() {
    const { port1, port2 } = channel();
    const outer = new MessageChannel();
    port1.on('message', log);
    port2.postMessage('waiting');
    outer.port1.postMessage(port1, [port1]);
    await closed(port1);
    assert.throws(() => outer.port1.postMessage(port1, [port1]), { name: 'DataCloneError' });
    const { message: moved } = receiveMessageOnPort(outer.port2);
    moved.on('message', (message) => { log(`moved ${message}`); moved.close(); });
    moved.on('close', () => log('moved closes'));
    await closed(port2);
    outer.port1.close();
    await closed(outer.port2);
  },

  async 'sent away by its own handler'() {
    const { port1, port2 } = channel();
    const outer = new MessageChannel();
    port1.on('message', (message) => { log(message); outer.port1.postMessage(port1, [port1]); });
    outer.port2.on('message', (moved) => moved.on('message', (message) => { log(`moved ${message}`); moved.close(); }));
    port2.postMessage(1);
    port2.postMessage(2);
    await closed(port2);
    outer.port1.close();
  },

  async 'an end in a message that nobody reads closes its channel'() {
    const { port1, port2 } = channel();
    const outer = new MessageChannel();
    outer.port1.postMessage(port1, [port1]);
    outer.port2.close();
    port2.ref();
    await closed(port2);
  },

  async 'a handler that throws leaves the rest to the next iteration'() {
    const { port1, port2 } = channel();
    process.once('uncaughtException', (error) => log(error.message));
    port1.on('message', (message) => {
      log(message);
      if (message === 1) throw new Error('expected');
      port1.close();
    });
    port2.postMessage(1);
    port2.postMessage(2);
    await closed(port2);
  },

  async 'messages come in the context of the port'() {
    const storage = new AsyncLocalStorage();
    const { port1, port2 } = storage.run('made', channel);
    port1.on('message', () => { log(storage.getStore()); port1.close(); });
    storage.run('sent', () => port2.postMessage(1));
    await closed(port2);
  },

  async 'ref'() {
    const { port1, port2 } = channel();
    port2.ref();
    log(port1.hasRef(), port2.hasRef());
    port1.close();
    await closed(port2);
    port2.ref();
    log(port2.hasRef());
  },

  async 'a broadcast channel that was closed hears nothing, the others go on'() {
    const one = new BroadcastChannel('ends'), two = new BroadcastChannel('ends'), three = new BroadcastChannel('ends');
    two.onmessage = ({ data }) => { log(`two ${data}`); two.close(); };
    const done = new Promise((resolve) => {
      three.onmessage = ({ data }) => { log(`three ${data}`); if (data === 2) resolve(); };
    });
    one.onmessage = log;
    one.postMessage(1);
    one.postMessage(2);
    one.close();
    assert.throws(() => one.postMessage(3), { name: 'InvalidStateError' });
    await done;
    three.close();
  },
};

const expected = {
  'a port that closes itself reads nothing more': ['close1', 'close2'],
  'but a visit goes on to its end': [1, 2, 3, 4, 'close1', 'close2'],
  'what was sent before the close arrives, what is sent after it does not': ['close1', 1, 'close2'],
  'a port that does not listen yet keeps its messages': ['close1', 1, 2, 'close2', undefined],
  'a port that is sent away closes': ['close1', 'moved waiting', 'moved closes', 'close2'],
  'sent away by its own handler': [1, 'close1', 'moved 2', 'close2'],
  'an end in a message that nobody reads closes its channel': ['close1', 'close2'],
  'a handler that throws leaves the rest to the next iteration': [1, 'expected', 2, 'close1', 'close2'],
  'messages come in the context of the port': ['made', 'close1', 'close2'],
  'ref': [false, true, 'close1', 'close2', false],
  'a broadcast channel that was closed hears nothing, the others go on': ['two 1', 'three 1', 'three 2'],
};

// Ports that are not ref'd do not keep the program alive; closing is waited for all the same.
const stay = setInterval(() => {}, 1000);
(async () => {
  for (const [name, run] of Object.entries(cases)) {
    const lines = logs[name] = [];
    log = (...values) => { lines.push(...values); };
    await immediate();
    await run();
  }
  clearInterval(stay);
})();

process.on('exit', () => assert.deepStrictEqual(logs, expected));
