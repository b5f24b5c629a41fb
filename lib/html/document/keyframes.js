// natives: none
// Keyframes of an animation effect (https://drafts.csswg.org/web-animations-1/#processing-a-keyframes-argument), and the values between two
// of them: numbers with the same unit are interpolated, everything else changes in the middle.
'use strict';

const { easingOf } = require('html/document/animation_timing');

const kNoProperties = ['offset', 'easing', 'composite', 'computedOffset'];

const propertiesOf = (frame) => Object.keys(frame).filter((key) => !kNoProperties.includes(key));

// { opacity: [0, 1] } as a list of frames, in the order of their offsets.
function fromColumns(given) {
  const listOf = (value) =>
    value === undefined
      ? []
      : Array.isArray(value) || (typeof value?.[Symbol.iterator] === 'function' && typeof value !== 'string')
        ? [...each(value)]
        : [value];
  const frames = new Map();
  for (const name of each(propertiesOf(given))) {
    const values = listOf(given[name]);
    values.forEach((value, i) => {
      const offset = values.length === 1 ? 1 : i / (values.length - 1);
      if (!frames.has(offset)) frames.set(offset, { offset: null, computedOffset: offset });
      frames.get(offset)[name] = `${value}`;
    });
  }
  const sorted = [...each(frames.values())].toSorted((a, b) => a.computedOffset - b.computedOffset);
  const offsets = listOf(given.offset),
    easings = listOf(given.easing);
  sorted.forEach((frame, i) => {
    if (offsets[i] !== undefined && offsets[i] !== null) frame.offset = +offsets[i];
    if (easings.length > 0) frame.easing = `${easings[i % easings.length]}`;
  });
  return sorted;
}

// Frames without an offset lie evenly between those that have one.
function spread(frames) {
  const offsets = frames.map(({ offset }) => offset ?? null);
  if (offsets.length > 0) offsets[offsets.length - 1] ??= 1;
  if (offsets.length > 1) offsets[0] ??= 0;
  for (let i = 1, last = 0; i < offsets.length; i++) {
    if (offsets[i] === null) continue;
    for (let j = last + 1; j < i; j++) offsets[j] = offsets[last] + ((offsets[i] - offsets[last]) * (j - last)) / (i - last);
    last = i;
  }
  return offsets;
}

// As getKeyframes() tells them; throws the window's TypeErrors.
function keyframesOf(window, given) {
  if (given === null || given === undefined) return [];
  if (typeof given !== 'object') throw new window.TypeError('Keyframes must be an object, or an array of objects.');
  const isList = typeof given[Symbol.iterator] === 'function';
  const frames = isList ? [...each(given)].map((frame) => ({ ...frame })) : fromColumns(given);
  for (const frame of each(frames)) {
    if (frame.offset !== undefined && frame.offset !== null && !(+frame.offset >= 0 && +frame.offset <= 1))
      throw new window.TypeError('Offsets must be null or in the range [0,1].');
    if (frame.easing !== undefined && easingOf(frame.easing) === undefined)
      throw new window.TypeError(`'${frame.easing}' is not a valid value for easing.`);
  }
  const offsets = spread(frames);
  if (offsets.some((offset, i) => i > 0 && offset < offsets[i - 1]))
    throw new window.TypeError('Offsets must be monotonically non-decreasing.');
  return frames.map((frame, i) => {
    const made = {
      offset: frame.offset ?? null,
      computedOffset: offsets[i],
      easing: frame.easing ?? 'linear',
      composite: frame.composite ?? 'auto',
    };
    for (const name of each(propertiesOf(frame))) made[name] = `${frame[name]}`;
    return made;
  });
}

const kNumber = /-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/g;

function between(from, to, progress) {
  const numbers = [from.match(kNumber) ?? [], to.match(kNumber) ?? []];
  const isAlike =
    numbers[0].length > 0 && numbers[0].length === numbers[1].length && from.replace(kNumber, '#') === to.replace(kNumber, '#');
  if (!isAlike) return progress < 0.5 ? from : to;
  let at = 0;
  return to.replace(kNumber, () => {
    const { 0: one, 1: two } = [+numbers[0][at], +numbers[1][at++]];
    return `${+(one + (two - one) * progress).toFixed(6)}`;
  });
}

// The values of all properties at a progress: [name, value] pairs. `underlying(name)`: the value without the animation, for a frame that is
// missing.
function valuesAt(frames, progress, underlying) {
  const names = new Set(frames.flatMap(propertiesOf));
  return [...each(names)].map((name) => {
    const own = frames
      .filter((frame) => name in frame)
      .map((frame) => ({ at: frame.computedOffset, value: frame[name], easing: frame.easing }));
    if (own[0].at > 0) own.unshift({ at: 0, value: underlying(name), easing: 'linear' });
    if (own.at(-1).at < 1) own.push({ at: 1, value: underlying(name), easing: 'linear' });
    const index = Math.min(
      Math.max(
        own.findLastIndex(({ at }) => at <= progress),
        0,
      ),
      own.length - 2,
    );
    const { 0: from, 1: to } = [own[index], own[index + 1]];
    const part = to.at === from.at ? 1 : (progress - from.at) / (to.at - from.at);
    return [name, between(from.value, to.value, easingOf(from.easing)(part))];
  });
}

module.exports = { keyframesOf, valuesAt };
