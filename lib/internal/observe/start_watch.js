// natives: none
// The doctor's part for a program's start: everything before the first iteration. It is one callback of the loop, in which many
// functions run one after another, so stacks are taken from its beginning on, by the process's other thread.
'use strict';

const frames = require('internal/observe/frames');

const { programFrames, describeIn, commonFrame, isNamed, kTopLevel } = frames;

const kEvery = 20; // ms of the thread between two stacks
const kFirst = 20;
const kSlow = 500;
const kMostStacks = 500;
const kMost = 0.6; // of the start: the function it is about
const kPart = 0.25;
const kFewest = 4; // stacks of a block

const keyOf = ({ 0: name, 1: place }) => `${name}\n${frames.fileOf(place)}`;
const lastOf = (list) => list[list.length - 1];

class StartWatch {
  constructor(doctor, known) {
    this.doctor = doctor;
    this.known = known;
    this.seen = []; // { clock, stack }
    this.time = 0;
    this.isLooking = false;
  }

  // With each pulse of iteration 0.
  see(pulse) {
    this.time = Math.max(this.time, pulse.busy);
    if (pulse.busy < kFirst || this.isLooking || pulse.clock - (lastOf(this.seen)?.clock ?? -kEvery) < kEvery) return;
    this.isLooking = true;
    this.look(pulse);
  }

  async look({ runtime, clock }) {
    const seen = await this.doctor.peer.look(runtime);
    this.isLooking = false;
    if (seen === undefined || this.known.last.iteration > 0 || this.seen.length >= kMostStacks) return;
    arrayPush.call(this.seen, { clock: Math.max(clock, this.known.last.clock), stack: seen.stack });
    if (this.time >= kSlow && !this.hasTold) this.tell();
  }

  // A function that was on all stacks for as long as the threshold. → { function, place, frames, index, ms } or undefined.
  block(threshold) {
    const last = lastOf(this.seen);
    const recent = arrayFilter.call(this.seen, ({ clock }) => last.clock - clock <= threshold);
    const stacks = arrayMap.call(recent, ({ stack }) => programFrames(stack));
    if (recent.length < Math.min(kFewest, threshold / kEvery) || arraySome.call(stacks, ({ length }) => length === 0)) return undefined;
    const index = commonFrame(stacks);
    const stack = lastOf(stacks);
    if (index < 0 || frames.isLoading(stack)) return undefined;
    const ms = this.lasted(stack, index);
    const returned = justReturned(stacks, stack.length - index);
    if (returned !== undefined) return { ...describeIn(returned.frames, returned.index), ...returned, ms };
    // Modules that load one another, or the library's own files, are a start, not a block; a loop of the main script itself is.
    if (stack[index][0] === kTopLevel && arraySome.call(recent, ({ stack: whole }) => !isAtTopLevel(whole))) return undefined;
    return { ...describeIn(stack, index), frames: stack, index, ms };
  }

  // How long the function of a frame was on the stack, up to now.
  lasted(stack, index) {
    const depth = stack.length - index;
    const key = keyOf(stack[index]);
    let i = this.seen.length - 1;
    for (; i > 0; i--) {
      const before = programFrames(this.seen[i - 1].stack);
      if (before.length < depth || keyOf(before[before.length - depth]) !== key) break;
    }
    return lastOf(this.seen).clock - (i === 0 ? this.seen[0].clock - kEvery : this.seen[i].clock);
  }

  // Time in which functions of the program were on the stack: the runtime's own start, compiling TypeScript for one, is not its.
  ownTime() {
    const own = arrayFilter.call(this.seen, ({ stack }) => programFrames(stack).length > 0);
    return (this.time * own.length) / Math.max(1, this.seen.length);
  }

  tell() {
    if (this.ownTime() < kSlow) return;
    const found = busiest(arrayMap.call(this.seen, ({ stack }) => programFrames(stack)));
    if (found === undefined) return;
    this.hasTold = true;
    this.doctor.report('slow-start', found, 'main script', this.time);
  }

  // The function that most of the start was in may be another than at half a second.
  end() {
    if (this.time >= kSlow) this.tell();
    this.seen = [];
  }
}

const isAtTopLevel = (stack) => arrayFind.call(stack, ({ 1: place }) => place !== '')?.[0] === kTopLevel;

// The last look may come when the function that blocked has just returned: a function inside the common one that is on all other stacks.
// → { frames, index } or undefined
function justReturned(stacks, commonDepth) {
  const others = arraySlice.call(stacks, 0, -1);
  if (others.length < kFewest - 1) return undefined;
  const index = commonFrame(others);
  const found = lastOf(others);
  return found.length - index > commonDepth && isNamed(found[index]) ? { frames: found, index } : undefined;
}

// From the main script inwards, the last function that most stacks are in; of a script that calls several, the one that has a good part.
function busiest(stacks) {
  const all = arrayFilter.call(stacks, ({ length }) => length > 0);
  let found;
  let inside = all;
  for (let depth = 1; ; depth++) {
    const best = largest(inside, depth);
    if (best === undefined) break;
    const share = best.length / all.length;
    const isScript = found === undefined || found.function === kTopLevel;
    if (share < kMost && !(isScript && share >= kPart)) break;
    inside = best;
    const stack = lastOf(best);
    found = describeIn(stack, stack.length - depth);
  }
  return found;
}

// Those of the stacks that have the same function `depth` frames from their outermost: the largest such group.
function largest(stacks, depth) {
  const groups = new Map();
  let best;
  for (let i = 0; i < stacks.length; i++) {
    const stack = stacks[i];
    if (stack.length < depth) continue;
    const key = keyOf(stack[stack.length - depth]);
    const group = groups.get(key) ?? [];
    arrayPush.call(group, stack);
    groups.set(key, group);
    if (best === undefined || group.length > best.length) best = group;
  }
  return best;
}

module.exports = { StartWatch };
