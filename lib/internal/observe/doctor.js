// natives: none
// rondo doctor: watches a program by its pulses (rules.js) and by what grows (leaks.js), asks for stacks where something is wrong, and
// says which function it is, while it lasts. One Doctor a watched process.
'use strict';

const { Rules, advice } = require('internal/observe/rules');
const { Leaks } = require('internal/observe/leaks');
const frames = require('internal/observe/frames');
const { RunDelay } = require('internal/observe/run_delay');

const { asPath, describeIn, programFrames, mostFrequent } = frames;
const { performance } = require('internal/perf/perf_hooks');

const kSamples = 3;
const kBetweenSamples = 8; // ms
const kMoreSamples = 25; // of a flood, until enough of them are in the program's own functions
const kEnough = 5;
const kFew = 20; // more ticks, microtasks or timers between the samples are a recursion or a flood
const kTimersPerSecond = 50_000;
const kMessagesPerSecond = 20_000; // of processes
const kPatience = 25; // ms for an answer of a thread that runs JavaScript
const kSlowStart = 500;
const kAgain = 5000; // ms until the same finding is told again
const kCountEvery = 250; // ms
const kOwnCallbacks = 2; // that a question makes
const kLookAgain = 200; // ms between two looks at a block that has been told

const lastOf = (list) => list[list.length - 1];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

class Doctor {
  constructor(peer, options, tell) {
    this.peer = peer;
    this.options = options;
    this.tell = tell;
    this.runtimes = new Map(); // number → { rules, … }
    this.told = new Map();
    this.delays = [];
    this.findings = 0;
    this.lastBlock = undefined;
    this.wentOnAt = -Infinity; // when a thread that a watcher held went on
    this.runDelay = new RunDelay(peer.pid);
  }

