// natives: none
// rondo explore: options, processes, the search, and what is told at the end.
'use strict';

const { Search, scheduleText } = require('internal/explore/search');
const { explore, Server, ServerGone } = require('internal/explore/servers');
const { parse, UsageError } = require('internal/observe/command');

const kUsage = 2;
const kExitDiffers = 1;

const kOptions = {
  __proto__: null,
  '--json': 'flag',
  '--all': 'flag',
  '--check-determinism': 'flag',
  '--expect-one': 'flag',
  '--faults': 'flag',
  '--real-fs': 'flag',
  '--test': 'flag',
  '--bound': 'value',
  '--schedules': 'value',
  '--for': 'time',
  '--seed': 'value',
  '--jobs': 'value',
};

const kUsualBound = 3;
const kDeeper = 2000; // schedules beyond the bound are run while there are fewer than this
const kUsualTime = 60_000;
const kProgress = 200;
const kUsualChecks = 20; // schedules that --check-determinism runs twice

function showProgress(search) {
  const waiting = search.runs.length - search.first;
  process.stderr.write(`\r\x1b[K${search.schedules} schedules, ${search.outcomes.size} outcomes, ${waiting} runs to vary`);
}

function numberOf(options, name, usual, least) {
  if (options[name] === undefined) return usual;
  const number = Number(options[name]);
  if (!(number >= least) || Math.floor(number) !== number) throw new UsageError(`${name} is a whole number from ${least} on`);
  return number;
}

function limitsOf(options) {
  const isAll = options['--all'] === true;
  if (isAll && options['--bound'] !== undefined) throw new UsageError('either --all or --bound can be used, not both');
  const bound = isAll ? Infinity : numberOf(options, '--bound', kUsualBound, 0);
  return {
    bound,
    deeper: options['--bound'] === undefined ? kDeeper : 0,
    samples: options['--bound'] === undefined && !isAll,
    schedules: numberOf(options, '--schedules', Infinity, 1),
    time: options['--for'] ?? (isAll || options['--schedules'] !== undefined ? Infinity : kUsualTime),
  };
}

function jsonOf(search) {
  const outcomes = [];
  for (const outcome of each(search.found)) {
    const { exitCode, stdout, stderr, count, schedule } = outcome;
    const told = { exitCode, stdout, stderr, count, schedule };
    if (outcome.said.length > 0) told.outcome = outcome.said;
    if (outcome.isStuck) told.hangs = true;
    if (outcome.isEndless) told.endless = true;
    arrayPush.call(outcomes, told);
  }
  return JSON.stringify({ schedules: search.schedules, complete: search.isComplete, outcomes });
}

// The report, for which some schedules are run once more, shorter or explained.
async function tell(search, args, serverArgs, asJson) {
  const server = new Server(serverArgs);
  const { kMostOutcomes, print } = require('internal/explore/report');
  await require('internal/explore/shrink').shrinkOutcomes(search, kMostOutcomes, (schedule) => server.run(schedule));
  const known = new Map();
  const explain = async (last) => {
    const schedule = scheduleText(last, search.prefix);
    if (!known.has(schedule)) known.set(schedule, (await server.run(`!${schedule}`)).notes);
    return known.get(schedule);
  };
  if (asJson) process.stdout.write(`${jsonOf(search)}\n`);
  else await print(search, args, explain);
  server.close();
}

// Exit code 1: two runs by one schedule differed.
async function checkDeterminism(serverArgs, prefix, limits, search) {
  const most = limits.schedules === Infinity ? kUsualChecks : limits.schedules;
  const found = await require('internal/explore/determinism').check(serverArgs, prefix, most, () => search.isStopped);
  if (found.schedule === undefined) {
    process.stdout.write(`${found.schedules} schedules, each run twice: no difference\n`);
    return 0;
  }
  process.stdout.write(`two runs by the schedule ${found.schedule} differ:\n  ${found.difference[0]}\n  ${found.difference[1]}\n`);
  return kExitDiffers;
}

async function main(args) {
  const { options, rest } = parse(args, kOptions);
  if (rest.length === 0) throw new UsageError('a script is wanted');
  const limits = limitsOf(options);
  const seed = numberOf(options, '--seed', 1, 0);
  const prefix = (seed === 1 ? '' : `s${seed}:`) + (options['--faults'] ? 'f:' : '');
  const search = new Search(limits, prefix);
  const jobs = numberOf(options, '--jobs', require('internal/os/os').availableParallelism(), 1);
  const stop = () => {
    search.isStopped = true;
  };
  process.on('SIGINT', stop);
  const progress = process.stderr.isTTY && !options['--json'] ? setInterval(showProgress, kProgress, search) : null;
  const timer = limits.time === Infinity ? null : setTimeout(stop, limits.time);
  const ownArgs = options['--real-fs'] ? ['--real-fs'] : [];
  if (options['--test']) return require('internal/explore/suite').run(rest, ownArgs, limits, prefix, jobs, () => search.isStopped);
  const serverArgs = [...each(ownArgs), ...each(rest)];
  if (options['--check-determinism']) return checkDeterminism(serverArgs, prefix, limits, search);
  await explore(search, serverArgs, jobs);
  clearTimeout(timer);
  clearInterval(progress);
  if (progress !== null) process.stderr.write('\r\x1b[K');
  await tell(search, rest, serverArgs, options['--json'] === true);
  return options['--expect-one'] && search.outcomes.size > 1 ? kExitDiffers : 0;
}

async function run(args) {
  try {
    process.exitCode = await main(args);
  } catch (error) {
    if (error instanceof ServerGone && error.exitCode > 0) process.exitCode = error.exitCode;
    else if (!(error instanceof UsageError)) throw error;
    else {
      process.stderr.write(`rondo explore: ${error.message}\n`);
      process.exitCode = kUsage;
    }
  }
  process.exit();
}

module.exports = { run };
