// fork: messages both ways in order, disconnect, what keeps a child alive, errors of send; JSON and advanced serialization.
'use strict';
const assert = require('node:assert');
const { fork, spawn } = require('node:child_process');

if (process.argv[2] === 'child') {
  assert.strictEqual(process.env.NODE_CHANNEL_FD, undefined);
  assert(process.connected);
  process.on('message', (message) => {
    if (message === 'bye') process.disconnect();
    else process.send(message, (error) => assert.strictEqual(error, null));
  });
  process.on('disconnect', () => { process.exitCode = 7; });
} else if (process.argv[2] === 'quiet') {
  process.once('exit', () => { process.exitCode = 3; });  // nobody listens: the channel does not hold it
} else {
  assert.strictEqual(process.send, undefined);
  const ended = [];
  talk('json', { deep: [1, 'ä', null], undefined: undefined }, { deep: [1, 'ä', null] });
  talk('advanced', { map: new Map([[1, Buffer.from('x')]]), big: 5n, when: new Date(9) });
  fork(__filename, ['quiet']).on('exit', (code) => ended.push(`quiet ${code}`));

  function talk(serialization, sent, expected = sent) {
    const child = fork(__filename, ['child'], { serialization });
    const got = [];
    const order = [];
    child.on('message', (message) => {
      got.push(message);
      if (got.length === 3) child.send('bye');
    });
    assert.strictEqual(child.send(sent), true);
    child.send('text');
    child.send(12);
    child.on('disconnect', () => {
      order.push('disconnect');
      assert.deepStrictEqual([child.connected, child.channel], [false, null]);
      child.send('late', (error) => {
        assert.strictEqual(error.code, 'ERR_IPC_CHANNEL_CLOSED');
        order.push('late');
      });
    });
    child.on('exit', (code) => order.push(`exit ${code}`));
    // The end of the channel may be the last that close waits for; then the tick of 'late' is still to come.
    child.on('close', () => setImmediate(() => {
      assert.deepStrictEqual(got, [expected, 'text', 12]);
      assert.deepStrictEqual(order.sort(), ['disconnect', 'exit 7', 'late']);
      ended.push(serialization);
    }));
  }

  const failing = fork(__filename, ['quiet']);
  assert.throws(() => failing.send(), { code: 'ERR_MISSING_ARGS' });
  assert.throws(() => failing.send(() => {}, undefined, undefined), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => failing.send('x', {}), { code: 'ERR_INVALID_HANDLE_TYPE' });
  assert.throws(() => failing.send('x', undefined, 'options'), { code: 'ERR_INVALID_ARG_TYPE' });
  failing.disconnect();
  failing.on('error', (error) => ended.push(error.code));
  failing.disconnect();
  assert.throws(() => fork(3), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => fork(__filename, { stdio: ['pipe', 'pipe', 'pipe'] }), { code: 'ERR_CHILD_PROCESS_IPC_REQUIRED' });
  assert.throws(() => spawn('x', { stdio: ['ipc', 'ipc'] }), { code: 'ERR_IPC_ONE_PIPE' });
  assert.throws(() => spawn('x', { serialization: 'other' }), { code: 'ERR_INVALID_ARG_VALUE' });
  process.on('exit', () => assert.deepStrictEqual(ended.sort(), ['ERR_IPC_DISCONNECTED', 'advanced', 'json', 'quiet 3']));
}
