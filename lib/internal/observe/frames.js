// natives: none
// Stacks as the watched process sends them: [[function, place], …], innermost first. Pure functions, for doctor and why.
'use strict';

// "file:///a.js:1:2" as a path.
function asPath(place) {
  return stringStartsWith.call(place, 'file://') ? decodeURI(stringSlice.call(place, 'file://'.length)) : place;
}

const isProgram = ({ 1: place }) =>
  place !== '' && !stringStartsWith.call(place, 'node:') && place !== '<anonymous>' && !stringStartsWith.call(place, 'native');

// The program's own frames.
function programFrames(stack) {
  return arrayFilter.call(stack ?? [], isProgram);
}

function describe(frame) {
  if (frame === undefined) return { function: '', place: '' };
  const { 0: name, 1: place } = frame;
  return { function: name === '' || name === 'Object.<anonymous>' ? '(top level)' : name, place: asPath(place) };
}

function fileOf(place) {
  const found = regexpExec.call(/^(.*?):\d+(?::\d+)?$/, place);
  return found === null ? place : found[1];
}

const isSameFunction = (a, b) => a[0] === b[0] && fileOf(a[1]) === fileOf(b[1]);

// The innermost function that is in all the stacks: the one that goes on while those it calls come and go.
function commonFrame(stacks) {
  const all = arrayFilter.call(arrayMap.call(stacks, programFrames), (frames) => frames.length > 0);
  if (all.length === 0) return undefined;
  const shortest = Math.min(...each(arrayMap.call(all, (frames) => frames.length)));
  let common;
  for (let depth = 1; depth <= shortest; depth++) {
    const here = arrayMap.call(all, (frames) => frames[frames.length - depth]);
    if (!arrayEvery.call(here, (frame) => isSameFunction(frame, here[0]))) break;
    common = here[here.length - 1];
  }
  return common;
}

// Of many stacks: the frame that `choose` takes from each, by how often its function occurs.
function mostFrequent(stacks, choose) {
  const counts = new Map();
  let best;
  for (let i = 0; i < stacks.length; i++) {
    const frame = choose(programFrames(stacks[i]));
    if (frame === undefined) continue;
    const key = `${frame[0]}\n${fileOf(frame[1])}`;
    const entry = counts.get(key) ?? { frame, count: 0 };
    entry.count++;
    counts.set(key, entry);
    if (best === undefined || entry.count > best.count) best = entry;
  }
  return best;
}

const innermost = (frames) => frames[0];
const outermost = (frames) => frames[frames.length - 1];

module.exports = { asPath, programFrames, describe, commonFrame, mostFrequent, innermost, outermost };
