// Debugger.setLoopBreakpoint: a phase, a late timer or a long queue stops the program at its next statement.
'use strict';

const assert = require('node:assert');
const { Session } = require('node:inspector');
const { Worker, isMainThread, workerData } = require('node:worker_threads');

// The program of a case, and its debugger on the main thread, which is told of each stop.
if (isMainThread) {
  const cases = ['phase', 'lateTimer', 'poolQueue', 'readyEvents', 'refused'];
  const next = () => {
    const name = cases.shift();
    if (name !== undefined) new Worker(__filename, { workerData: name }).on('exit', (code) => (assert.strictEqual(code, 0, name), next()));
  };
  next();
  return;
}

const session = new Session();
session.connect();
const stops = [];
function post(method, params) {
  let answer;
  session.post(method, params, (error, result) => { answer = error ? error.message : result; });
  return answer;
}
post('Debugger.enable');
session.on('Debugger.paused', ({ params }) => {
  stops.push({ reason: params.reason, data: params.data, hit: params.hitBreakpoints, name: params.callFrames[0].functionName });
});
const set = (params) => post('Debugger.setLoopBreakpoint', params);
const remove = ({ breakpointId }) => post('Debugger.removeBreakpoint', { breakpointId });

const programs = {
  phase() {
    const rule = set({ kind: 'phase', phase: 'check' });
    assert.deepStrictEqual(rule, { breakpointId: 'loop:1:phase:check' });
    setTimeout(function inTimers() {
      setImmediate(function inCheck() {
        remove(rule);
        setImmediate(function later() {
          assert.deepStrictEqual(stops, [{ reason: 'loop', data: { kind: 'phase', phase: 'check' }, hit: [rule.breakpointId], name: 'inCheck' }]);
        });
      });
    }, 1);
  },
  lateTimer() {
    const never = set({ kind: 'lateTimer', limit: 1e9 });
    setTimeout(function soon() {
      assert.deepStrictEqual(stops, []);
      remove(never);
      const rule = set({ kind: 'lateTimer', limit: 40 });
      setTimeout(function late() {
        remove(rule);
        setImmediate(() => {
          assert.strictEqual(stops.length, 1);
          const [{ reason, data, name }] = stops;
          assert.deepStrictEqual([reason, data.kind, data.limit, name], ['loop', 'lateTimer', 40, 'late']);
          assert(data.value >= 40, data.value);
        });
      }, 1);
      const begun = performance.now();
      while (performance.now() - begun < 60);
    }, 1);
  },
  poolQueue() {
    const crypto = require('node:crypto');
    const rule = set({ kind: 'poolQueue', limit: 3 });
    (function fill() {
      for (let i = 0; i < 4; i++) crypto.pbkdf2('a', 'b', 1, 8, 'sha1', () => {});
    })();
    remove(rule);
    setImmediate(() => {
      assert.strictEqual(stops[0].name, 'fill');
      assert.deepStrictEqual(stops[0].data, { kind: 'poolQueue', limit: 3, value: 3 });
    });
  },
  readyEvents() {
    const rule = set({ kind: 'readyEvents', limit: 1 });
    const server = require('node:net').createServer(function connected(socket) {
      remove(rule);
      socket.destroy();
      server.close();
      setImmediate(() => assert.deepStrictEqual([stops[0].reason, stops[0].data.kind], ['loop', 'readyEvents']));
    });
    server.listen(0, '127.0.0.1', () => require('node:net').connect(server.address().port, '127.0.0.1').on('error', () => {}));
  },
  refused() {
    const bad = 'Inspector error -32602: Invalid parameters';
    for (const params of [{}, { kind: 'none' }, { kind: 'phase' }, { kind: 'phase', phase: 'none' }, { kind: 'lateTimer' }, { kind: 'lateTimer', limit: -1 }, { kind: 'poolQueue', limit: '3' }]) {
      assert.strictEqual(set(params), bad, JSON.stringify(params));
    }
    set({ kind: 'phase', phase: 'check' });
    post('Debugger.disable'); // takes it away
    assert.strictEqual(set({ kind: 'phase', phase: 'check' }), 'Inspector error -32000: Debugger agent is not enabled');
    setImmediate(() => assert.deepStrictEqual(stops, []));
  },
};
programs[workerData]();
