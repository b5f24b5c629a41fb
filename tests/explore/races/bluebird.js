// package: bluebird@3.5.0
// A promise that is fulfilled by a timer, with a later time-out: where both are due in one visit of the timers, the time-out wins, because
// reactions come after them.
'use strict';

const Promise = require('bluebird');
const { outcome } = require('rondo:explore');

new Promise((resolve) => setTimeout(resolve, 10)).timeout(12).then(
  () => outcome('fulfilled'),
  (error) => outcome(error.name),
);
