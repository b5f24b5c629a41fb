// natives: none
// rondo doctor: watches a program by its pulses (rules.js), asks for stacks where something is wrong, and says which function it is, while
// it lasts. One Doctor a watched process.
'use strict';

const { Rules, advice } = require('internal/observe/rules');
const { asPath, programFrames, describe, commonFrame, mostFrequent, innermost, outermost } = require('internal/observe/frames');

const { performance } = require('internal/perf/perf_hooks');

const kSamples = 3;
const kBetweenSamples = 8; // ms
const kFewPerSecond = 100; // ticks, microtasks or timers between two samples that are a recursion or a flood
const kPatience = 25; // ms for an answer of a thread that runs JavaScript
const kSlowStart = 1000;
const kAgain = 5000; // ms until the same finding is told again

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
  }

  runtime(number) {
    let known = this.runtimes.get(number);
    if (known === undefined) {
      known = { rules: new Rules(this.options), isAsking: false, blocked: -1, startSamples: [], allocating: [] };
      this.runtimes.set(number, known);
    }
    return known;
  }

  // A finding of one class and function is told again only after some time.
  find(name, found, cause, ms) {
    const key = `${name} ${found.function} ${found.place}`;
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
    known.last = pulse;
    if (pulse.busy > 0) arrayPush.call(this.delays, pulse.busy);
    const found = known.rules.see(pulse);
    if (pulse.iteration === 0) known.startFrom ??= pulse.now - pulse.busy;
    // A block that is over may have made timers late.
    if (last !== undefined && last.busy > this.options.threshold && pulse.busy < last.busy) this.askLate(known, pulse.runtime);
    if (last !== undefined && last.collections !== pulse.collections) this.sampleAllocation(known, pulse.runtime);
    for (let i = 0; i < found.length; i++) this.examine(found[i], known, pulse);
  }

  examine(name, known, pulse) {
    if (name === 'pool-saturation') {
      this.find(
        name,
        fromLabel(pulse.jobPlace),
        `${pulse.jobs[0] - pulse.jobs[1]} jobs for ${this.options.threads} threads`,
        pulse.jobWait,
      );
    } else if (name === 'handle-leak') {
      const { opened, closed } = lastOf(known.rules.handles);
      const first = known.rules.handles[0];
      const grown = opened - closed - (first.opened - first.closed);
      this.find(name, fromLabel(pulse.handlePlace), `${grown} more open in ${Math.round(pulse.now - first.now)} ms`, pulse.now - first.now);
    } else if (name === 'memory-leak' || name === 'gc-pressure') {
      const best = mostFrequent(known.allocating, innermost);
      if (best === undefined) return;
      const megabytes = Math.round(pulse.heap / 1024 / 1024);
      const cause = name === 'memory-leak' ? `the heap has grown to ${megabytes} MB` : `${pulse.collections} collections`;
      this.find(name, describe(best.frame), cause, pulse.collecting);
    } else if (!known.isAsking) {
      known.isAsking = true;
      const isOver = () => {
        known.isAsking = false;
      };
      promiseThen(this.look(name, known, pulse), isOver, isOver);
    }
  }

  async sampleAllocation(known, number) {
    const now = performance.now();
    if (now - (known.allocationAt ?? 0) < 50) return;
    known.allocationAt = now;
    const answer = await this.peer.ask('stack', number, 50);
    if (answer === undefined) return;
    arrayPush.call(known.allocating, answer.stack);
    if (known.allocating.length > 32) arrayShift.call(known.allocating);
  }

  async samples(number) {
    const answers = [];
    for (let i = 0; i < kSamples; i++) {
      if (i > 0) await pause(kBetweenSamples);
      const answer = await this.peer.ask('counts', number, kPatience);
      if (answer === undefined) continue;
      this.takeLate(answer);
      arrayPush.call(answers, answer);
    }
    return answers;
  }

  async look(name, known, pulse) {
    const from = performance.now();
    const answers = await this.samples(pulse.runtime);
    const busy = known.last.busy;
    const stacks = arrayMap.call(answers, ({ stack }) => stack);
    if (name === 'busy') {
      // It ended meanwhile, or another began.
      if (busy < this.options.threshold) return;
      this.block(known, pulse, answers, stacks, busy);
    } else if (name === 'timers?') {
      const ran = difference(answers, 'timers');
      if (ran > kFewPerSecond) this.flood('timer-flood', stacks, `${ran} timers in ${Math.round(performance.now() - from)} ms`, 500);
    } else {
      this.flood(name, stacks, causeOf(pulse), 500);
    }
  }

  flood(name, stacks, cause, ms) {
    const best = mostFrequent(stacks, outermost);
    if (best !== undefined) this.find(name, describe(best.frame), cause, ms);
  }

  block(known, pulse, answers, stacks, busy) {
    if (difference(answers, 'ticks') > kFewPerSecond) return this.flood('tick-recursion', stacks, causeOf(pulse), busy);
    if (difference(answers, 'microtasks') > kFewPerSecond) return this.flood('microtask-recursion', stacks, causeOf(pulse), busy);
    if (pulse.phase === 'timers' && difference(answers, 'timers') > kFewPerSecond)
      return this.flood('timer-flood', stacks, causeOf(pulse), busy);
    const frame = commonFrame(stacks);
    if (frame === undefined) return this.nativeBlock(known, pulse, answers, busy);
    // Modules that load one another, or the library's own files, are a start, not a block.
    const best = mostFrequent(stacks, innermost);
    const isLoading = (describe(frame).function === '(top level)' && best.count < stacks.length) || arrayEvery.call(stacks, isInLibrary);
    if (pulse.iteration === 0 && isLoading) return this.start(known, pulse, stacks, busy);
    const found = describe(frame);
    const outer = outermost(programFrames(stacks[0]));
    const isOwn = outer[0] === frame[0] && outer[1] === frame[1];
    const cause = isOwn ? causeOf(pulse) : `${causeOf(pulse)} → ${describe(outer).function} (${asPath(outer[1])})`;
    this.lastBlock = found;
    return this.find('synchronous-block', found, cause, busy);
  }

  // Native code, a regular expression or WebAssembly: the thread does not come to a question before it has ended.
  nativeBlock(known, pulse, answers, busy) {
    if (pulse.iteration === 0 && answers.length > 0)
      return this.start(
        known,
        pulse,
        arrayMap.call(answers, ({ stack }) => stack),
        busy,
      );
    if (known.isNative) return undefined;
    known.isNative = true;
    return this.whenNativeEnds(known, pulse, busy);
  }

  async whenNativeEnds(known, pulse, busy) {
    const answer = await this.peer.ask('stack', pulse.runtime, 60_000);
    known.isNative = false;
    const frame = programFrames(answer?.stack)[0];
    if (frame === undefined) return;
    this.lastBlock = describe(frame);
    this.find('synchronous-block', this.lastBlock, `${causeOf(pulse)}, in native code`, Math.max(busy, known.last.busy));
  }

  start(known, pulse, stacks, busy) {
    arrayPush.call(known.startSamples, ...each(stacks));
    if (busy < kSlowStart) return;
    const best = mostFrequent(known.startSamples, innermost);
    if (best !== undefined) this.find('slow-start', describe(best.frame), 'main script', busy);
  }

  async askLate(known, number) {
    this.takeLate(await this.peer.ask('counts', number));
  }

  // Every answer has the timers that ran late since the one before.
  takeLate(answer) {
    const late = answer?.said?.late ?? [];
    for (let i = 0; i < late.length; i++) {
      if (late[i].late < this.options.threshold || late[i].place === '') continue;
      const cause = this.lastBlock ? `behind ${this.lastBlock.function} (${this.lastBlock.place})` : 'behind other callbacks';
      this.find('late-timer', { function: late[i].function, place: asPath(late[i].place) }, cause, late[i].late);
    }
  }

  // The program's last message.
  end({ said }) {
    if (said === null) return;
    this.takeLate({ said });
    if (said.alive.length > 0) return; // process.exit()
    for (let i = 0; i < said.unsettled.length; i++) {
      const { function: name, place } = said.unsettled[i];
      this.find('unsettled-promise', { function: name || '(top level)', place: asPath(place) }, 'the program ended while it waited', 0);
    }
  }
}

// "name (place)" of the library's own labels.
function fromLabel(label) {
  const found = regexpExec.call(/^(.*) \((.*)\)$/, label ?? '');
  return found === null ? { function: '(top level)', place: asPath(label ?? '') } : { function: found[1], place: asPath(found[2]) };
}

const isInLibrary = (stack) => stringStartsWith.call(stack[0]?.[1] ?? 'node:', 'node:');

function difference(answers, name) {
  if (answers.length < 2) return 0;
  return (lastOf(answers).said?.[name] ?? 0) - (answers[0].said?.[name] ?? 0);
}

// The loop's phase and cause when it began.
function causeOf({ iteration, phase, event }) {
  if (iteration === 0) return 'main script';
  if (phase === 'timers') return 'timer';
  if (phase === 'check') return 'immediate';
  return event || (phase === 'update time' ? 'a callback' : phase);
}

module.exports = { Doctor };