  runtime(number) {
    let known = this.runtimes.get(number);
    if (known === undefined) {
      known = { number, rules: new Rules(this.options), leaks: new Leaks(this, number), isAsking: false, startStacks: [], nextLook: 0 };
      this.runtimes.set(number, known);
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
    const known = this.runtime(pulse.runtime);
    const last = known.last;
    if (pulse.runtime === 0) this.withoutDelay(pulse);
    known.last = pulse;
    if (pulse.busy > 0) arrayPush.call(this.delays, pulse.busy);
    const found = known.rules.see(pulse);
    // A block that is over may have made timers late.
    if (last !== undefined && last.busy > this.options.threshold && pulse.busy < last.busy) this.askLate(pulse.runtime);
    if (pulse.iteration === 0) known.startTime = Math.max(known.startTime ?? 0, pulse.busy);
    if (pulse.iteration > 0 && known.startStacks.length > 0) this.endOfStart(known);
    this.count(known, pulse);
    known.leaks.see(pulse);
    for (let i = 0; i < found.length; i++) this.examine(found[i], known, pulse);
  }

  // Time without a processor is not the program's.
  withoutDelay(pulse) {
    this.runDelay.look(pulse.now, pulse.iteration === 0);
    if (pulse.busy === 0) return;
    // So long that it is worth telling all the same; but a start takes its time on a busy machine.
    const far = pulse.iteration === 0 ? Infinity : 2.5 * this.options.threshold;
    pulse.busy = this.fair(pulse.busy, far);
    pulse.phaseTime = this.fair(pulse.phaseTime, far);
  }

  // Of a time that ends now, the part with a processor. From `far` on the whole counts, unless hardly any of it had one.
  fair(time, far = Infinity) {
    const kHardly = 0.1;
    const part = Math.max(0.01, time - this.runDelay.during(time));
    return time >= far && part >= kHardly * this.options.threshold ? time : part;
  }

  // Four times a second, when the loop has its turn: timers that ran, and were late.
  async count(known, pulse) {
    if (pulse.now - (known.countedAt ?? 0) < kCountEvery) return;
    // A question wakes the loop: beside a recording an idle program is left alone.
    if (this.options.isSparing && pulse.callbacks - (known.callbacksAtCount ?? 0) <= kOwnCallbacks) return;
    known.countedAt = pulse.now;
    known.callbacksAtCount = pulse.callbacks;
    const answer = await this.peer.askLater('counts', known.number);
    const now = performance.now();
    this.takeLate(answer);
    if (!answer?.said) return;
    const { timers, messages } = answer.said;
    const before = known.timersAt;
    known.timersAt = { now, timers, messages };
    known.leaks.count(answer.said, known.last.now);
    if (before === undefined) return;
    const rate = (count) => (count * 1000) / Math.max(1, now - before.now);
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

  async samples(number, most = kSamples, enough = most) {
    const answers = [];
    let useful = 0;
    // On a busy machine an answer may be late: two are needed to compare.
    for (let i = 0; (i < most || (answers.length === 1 && i < most + kSamples)) && useful < enough; i++) {
      if (i > 0) await pause(kBetweenSamples);
      const answer = await this.peer.ask('counts', number, kPatience);
      if (answer === undefined && answers.length === 0) break; // it may be in native code
      if (answer === undefined) continue;
      this.takeLate(answer);
      arrayPush.call(answers, answer);
      if (programFrames(answer.stack).length > 0) useful++;
    }
    return answers;
  }

  // Samples between which the thread had no processor say nothing of how many ticks run: more are taken.
  async sampleUntilItRan(number, answers, from) {
    const kRan = 10; // ms
    const kRounds = 4;
    for (let i = 0; i < kRounds && answers.length > 0 && number === 0; i++) {
      const time = performance.now() - from;
      if (time - this.runDelay.during(time) >= kRan) return;
      await pause(kBetweenSamples);
      arrayPush.call(answers, ...each(await this.samples(number)));
    }
  }

  async look(name, known, pulse) {
    const from = performance.now();
    const isBlock = name === 'busy';
    const answers = isBlock ? await this.samples(pulse.runtime) : await this.samples(pulse.runtime, kMoreSamples, kEnough);
    if (isBlock) await this.sampleUntilItRan(pulse.runtime, answers, from);
    const busy = known.last.busy;
    const stacks = arrayMap.call(answers, ({ stack }) => stack);
    if (isBlock) {
      // It ended meanwhile, or another began.
      if (known.last.callbacks !== pulse.callbacks || busy < this.options.threshold) return;
      known.blockedFor = busy;
      known.nextLook = performance.now() + kLookAgain;
      await this.block(known, pulse, answers, stacks, busy);
    } else if (name === 'timers?') {
      const ran = difference(answers, 'timers');
      const cause = `${ran} timers in ${Math.round(performance.now() - from)} ms`;
      if (ran > kFew) await this.timerFlood(known, stacks, cause, 500);
    } else if (name === 'message-flood') {
      const receiving = arrayFilter.call(stacks, frames.isReceiving);
      if (!this.flood(name, receiving, causeOf(pulse), 500)) await this.usual(name, 'messages', causeOf(pulse), known.number);
    } else {
      this.flood(name, stacks, causeOf(pulse), Math.max(pulse.phaseTime, 500));
    }
  }

  flood(name, stacks, cause, ms) {
    const best = mostFrequent(stacks, frames.outermostOwn);
    if (best !== undefined) this.report(name, describeIn(best.frames, best.at), cause, ms);
    return best !== undefined;
  }

  // The function that most of the waiting timers call; else the one that was met.
  async timerFlood(known, stacks, cause, ms) {
    if (await this.usual('timer-flood', 'timers', cause, known.number)) return;
    this.flood('timer-flood', stacks, cause, ms);
  }

  // Callbacks too short to be met: the function that most of those are that wait.
  async usual(name, what, cause, number) {
    const kMany = 20;
    const found = (await this.peer.ask('usual', number))?.said?.[what]?.[0];
    if (found === undefined || (what === 'timers' && found.count < kMany)) return false;
    this.report(name, named(found), cause, 500);
    return true;
  }

  async block(known, pulse, answers, stacks, busy) {
    const isMany = (what) => difference(answers, what) > kFew;
    const name = isMany('ticks') ? 'tick-recursion' : isMany('microtasks') ? 'microtask-recursion' : undefined;
    if (name !== undefined) return this.recursion(name, known, pulse, stacks, busy);
    if (pulse.phase === 'timers' && isMany('timers')) return this.timerFlood(known, stacks, causeOf(pulse), busy);
    const found = frames.blockingFunction(stacks);
    if (found === undefined) return this.nativeBlock(known, pulse, answers, busy);
    if (pulse.iteration === 0) this.start(known, stacks, busy);
    // Modules that load one another, or the library's own files, are a start, not a block.
    if (pulse.iteration === 0) {
      if (frames.isLoading(found.frames)) return undefined;
      const recent = arraySlice.call(known.startStacks, -kSamples);
      const isCertain = recent.length === kSamples && !arraySome.call(recent, frames.isInLibrary);
      if (found.function === frames.kTopLevel && !isCertain) return undefined;
    }
    const outer = frames.outermostOwn(found.frames);
    const cause = outer <= found.index ? causeOf(pulse) : `${causeOf(pulse)} → ${inWords(describeIn(found.frames, outer))}`;
    this.lastBlock = { function: found.function, place: found.place };
    this.blockedAt = performance.now();
    return this.report('synchronous-block', found, cause, busy);
  }

  // Its steps may be short: samples are taken until some are in the program's own functions.
  async recursion(name, known, pulse, stacks, busy) {
    // Where the main script is on the stack, no tick and no microtask runs.
    const isInner = (stack) => !arraySome.call(stack, ({ 0: frame }) => frame === frames.kTopLevel);
    if (this.flood(name, arrayFilter.call(stacks, isInner), causeOf(pulse), busy)) return;
    const answers = await this.samples(pulse.runtime, kMoreSamples, kEnough);
    const more = arrayMap.call(answers, ({ stack }) => stack);
    this.flood(name, arrayFilter.call(more, isInner), causeOf(pulse), Math.max(busy, known.last.busy));
  }

  // Native code, a regular expression or WebAssembly: the program's thread does not come to a question, its other thread tells the stack.
  async nativeBlock(known, pulse, answers, busy) {
    if (pulse.iteration === 0 && answers.length > 0) return; // the library's own files are loading
    const first = await this.peer.look(pulse.runtime);
    await pause(kBetweenSamples);
    const seen = await this.peer.look(pulse.runtime);
    // It may have ended just before one of them.
    const found = frames.functionOfBoth(first?.stack, seen?.stack);
    const isSame = known.last.callbacks === pulse.callbacks && known.last.iteration === pulse.iteration;
    if (found === undefined || !isSame) return;
    if (!first.isInNative || !seen.isInNative) return this.lateAnswer(known, pulse, seen.stack, busy);
    const ms = Math.max(busy, known.last.busy);
    if (pulse.iteration === 0) this.start(known, [seen.stack], ms);
    if (pulse.iteration === 0 && isOfStart(found, seen.stack)) return;
    this.lastBlock = { function: found.function, place: found.place };
    this.blockedAt = performance.now();
    this.report('synchronous-block', this.lastBlock, `${causeOf(pulse)}, in ${nativeCall(seen.stack)}`, ms);
  }

  // JavaScript runs, and the machine was slow to answer.
  async lateAnswer(known, pulse, first, busy) {
    const answers = await this.samples(pulse.runtime);
    if (answers.length === 0 || known.last.callbacks !== pulse.callbacks) return undefined;
    const stacks = arrayMap.call(answers, ({ stack }) => stack);
    return this.block(known, pulse, answers, [first, ...each(stacks)], Math.max(busy, known.last.busy));
  }

  start(known, stacks, busy) {
    arrayPush.call(known.startStacks, ...each(stacks));
    if (busy < kSlowStart) return;
    const best = mostFrequent(known.startStacks, frames.innermost);
    if (best === undefined || known.hasSlowStart) return;
    known.hasSlowStart = true;
    this.report('slow-start', describeIn(best.frames, best.at), 'main script', busy);
  }

  // The function that most of the start was in may be another than at the threshold. No sample may have been taken behind that.
  endOfStart(known) {
    const best = mostFrequent(known.startStacks, frames.innermost);
    if (best !== undefined && known.startTime >= kSlowStart)
      this.report('slow-start', describeIn(best.frames, best.at), 'main script', known.startTime);
    known.startStacks = [];
  }

  async askLate(number) {
    this.takeLate(await this.peer.ask('counts', number));
  }

  // A watcher held the program's thread until now: what was late because of it is not the program's.
  goesOn() {
    this.wentOnAt = performance.now();
  }

  // Every answer has the timers that ran late since the one before.
  takeLate(answer) {
    const late = answer?.said?.late ?? [];
    for (let i = 0; i < late.length; i++) {
      if (performance.now() - this.wentOnAt < late[i].late + kCountEvery * 2) continue; // its thread was held meanwhile
      const isExplained = performance.now() - (this.blockedAt ?? -Infinity) < late[i].late + kCountEvery * 2;
      const ms = this.fair(late[i].late, isExplained ? 0 : Infinity);
      if (ms < this.options.threshold || late[i].place === '') continue;
      const cause = this.lastBlock ? `behind ${inWords(this.lastBlock)}` : 'behind other callbacks';
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
    this.takeLate({ said });
    this.takeLost(said.lost ?? []);
    if (said.alive.length > 0) return; // process.exit()
    for (let i = 0; i < said.unsettled.length; i++) {
      this.report('unsettled-promise', named(said.unsettled[i]), 'the program ended while it waited', 0);
    }
  }
}

const inWords = ({ function: name, place }) => `${name} (${place})`;
const named = ({ function: name, place }) => ({ function: name || '(anonymous)', place: asPath(place) });

function difference(answers, name) {
  if (answers.length < 2) return 0;
  return (lastOf(answers).said?.[name] ?? 0) - (answers[0].said?.[name] ?? 0);
}

const isOfStart = (found, stack) => found.function === frames.kTopLevel || frames.isLoading(found.frames) || frames.isInLibrary(stack);

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
