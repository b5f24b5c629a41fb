// natives: none
// The search through schedules: from the default one on, each run tells which choices it had, and each other choice is a schedule to run.
// Schedules with fewer deviations come first, and none comes twice: a run is varied only behind its own last deviation.
'use strict';

// A deviation of a schedule, and the one before it.
class Deviation {
  constructor(before, position, letter, choice) {
    this.before = before;
    this.position = position;
    this.letter = letter;
    this.choice = choice;
    this.depth = before === null ? 1 : before.depth + 1;
  }
}

function scheduleText(last, prefix) {
  if (last === null) return `${prefix}0`;
  const parts = [];
  for (let at = last; at !== null; at = at.before) arrayPush.call(parts, `${at.position}${at.letter}${at.choice}`);
  return prefix + arrayJoin.call(arrayReverse.call(parts), '.');
}

// The values that the program gave to outcome() of rondo:explore.
function saidOf(notes) {
  const kMark = 'note outcome ';
  const said = [];
  if (notes === '') return said;
  for (const line of each(stringSplit.call(notes, '\n'))) {
    if (stringStartsWith.call(line, kMark)) arrayPush.call(said, JSON.parse(stringSlice.call(line, kMark.length)));
  }
  return said;
}

class Search {
  // limits: { bound, schedules, deeper }: all with at most `bound` deviations; more as long as there are fewer than `deeper`
  // schedules altogether; never more than `schedules`. With `byExitCode` nothing else tells outcomes apart.
  constructor(limits, prefix) {
    this.limits = limits;
    this.prefix = prefix;
    this.outcomes = new Map();
    this.schedules = 0;
    this.started = 0;
    this.underWay = 0;
    this.isLimited = false; // an operation was put off as often as it may be
    this.isCut = false; // schedules were left out
    this.isStopped = false;
    this.hasOutside = false;
    this.misfits = 0;
    this.runs = []; // that have alternatives not taken yet, with the place where to go on
    this.first = 0;
    this.pending = [null]; // deviations to run
  }

  // The next schedule's last deviation; undefined: none at present.
  next() {
    if (this.isStopped || this.started >= this.limits.schedules) {
      if (this.pending.length > 0 || this.first < this.runs.length) this.isCut = true;
      return undefined;
    }
    if (this.pending.length > 0) return this.start(arrayShift.call(this.pending));
    for (; this.first < this.runs.length; this.first++) {
      const run = this.runs[this.first];
      if (!this.mayVary(run)) {
        this.isCut = true;
      } else {
        const found = this.vary(run);
        if (found !== undefined) return this.start(found);
      }
      this.runs[this.first] = undefined;
    }
    if (this.first > 1024) {
      arraySplice.call(this.runs, 0, this.first);
      this.first = 0;
    }
    return undefined;
  }

  mayVary(run) {
    const depth = run.last === null ? 0 : run.last.depth;
    return depth < this.limits.bound || this.started < this.limits.deeper;
  }

  vary(run) {
    for (; run.position < run.choices.length; run.position++, run.choice = 1) {
      if (run.choice < run.choices.count(run.position)) {
        return new Deviation(run.last, run.position, run.choices.letter(run.position), run.choice++);
      }
    }
    return undefined;
  }

  start(last) {
    this.started++;
    this.underWay++;
    return last;
  }

  // Result of a schedule.
  finish(last, answer) {
    this.underWay--;
    this.schedules++;
    if (answer.isLimited) this.isLimited = true;
    if (answer.isOutside) this.hasOutside = true;
    if (answer.isMisfit) this.misfits++;
    const said = saidOf(answer.notes);
    const key = this.limits.byExitCode
      ? `${answer.exitCode}`
      : said.length > 0
        ? `${answer.exitCode} ${arrayJoin.call(said, '\n')}`
        : `${answer.exitCode} ${answer.stdout.length} ${answer.stdout}${answer.stderr}`;
    const known = this.outcomes.get(key);
    if (known !== undefined) {
      known.count++;
    } else {
      this.outcomes.set(key, {
        exitCode: answer.exitCode,
        stdout: answer.stdout,
        stderr: answer.stderr,
        count: 1,
        schedule: scheduleText(last, this.prefix),
        said,
        last,
        isStuck: answer.isStuck,
        isEndless: answer.isEndless,
      });
    }
    const position = last === null ? 0 : last.position + 1;
    if (position < answer.choices.length && !answer.isMisfit) {
      arrayPush.call(this.runs, { last, choices: answer.choices, position, choice: 1 });
    }
  }

  get isComplete() {
    return !this.isCut && !this.isLimited && !this.isStopped && this.misfits === 0 && !this.hasOutside;
  }
}

module.exports = { Search, scheduleText };
