// natives: sqlite
// backup(): copies a database into a file, in batches of pages, while the program goes on.
'use strict';

const binding = native('sqlite');
const { integerOption, option, rangeError, requireObject } = require('internal/sqlite/errors');
const { locationOf } = require('internal/sqlite/location');

const kDefaultRate = 100;

// The copy from its first batch to its last; settles the promise.
function copy(job, rate, progress, resolve, reject) {
  function end(error, total) {
    const failure = job.finish();
    if (error !== undefined) reject(error.reason);
    else if (failure !== undefined) reject(failure);
    else resolve(total);
  }
  function onStep(error, total, remaining, isDone) {
    if (error !== null) return end({ reason: error });
    if (isDone && remaining === 0) return end(undefined, total);
    if (progress !== undefined && remaining !== 0) {
      try {
        progress({ totalPages: total, remainingPages: remaining });
      } catch (reason) {
        return end({ reason });
      }
    }
    job.step(rate, onStep);
  }
  job.step(rate, onStep);
}

function backup(sourceDb, path, options = undefined) {
  requireObject(sourceDb, 'sourceDb');
  binding.isInTransaction(sourceDb); // throws unless it is an open database
  const location = locationOf(path);
  let source = 'main';
  let target = 'main';
  let rate = kDefaultRate;
  let progress;
  if (options !== undefined) {
    requireObject(options, 'options');
    rate = integerOption(options, 'rate', rate);
    if (rate < 1 && options.rate !== undefined && rate !== -1) throw rangeError('The "options.rate" argument must be greater than 0.');
    source = option(options, 'source', 'string', source);
    target = option(options, 'target', 'string', target);
    progress = option(options, 'progress', 'function');
  }
  return new Promise((resolve, reject) => {
    copy(binding.newBackup(sourceDb, location, source, target), rate, progress, resolve, reject);
  });
}

module.exports = { backup };
