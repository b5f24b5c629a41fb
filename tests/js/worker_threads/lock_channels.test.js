// Diagnostics channels of navigator.locks: start, grant or miss, end, with what the request was.
'use strict';

const assert = require('assert');
const { subscribe } = require('diagnostics_channel');
const { locks } = require('worker_threads');

const told = [];
for (const word of ['start', 'grant', 'miss', 'end']) subscribe(`locks.request.${word}`, (message) => told.push([word, { ...message }]));
const shown = { name: 'a', mode: 'exclusive' };

(async () => {
  await locks.request('a', () => 1);
  const end = { ...shown, steal: false, ifAvailable: false, error: undefined };
  assert.deepStrictEqual(told.splice(0), [['start', shown], ['grant', shown], ['end', end]]);
  await locks.request('a', () => locks.request('a', { ifAvailable: true }, (lock) => assert.strictEqual(lock, null)));
  assert.deepStrictEqual(told.splice(0).map(([word]) => word), ['start', 'grant', 'start', 'miss', 'end', 'end']);
  const error = new Error('on purpose');
  await assert.rejects(locks.request('a', { mode: 'shared' }, () => { throw error; }), error);
  assert.deepStrictEqual(told.at(-1), ['end', { ...end, mode: 'shared', error }]);
})();
