// natives: none
// test('…', { explore: 500 }, fn) of node:test: the file is run once for each of so many schedules, with this test alone, and the test
// fails when one of these runs does.
'use strict';

const { Search } = require('internal/explore/search');
const { explore } = require('internal/explore/servers');
const { getOptionValue } = require('internal/process/options');
const { validateUint32 } = require('internal/util/validators');

const kLines = 30;

const escape = (text) => replaceMatches(text, /[\\^$.*+?()[\]{}|/]/g, (found) => `\\${found}`);

function optionsOf(test) {
  const kept = arrayFilter.call(process.execArgv, (option) => !stringStartsWith.call(option, '--test'));
  return [
    ...each(kept),
    `--test-name-pattern=/^${escape(stringTrim.call(test.nameWithAncestors))}$/`,
    '--test-reporter=spec',
    process.argv[1],
  ];
}

function messageOf(search, failed, args) {
  const { schedule, stdout, stderr, count } = failed[0];
  const lines = arraySlice.call(stringSplit.call(stdout + stderr, '\n'), 0, kLines);
  const words = arrayMap.call(args, (word) => (regexpTest.call(/^[\w./=-]+$/, word) ? word : `'${word}'`));
  return (
    `fails in ${count} of ${search.schedules} schedules\n` +
    `rondo replay ${arrayJoin.call(words, ' ')} --schedule=${schedule}\n\n${arrayJoin.call(lines, '\n')}`
  );
}

// The function that is run instead of the test's own. In an explored run it is the test's own.
function explored(test, schedules, fn) {
  validateUint32(schedules, 'options.explore', true);
  if (getOptionValue('--exploring')) return fn;
  return async () => {
    const args = optionsOf(test);
    const search = new Search({ bound: Infinity, deeper: 0, schedules, samples: true }, '');
    test.signal.addEventListener('abort', () => {
      search.isStopped = true;
    });
    await explore(search, args, require('internal/os/os').availableParallelism());
    const failed = arrayFilter.call(search.found, (outcome) => outcome.exitCode !== 0);
    if (failed.length > 0) throw new Error(messageOf(search, failed, args));
  };
}

module.exports = { explored };
