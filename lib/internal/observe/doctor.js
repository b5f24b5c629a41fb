// natives: none
// rondo doctor: watches a program by its pulses (rules.js), by what grows (leaks.js) and by its start (start_watch.js), asks for stacks
// where something is wrong (questions.js), and says which function it is, while it lasts. Times are those of the program's thread
// (thread_clock.js). One Doctor a watched process.
'use strict';

const { Rules, advice } = require('internal/observe/rules');
const { Leaks } = require('internal/observe/leaks');
const frames = require('internal/observe/frames');
const { ThreadClock, now: machineTime } = require('internal/observe/thread_clock');
const { Questions, difference, isMany, pause, kBetweenSamples } = require('internal/observe/questions');
const { StartWatch } = require('internal/observe/start_watch');

const { asPath, describeIn, programFrames, mostFrequent } = frames;
const { performance } = require('internal/perf/perf_hooks');

const kMoreSamples = 25; // of a flood, until enough of them are in the program's own functions
const kEnough = 5;
const kTimersPerSecond = 50_000;
const kMessagesPerSecond = 20_000; // of processes
const kAgain = 5000; // ms until the same finding is told again
const kCountEvery = 250; // ms
const kWhenever = 600_000; // an answer that comes when the loop has its turn
const kOwnCallbacks = 2; // that a question makes
const kLookAgain = 200; // ms between two looks at a block that has been told

class Doctor {
  constructor(peer, options, tell) {
    this.peer = peer;
    this.options = options;
    this.tell = tell;
    this.runtimes = new Map(); // number → { rules, … }
    this.told = new Map();
    this.delays = [];
    this.findings = 0;
    this.wentOnAt = -Infinity; // when a thread that a watcher held went on
    this.clocks = new Map([[peer.pid, new ThreadClock(peer.pid)]]); // by thread
  }

  runtime(number, thread = this.peer.pid) {
    let known = this.runtimes.get(number);
    if (known === undefined) {
      const clock = this.clocks.get(thread) ?? new ThreadClock(this.peer.pid, thread);
      this.clocks.set(thread, clock);
      known = { number, clock, rules: new Rules(this.options), leaks: new Leaks(this, number), isAsking: false, nextLook: 0 };
      known.questions = new Questions(this.peer, known, (answer) => this.takeLate(answer, known));
      known.start = new StartWatch(this, known);
      this.runtimes.set(number, known);
      if (number !== 0) this.peer.askLater('watchLateness', number, kWhenever); // the first one has been asked at the start
    }
    return known;
  }

  // A finding of one class and function is told again only after some time.
  report(name, found, cause, ms) {
    const key = `${name} ${found.function} ${found.function[0] === '(' ? found.place : frames.fileOf(found.place)}`;
    const now = performance.now();
    if (now - (this.told.get(key) ?? -Infinity) < kAgain) return;
    this.told.set(key, now);
    this.findings++;
    this.tell({
      kind: 'finding',
      class: name,
      function: found.function,
      place: found.place,
      cause,
      ms: Math.round(ms * 10) / 10,
      advice: advice[name],
    });
  }

  see(pulse) {
    const known = this.runtime(pulse.runtime, pulse.thread);
    const last = known.last;
    this.toThreadTime(pulse, known.clock);
    known.last = pulse;
    if (pulse.busy > 0) arrayPush.call(this.delays, pulse.busy);
    const found = known.rules.see(pulse);
    // A block that is over may have made timers late.
    if (last !== undefined && last.busy > this.options.threshold && pulse.busy < last.busy) known.questions.counts();
    if (pulse.iteration === 0) known.start.see(pulse);
    else if (last?.iteration === 0) known.start.end();
    this.count(known, pulse);
    known.leaks.see(pulse);
    for (let i = 0; i < found.length; i++) this.examine(found[i], known, pulse);
  }

  // Times of a pulse, without those for which its thread had no processor; `clock` is when it was.
  toThreadTime(pulse, clock) {
    clock.look(pulse.collecting);
    pulse.clock = clock.when(pulse.now);
    if (pulse.busy === 0) return;
    pulse.busy = Math.max(0.01, clock.part(pulse.busy, pulse.now));
    pulse.phaseTime = Math.max(0.01, clock.part(pulse.phaseTime, pulse.now));
  }

  // Four times a second, when the loop has its turn: timers that ran, and were late.
  async count(known, pulse) {
    if (known.isCounting || pulse.now - (known.countedAt ?? 0) < kCountEvery) return;
    // A question wakes the loop: beside a recording an idle program is left alone.
    if (this.options.isSparing && pulse.callbacks - (known.callbacksAtCount ?? 0) <= kOwnCallbacks) return;
    known.countedAt = pulse.now;
    known.callbacksAtCount = pulse.callbacks;
    known.isCounting = true;
    const answer = await this.peer.askLater('counts', known.number, kWhenever);
    known.isCounting = false;
    const clock = known.clock.read();
    this.takeLate(answer, known);
    if (!answer?.said) return;
    const { timers, messages } = answer.said;
    const before = known.timersAt;
    known.timersAt = { clock, timers, messages };
    known.leaks.count(answer.said, known.last.clock);
    if (before === undefined) return;
    const rate = (count) => (count * 1000) / Math.max(1, clock - before.clock);
    if (rate(timers - before.timers) >= kTimersPerSecond) this.examine('timers?', known, known.last);
    if (rate(messages - before.messages) >= kMessagesPerSecond) this.examine('message-flood', known, known.last);
  }

