// natives: none
// The doctor's questions to one runtime of a watched process, with patience by the clock of its thread: on a busy machine an answer comes
// when the thread has a processor again. A thread that ran or slept for as long as the patience since the question has reached its process
// (a pulse of a later time has come), and gave no answer, is in native code.
'use strict';

const { programFrames } = require('internal/observe/frames');
const { now } = require('internal/observe/thread_clock');

const kSamples = 3;
const kBetweenSamples = 8; // ms
const kPatience = 25; // ms of the thread
const kLongest = 60_000; // ms of the machine
const kRan = 10; // ms of the thread between the first sample and the last, to compare their counts
const kRounds = 40;
const kFew = 20; // more ticks, microtasks or timers between the samples are a recursion or a flood

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const lastOf = (list) => list[list.length - 1];

class Questions {
  // `known`: of one runtime, { number, clock, last: its last pulse }. `onAnswer`: gets each answer, those that came too late, too.
  constructor(peer, known, onAnswer) {
    this.peer = peer;
    this.known = known;
    this.onAnswer = onAnswer;
  }

  // → an answer with the stack and the counts, and the thread's `clock` then; undefined from native code.
  async counts() {
    const { clock, number } = this.known;
    const asked = now();
    let from, answer;
    const question = promiseThen(this.peer.ask('counts', number, kLongest), (given) => {
      answer = given ?? null;
      if (given === undefined) return;
      given.clock = clock.read();
      this.onAnswer(given);
    });
    while (answer === undefined && (from === undefined || clock.read() - from < kPatience)) {
      if (this.known.last?.now > asked) from ??= clock.read();
      await Promise.race([question, pause(kBetweenSamples)]);
    }
    return answer ?? undefined;
  }

  async samples(most = kSamples, enough = most) {
    const answers = [];
    let useful = 0;
    for (let i = 0; i < most && useful < enough; i++) {
      if (i > 0) await pause(kBetweenSamples);
      const answer = await this.counts();
      if (answer === undefined && answers.length === 0) break; // it may be in native code
      if (answer === undefined) continue;
      arrayPush.call(answers, answer);
      if (programFrames(answer.stack).length > 0) useful++;
    }
    return answers;
  }

  // Samples between which the thread hardly ran say nothing of how many ticks run: more are taken.
  async untilItRan(answers) {
    for (let i = 0; i < kRounds && answers.length > 0; i++) {
      if (answers.length > 1 && lastOf(answers).clock - answers[0].clock >= kRan) return;
      await pause(kBetweenSamples);
      const answer = await this.counts();
      if (answer === undefined) return;
      arrayPush.call(answers, answer);
    }
  }
}

function difference(answers, name) {
  if (answers.length < 2) return 0;
  return (lastOf(answers).said?.[name] ?? 0) - (answers[0].said?.[name] ?? 0);
}

// Many ticks, microtasks or timers between the samples, or as many as milliseconds.
function isMany(answers, name) {
  const kLeast = 5;
  const count = difference(answers, name);
  return count > kFew || (count >= kLeast && count >= lastOf(answers).clock - answers[0].clock);
}

module.exports = { Questions, difference, isMany, pause, kBetweenSamples };
