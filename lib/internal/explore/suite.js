// natives: none
// rondo explore --test FILES: each test file is run in many schedules. One that passes in some and fails in others is told with the two
// callbacks whose order decides, and with the schedule that shows it.
'use strict';

const { Search, scheduleText } = require('internal/explore/search');
const { explore, Server } = require('internal/explore/servers');

const kUsualSchedules = 200;

async function explainer(search, serverArgs) {
  const server = new Server(serverArgs);
  const known = new Map();
  return {
    close: () => server.close(),
    run: (schedule) => server.run(schedule),
    explain: async (last) => {
      const schedule = scheduleText(last, search.prefix);
      if (!known.has(schedule)) known.set(schedule, (await server.run(`!${schedule}`)).notes);
      return known.get(schedule);
    },
  };
}

// Two outcomes of a file are different when one fails and the other does not.
async function testFile(file, own, limits, prefix, jobs, shouldStop) {
  const schedules = limits.schedules === Infinity ? kUsualSchedules : limits.schedules;
  const search = new Search({ ...limits, deeper: schedules, schedules, byExitCode: true }, prefix);
  const serverArgs = [...each(own), file];
  search.isStopped = shouldStop();
  await explore(search, serverArgs, jobs);
  const outcomes = search.found;
  const failed = arrayFilter.call(outcomes, (outcome) => outcome.exitCode !== 0);
  if (failed.length === 0) {
    process.stdout.write(`pass   ${file}: ${search.schedules} schedules\n`);
    return 0;
  }
  let count = 0;
  for (const outcome of each(failed)) count += outcome.count;
  const word = failed.length === outcomes.length ? 'fail  ' : 'flaky ';
  const { explain, close, run } = await explainer(search, serverArgs);
  await require('internal/explore/shrink').shrinkOutcomes(search, outcomes.length, run);
  process.stdout.write(`${word} ${file}: fails in ${count} of ${search.schedules} schedules\n`);
  process.stdout.write(await require('internal/explore/report').describe(failed[0], [file], explain));
  close();
  return 1;
}

// Exit code 1: a file fails in one schedule at least.
async function run(files, own, limits, prefix, jobs, shouldStop) {
  let failures = 0;
  for (const file of each(files)) failures += await testFile(file, own, limits, prefix, jobs, shouldStop);
  return failures > 0 ? 1 : 0;
}

module.exports = { run };