  examine(name, known, pulse) {
    if (name === 'pool-saturation') {
      const stack = programFrames(pulse.jobStack);
      const cause = `${pulse.jobs[0] - pulse.jobs[1]} jobs for ${this.options.threads} threads`;
      if (stack.length > 0) this.report(name, describeIn(stack, frames.innermostOwn(stack)), cause, pulse.jobWait);
    } else if (!known.isAsking && (name !== 'busy' || performance.now() >= known.nextLook || pulse.busy < known.blockedFor)) {
      known.isAsking = true;
      const isOver = () => {
        known.isAsking = false;
      };
      promiseThen(this.look(name, known, pulse), isOver, isOver);
    }
  }

  async look(name, known, pulse) {
    const from = known.clock.read();
    const isBlock = name === 'busy';
    const { questions } = known;
    const answers = isBlock ? await questions.samples() : await questions.samples(kMoreSamples, kEnough);
    if (isBlock) await questions.untilItRan(answers);
    const busy = known.last.busy;
    const stacks = arrayMap.call(answers, ({ stack }) => stack);
    if (isBlock && answers.length === 1) return; // one says nothing of what runs
    if (isBlock) {
      // It ended meanwhile, or another began.
      if (!isWithin(answers, pulse) || known.last.callbacks !== pulse.callbacks || busy < this.options.threshold) return;
      known.blockedFor = busy;
      known.nextLook = performance.now() + kLookAgain;
      await this.block(known, pulse, answers, stacks, busy);
    } else if (name === 'timers?') {
      const cause = `${difference(answers, 'timers')} timers in ${Math.round(known.clock.read() - from)} ms`;
      if (isMany(answers, 'timers')) await this.timerFlood(known, stacks, cause, 500);
    } else if (name === 'message-flood') {
      await this.messageFlood(known, stacks, causeOf(pulse));
    } else {
      this.flood(name, stacks, causeOf(pulse), Math.max(pulse.phaseTime, 500));
    }
  }

  flood(name, stacks, cause, ms) {
    const best = mostFrequent(stacks, frames.outermostNamed);
    if (best !== undefined) this.report(name, describeIn(best.frames, best.at), cause, ms);
    return best !== undefined;
  }

  // The function that most of the waiting timers call; else, or where it has no name, the one that was met.
  async timerFlood(known, stacks, cause, ms) {
    const kMany = 20;
    const kTries = 10; // none may wait where the program is just making some, or has run them all
    let found;
    let isUsual = false;
    for (let i = 0; i < kTries && !isUsual; i++) {
      if (i > 0) await pause(kBetweenSamples);
      found = await this.usual('timers', known.number);
      isUsual = found !== undefined && found.count >= kMany;
    }
    if (isUsual && found.function !== '') this.report('timer-flood', named(found), cause, ms);
    else if (!this.flood('timer-flood', stacks, cause, ms) && isUsual) this.report('timer-flood', named(found), cause, ms);
  }

  // Callbacks too short to be met: the function that most of those are that wait.
  async usual(what, number) {
    return (await this.peer.ask('usual', number))?.said?.[what]?.[0];
  }

  async messageFlood(known, stacks, cause) {
    if (this.flood('message-flood', arrayFilter.call(stacks, frames.isReceiving), cause, 500)) return;
    const found = await this.usual('messages', known.number);
    if (found !== undefined) this.report('message-flood', named(found), cause, 500);
  }

  async block(known, pulse, answers, stacks, busy) {
    const name = isMany(answers, 'ticks') ? 'tick-recursion' : isMany(answers, 'microtasks') ? 'microtask-recursion' : undefined;
    if (name !== undefined) return this.recursion(name, known, pulse, stacks, busy);
    if (pulse.phase === 'timers' && isMany(answers, 'timers')) return this.timerFlood(known, stacks, causeOf(pulse), busy);
    if (pulse.iteration === 0) return this.blockAtStart(known, pulse, stacks);
    const found = frames.blockingFunction(stacks);
    if (found === undefined) return this.nativeBlock(known, pulse, answers, busy);
    return this.reportBlock(known, found, pulse, busy);
  }

  reportBlock(known, found, pulse, ms) {
    const outer = frames.outermostOwn(found.frames);
    const cause = outer <= found.index ? causeOf(pulse) : `${causeOf(pulse)} → ${inWords(describeIn(found.frames, outer))}`;
    known.lastBlock = { function: found.function, place: found.place };
    this.report('synchronous-block', found, cause, ms);
  }

