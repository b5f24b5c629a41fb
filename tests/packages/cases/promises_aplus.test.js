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
tests(adapter, { reporter: 'dot' }, (error) => { outcome = error; });
process.on('exit', () => assert.strictEqual(outcome, null, `${outcome?.failures} of the suite failed`));
