// natives: none
// The search through schedules: from the default one on, each run tells which choices it had, and each other choice is a schedule to run.
// Schedules with fewer deviations come first, and none comes twice: a run is varied only behind its own last deviation. Before them samples
// are run (src/cli/explore_run.h): one of a busy machine before all others, then more, most where there are many choices.
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

// The deviations of a run, by its log.
function deviationsOf(choices) {
  let last = null;
  for (let i = 0; i < choices.length; i++) {
    const choice = choices.choice(i);
    if (choice > 0) last = new Deviation(last, i, choices.letter(i), choice);
  }
  return last;
}

function alternativesOf(choices) {
  let count = 0;
  for (let i = 0; i < choices.length; i++) count += choices.count(i) - 1;
  return count;
}

const kMany = 48; // alternatives of the default run
const samplesOf = (alternatives) => (alternatives < kMany ? 6 : 24);

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
  // limits: { bound, schedules, deeper, samples }: all with at most `bound` deviations; more as long as there are fewer than `deeper`
  // schedules altogether; never more than `schedules`. With `byExitCode` nothing else tells outcomes apart. `samples`: they may be run.
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
    this.samples = 0; // taken so far
    this.mostSamples = limits.samples && limits.schedules > 1 ? 1 : 0;
    this.sampling = 0; // samples under way
    this.sampled = new Map(); // answers, by schedule
  }

  // The number of a random schedule to run now (src/cli/explore_run.h), or undefined.
  nextSample() {
    if (this.isStopped || this.samples >= this.mostSamples || this.started >= this.limits.schedules) return undefined;
    this.start();
    this.sampling++;
    return this.samples++;
  }

  // The next schedule's last deviation; undefined: none at present. One that was a sample is not run again.
  next() {
    for (;;) {
      const last = this.sampling > 0 ? undefined : this.nextUnknown();
      if (last === undefined || this.sampled.size === 0) return last;
      const answer = this.sampled.get(scheduleText(last, this.prefix));
      if (answer === undefined) return last;
      this.started--;
      this.finish(last, answer, true);
    }
  }

  nextUnknown() {
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

  // The text by which outcomes are told apart.
  keyOf({ exitCode, stdout, stderr, notes }) {
    if (this.limits.byExitCode) return `${exitCode}`;
    const said = saidOf(notes);
    return said.length > 0 ? `${exitCode} ${arrayJoin.call(said, '\n')}` : `${exitCode} ${stdout.length} ${stdout}${stderr}`;
  }

  // Result of a sample. It counts like any other schedule, but nothing is varied behind it.
  finishSample(answer) {
    this.underWay--;
    this.sampling--;
    if (answer.isOutside) this.hasOutside = true;
    const last = deviationsOf(answer.choices);
    const text = scheduleText(last, this.prefix);
    if (this.sampled.has(text)) {
      this.started--;
      return;
    }
    this.note(last, answer);
    this.sampled.set(text, answer);
  }

  // Result of a schedule.
  finish(last, answer, isKnown = false) {
    this.underWay--;
    if (answer.isLimited) this.isLimited = true;
    if (answer.isOutside) this.hasOutside = true;
    if (answer.isMisfit) this.misfits++;
    if (!isKnown) this.note(last, answer);
    if (last === null) {
      this.show(this.outcomes.get(this.keyOf(answer)), null);
      if (this.mostSamples > 0) {
        this.mostSamples = samplesOf(alternativesOf(answer.choices));
        this.sampled.set(scheduleText(null, this.prefix), answer);
      }
    }
    const position = last === null ? 0 : last.position + 1;
    if (position < answer.choices.length && !answer.isMisfit) {
      arrayPush.call(this.runs, { last, choices: answer.choices, position, choice: 1 });
    }
  }

  // An outcome is told by the schedule with the fewest deviations that shows it.
  note(last, answer) {
    const number = ++this.schedules;
    const key = this.keyOf(answer);
    const outcome = this.outcomes.get(key);
    if (outcome === undefined) {
      const { exitCode, stdout, stderr, notes, isStuck, isEndless } = answer;
      const schedule = scheduleText(last, this.prefix);
      this.outcomes.set(key, {
        ...{ exitCode, stdout, stderr, count: 1, schedule, last, isStuck, isEndless },
        said: saidOf(notes),
        first: number,
      });
      return;
    }
    outcome.count++;
    if (last !== null && outcome.last !== null && last.depth < outcome.last.depth) this.show(outcome, last);
  }

  show(outcome, last) {
    outcome.last = last;
    outcome.schedule = scheduleText(last, this.prefix);
  }

  // Outcomes in the order in which they were found, that of the default schedule before all.
  get found() {
    const all = [...each(this.outcomes.values())];
    const isDefault = (outcome) => outcome.last === null;
    return [...each(arrayFilter.call(all, isDefault)), ...each(arrayFilter.call(all, (outcome) => !isDefault(outcome)))];
  }

  get isComplete() {
    return !this.isCut && !this.isLimited && !this.isStopped && this.misfits === 0 && !this.hasOutside;
  }
}

module.exports = { Deviation, scheduleText, Search };