  // One of the functions of a start that goes on for as long as a block. Its place is best known from the thread's own answer.
  blockAtStart(known, pulse, stacks) {
    const found = known.start.block(this.options.threshold);
    if (found === undefined || found.ms < this.options.threshold) return;
    const answered = frames.blockingFunction(stacks);
    this.reportBlock(known, answered?.function === found.function ? { ...answered } : found, pulse, found.ms);
  }

  // Its steps may be short: samples are taken until some are in the program's own functions.
  async recursion(name, known, pulse, stacks, busy) {
    // Where the main script is on the stack, no tick and no microtask runs.
    const isInner = (stack) => !arraySome.call(stack, ({ 0: frame }) => frame === frames.kTopLevel);
    if (this.flood(name, arrayFilter.call(stacks, isInner), causeOf(pulse), busy)) return;
    const answers = await known.questions.samples(kMoreSamples, kEnough);
    if (!isWithin(answers, pulse)) return;
    const more = arrayMap.call(answers, ({ stack }) => stack);
    this.flood(name, arrayFilter.call(more, isInner), causeOf(pulse), Math.max(busy, known.last.busy));
  }

  // Native code, a regular expression or WebAssembly: the program's thread does not come to a question, its other thread tells the stack.
  async nativeBlock(known, pulse, answers, busy) {
    const first = await this.peer.look(pulse.runtime);
    await pause(kBetweenSamples);
    const seen = await this.peer.look(pulse.runtime);
    // It may have ended just before one of them.
    const found = frames.functionOfBoth(first?.stack, seen?.stack);
    const isSame = known.last.callbacks === pulse.callbacks && known.last.iteration === pulse.iteration;
    if (found === undefined || !isSame) return;
    if (!first.isInNative || !seen.isInNative) return this.lateAnswer(known, pulse, seen.stack, busy);
    known.lastBlock = { function: found.function, place: found.place };
    this.report('synchronous-block', known.lastBlock, `${causeOf(pulse)}, in ${nativeCall(seen.stack)}`, Math.max(busy, known.last.busy));
  }

  // JavaScript runs, and the machine was slow to answer.
  async lateAnswer(known, pulse, first, busy) {
    const answers = await known.questions.samples();
    if (answers.length === 0 || !isWithin(answers, pulse)) return undefined;
    const stacks = arrayMap.call(answers, ({ stack }) => stack);
    return this.block(known, pulse, answers, [first, ...each(stacks)], Math.max(busy, known.last.busy));
  }

  // A watcher held the program's thread until now: what was late because of it is not the program's.
  goesOn() {
    this.wentOnAt = performance.now();
  }

  // Every answer has the timers that ran late since the one before.
  takeLate(answer, known) {
    const late = answer?.said?.late ?? [];
    if (late.length === 0) return;
    known.clock.look();
    for (let i = 0; i < late.length; i++) {
      if (performance.now() - this.wentOnAt < late[i].late + kCountEvery * 2) continue; // its thread was held meanwhile
      const ms = known.clock.part(late[i].late, machineTime() - late[i].ago);
      if (ms < this.options.threshold || late[i].place === '') continue;
      const cause = known.lastBlock ? `behind ${inWords(known.lastBlock)}` : 'behind other callbacks';
      this.report('late-timer', named(late[i]), cause, ms);
    }
  }

  // Async functions that nothing can wake any more.
  takeLost(lost) {
    for (let i = 0; i < lost.length; i++) this.report('unsettled-promise', named(lost[i]), 'nothing refers to what it waits for', 0);
  }

  // The program's last message.
  end({ said }) {
    if (said === null) return;
    this.takeLate({ said }, this.runtime(0));
    this.takeLost(said.lost ?? []);
    if (said.alive.length > 0) return; // process.exit()
    for (let i = 0; i < said.unsettled.length; i++) {
      this.report('unsettled-promise', named(said.unsettled[i]), 'the program ended while it waited', 0);
    }
  }
}

// Whether the callback of a pulse still ran at the last answer. On a busy machine pulses come later than answers.
function isWithin(answers, { callbacks }) {
  const last = answers[answers.length - 1];
  return last === undefined || last.callbacks === callbacks;
}

const inWords = ({ function: name, place }) => `${name} (${place})`;
const named = ({ function: name, place }) => ({ function: name || '(anonymous)', place: asPath(place) });

// The library's function that the program called: "native code of readFileSync".
function nativeCall(stack) {
  const own = arrayFindIndex.call(stack, (frame) => programFrames([frame]).length > 0);
  const name = own > 0 ? stack[own - 1][0] : '';
  return regexpTest.call(/^[\w$]+$/, name) ? `native code of ${name}` : 'native code';
}

// The loop's phase and cause when it began.
function causeOf({ iteration, phase, event }) {
  if (iteration === 0) return 'main script';
  if (phase === 'timers') return 'timer';
  if (phase === 'check') return 'immediate';
  return event || (phase === 'update time' ? 'a callback' : phase);
}

module.exports = { Doctor };
