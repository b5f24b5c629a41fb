// natives: none
// Stacks as the watched process sends them: [[function, place], …], innermost first. Pure functions, for doctor and why.
'use strict';

// "file:///a.js:1:2" as a path.
function asPath(place) {
  return stringStartsWith.call(place, 'file://') ? decodeURI(stringSlice.call(place, 'file://'.length)) : place;
}

const kAnonymous = '(anonymous)',
  kTopLevel = '(top level)';

const isProgram = ({ 1: place }) =>
  place !== '' && !stringStartsWith.call(place, 'node:') && place !== '<anonymous>' && !stringStartsWith.call(place, 'native');
const isDependency = ({ 1: place }) => stringIncludes.call(place, '/node_modules/');
const isNamed = ({ 0: name }) => name !== kAnonymous && name !== kTopLevel && name !== '';

// The program's own frames.
function programFrames(stack) {
  return arrayFilter.call(stack ?? [], isProgram);
}

function fileOf(place) {
  const found = regexpExec.call(/^(.*?):\d+(?::\d+)?$/, place);
  return found === null ? place : found[1];
}

function describe(frame) {
  if (frame === undefined) return { function: '', place: '' };
  const { 0: name, 1: place } = frame;
  return { function: name === '' ? kAnonymous : name, place: asPath(place) };
}

// The same of frame `at` of a stack. A function without a name is called by the one around it: that has called it, in the same file.
function describeIn(frames, at) {
  const found = describe(frames[at]);
  if (found.function !== kAnonymous) return found;
  for (let i = at + 1; i < frames.length; i++) {
    if (fileOf(frames[i][1]) !== fileOf(frames[at][1])) break;
    if (isNamed(frames[i])) return { ...found, function: frames[i][0] };
  }
  return found;
}

const isSameFunction = (a, b) => a[0] === b[0] && fileOf(a[1]) === fileOf(b[1]);

// The innermost function that is in all the stacks: the one that goes on while those it calls come and go. → index into the last stack
function commonFrame(all) {
  const last = all[all.length - 1];
  const shortest = Math.min(...each(arrayMap.call(all, (frames) => frames.length)));
  let common = -1;
  for (let depth = 1; depth <= shortest; depth++) {
    const here = arrayMap.call(all, (frames) => frames[frames.length - depth]);
    if (!arrayEvery.call(here, (frame) => isSameFunction(frame, here[0]))) break;
    common = last.length - depth;
  }
  return common;
}

// Which function a few stacks of one block are about: the one that most of them are in; else what all have in common.
// → { function, place, index, frames } or undefined.
function blockingFunction(stacks) {
  const all = arrayFilter.call(arrayMap.call(stacks, programFrames), (frames) => frames.length > 0);
  if (all.length === 0) return undefined;
  const best = mostFrequent(stacks, innermost);
  if (best.count * 3 >= all.length * 2 && isNamed(best.frames[0])) return { ...describe(best.frames[0]), index: 0, frames: best.frames };
  const index = commonFrame(all);
  const frames = all[all.length - 1];
  if (index < 0) return { ...describeIn(best.frames, 0), index: 0, frames: best.frames };
  return { ...describeIn(frames, index), index, frames };
}

// The innermost function that two stacks have in common. → { function, place, index, frames } or undefined
function functionOfBoth(first, second) {
  const all = [programFrames(first), programFrames(second)];
  const index = commonFrame(all);
  return index < 0 ? undefined : { ...describeIn(all[1], index), index, frames: all[1] };
}

// Of many stacks: the frame that `choose` (frames → index) takes from each, by how often its function occurs. → { frames, at, count }
function mostFrequent(stacks, choose) {
  const counts = new Map();
  let best;
  for (let i = 0; i < stacks.length; i++) {
    const frames = programFrames(stacks[i]);
    if (frames.length === 0) continue;
    const at = choose(frames);
    const key = `${describeIn(frames, at).function}\n${fileOf(frames[at][1])}`;
    const entry = counts.get(key) ?? { frames, at, count: 0 };
    entry.count++;
    counts.set(key, entry);
    if (best === undefined || entry.count > best.count) best = entry;
  }
  return best;
}

const innermost = () => 0;
// Of the program's own files, where there is one.
function innermostOwn(frames) {
  const at = arrayFindIndex.call(frames, (frame) => !isDependency(frame));
  return at < 0 ? 0 : at;
}
// The outermost of the program's own functions that has a name: in a flood, the one that is called again and again.
function outermostNamed(frames) {
  const at = arrayFindLastIndex.call(frames, (frame) => !isDependency(frame) && isNamed(frame));
  return at < 0 ? outermostOwn(frames) : at;
}
function outermostOwn(frames) {
  const at = arrayFindLastIndex.call(frames, (frame) => !isDependency(frame));
  return at < 0 ? frames.length - 1 : at;
}

// A stack of a function that allocates counts more when the function itself does, not the library on its behalf.
function mostAllocating(stacks) {
  const isDirect = (stack) => {
    const first = arrayFind.call(stack, ({ 1: place }) => place !== '');
    return first !== undefined && isProgram(first) && !isDependency(first);
  };
  const direct = arrayFilter.call(stacks, isDirect);
  return mostFrequent(direct.length > 0 ? direct : stacks, innermostOwn);
}

const isReceiving = (stack) =>
  arraySome.call(stack, ({ 1: place }) => regexpTest.call(/^node:internal\/(?:messaging|worker|child_process)\//, place));

// Modules that load one another are on the stack.
const isLoading = (frames) => arrayFilter.call(frames, ({ 0: name }) => name === kTopLevel).length > 1;

module.exports = {
  asPath,
  fileOf,
  programFrames,
  describeIn,
  blockingFunction,
  functionOfBoth,
  mostFrequent,
  innermostOwn,
  outermostOwn,
  outermostNamed,
  commonFrame,
  isNamed,
  mostAllocating,
  isReceiving,
  isLoading,
  kTopLevel,
};
