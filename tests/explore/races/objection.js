// package: objection@1.5.3
// promiseUtils.map with a limit of two at once: no further item is begun once one has failed.
'use strict';

const { map } = require('objection/lib/utils/promiseUtils');
const { outcome } = require('rondo:explore');

const started = [];
const work = (item) => {
  started.push(item);
  return new Promise((resolve, reject) => setTimeout(() => (item === 2 ? reject(new Error('2')) : resolve()), item === 2 ? 3 : 5));
};
map([1, 2, 3, 4], work, { concurrency: 2 }).catch(() => {});
process.on('exit', () => outcome(started.join(' ')));
