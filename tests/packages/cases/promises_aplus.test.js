// promises-aplus-tests: every test of the Promises/A+ suite against the engine's promises.
'use strict';
const assert = require('node:assert');
const tests = require('promises-aplus-tests');

const adapter = {
  resolved: (value) => Promise.resolve(value),
  rejected: (reason) => Promise.reject(reason),
  deferred: () => Promise.withResolvers(),
};
let outcome;
process.on('unhandledRejection', () => {});
// Its own limit of 200 ms a test is too short for a busy machine.
tests(adapter, { reporter: 'dot', timeout: 20000 }, (error) => { outcome = error; });
process.on('exit', () => assert.strictEqual(outcome, null, `${outcome?.failures} of the suite failed`));
