// Errors of what was begun in a domain come to it, whichever way they took: thrown in a callback of any kind, emitted by an emitter
// made inside, rejected after an await. Outside nothing is caught.
'use strict';
const assert = require('assert');
const domain = require('domain');
const EventEmitter = require('events');
const fs = require('fs');

const ways = {
  thrown: (fail) => fail(),
  tick: (fail) => process.nextTick(fail),
  timeout: (fail) => setTimeout(fail, 1),
  immediate: (fail) => setImmediate(fail),
  file: (fail) => fs.stat('/', fail),
  awaited: async (fail) => { await 1; await 2; fail(); },
  'timer after await': async (fail) => { await 1; setTimeout(fail, 1); },
  emitter: (fail, error) => { const emitter = new EventEmitter(); setImmediate(() => emitter.emit('error', error)); },
};

const heard = [];
const names = Object.keys(ways);
process.on('exit', () => assert.deepStrictEqual(heard, names));
let next = 0;
function go() {
  if (next === names.length) return;
  const name = names[next++];
  const d = domain.create();
  d.on('error', (error) => {
    assert.strictEqual(error.message, name);
    assert.strictEqual(error.domain, name === 'awaited' ? undefined : d);
    if (name !== 'awaited') assert.notStrictEqual(process.domain, d);
    heard.push(name);
    setImmediate(go);
  });
  const error = new Error(name);
  d.run(() => {
    assert.strictEqual(process.domain, d);
    ways[name](() => { throw error; }, error);
  });
}
go();
