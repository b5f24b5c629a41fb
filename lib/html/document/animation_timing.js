// natives: none
// The timing model of an animation effect (https://drafts.csswg.org/web-animations-1/#timing-model): its options, its progress at a time,
// easing functions. html/document/animations plays effects.
'use strict';

const kFills = ['none', 'forwards', 'backwards', 'both', 'auto'];
const kDirections = ['normal', 'reverse', 'alternate', 'alternate-reverse'];
const kDefaults = {
  delay: 0,
  endDelay: 0,
  fill: 'auto',
  iterationStart: 0,
  iterations: 1,
  duration: 'auto',
  direction: 'normal',
  easing: 'linear',
};

// https://drafts.csswg.org/css-easing/#cubic-bezier-easing-functions, by bisection.
function bezier(x1, y1, x2, y2) {
  const at = (a, b, t) => 3 * a * t * (1 - t) ** 2 + 3 * b * t ** 2 * (1 - t) + t ** 3;
  return (x) => {
    if (x <= 0 || x >= 1) return x;
    let low = 0,
      high = 1;
    for (let i = 0; i < 40; i++) {
      const middle = (low + high) / 2;
      if (at(x1, x2, middle) < x) low = middle;
      else high = middle;
    }
    return at(y1, y2, low);
  };
}

function steps(count, position) {
  const isStart = position === 'start' || position === 'jump-start' || position === 'jump-both';
  const jumps = position === 'jump-none' ? count - 1 : position === 'jump-both' ? count + 1 : count;
  return (x) => Math.min(Math.max(Math.floor(x * count) + (isStart ? 1 : 0), 0), jumps) / jumps;
}

const kNamed = {
  __proto__: null,
  linear: (x) => x,
  ease: bezier(0.25, 0.1, 0.25, 1),
  'ease-in': bezier(0.42, 0, 1, 1),
  'ease-out': bezier(0, 0, 0.58, 1),
  'ease-in-out': bezier(0.42, 0, 0.58, 1),
  'step-start': steps(1, 'start'),
  'step-end': steps(1, 'end'),
};

// https://drafts.csswg.org/css-easing/#the-linear-easing-function: linear(0, 0.5 20%, 1)
function linearOf(text) {
  const points = text.split(',').map((part) => {
    const [, value, at] = each(/^\s*(-?[\d.]+)(?:\s+(-?[\d.]+)%)?\s*$/.exec(part) ?? []);
    return { value: +value, at: at === undefined ? undefined : at / 100 };
  });
  if (points.length < 2 || points.some(({ value }) => !Number.isFinite(value))) return undefined;
  points.forEach((point, i) => {
    point.at ??= i / (points.length - 1);
  });
  return (x) => {
    const next = points.findIndex(({ at }) => at > x);
    if (next === 0) return points[0].value;
    if (next < 0) return points.at(-1).value;
    const { 0: from, 1: to } = [points[next - 1], points[next]];
    return from.value + ((to.value - from.value) * (x - from.at)) / (to.at - from.at);
  };
}

// The function that an easing's text names, or undefined.
function easingOf(text) {
  const name = `${text}`.trim().toLowerCase();
  if (name in kNamed) return kNamed[name];
  const { 1: kind, 2: inner } = /^(cubic-bezier|steps|linear)\((.*)\)$/.exec(name) ?? [];
  if (kind === 'linear') return linearOf(inner);
  if (kind === 'steps') {
    const { 1: count, 2: position = 'end' } =
      /^\s*(\d+)\s*(?:,\s*(start|end|jump-start|jump-end|jump-both|jump-none)\s*)?$/.exec(inner) ?? [];
    return +count >= (position === 'jump-none' ? 2 : 1) ? steps(+count, position) : undefined;
  }
  const numbers = (inner ?? '').split(',').map(Number);
  const isCurve =
    kind === 'cubic-bezier' &&
    numbers.length === 4 &&
    numbers.every(Number.isFinite) &&
    numbers[0] >= 0 &&
    numbers[0] <= 1 &&
    numbers[2] >= 0 &&
    numbers[2] <= 1;
  return isCurve ? bezier(...each(numbers)) : undefined;
}

// Options as Element.animate takes them, over those there are; throws the window's TypeErrors.
function timingOf(window, given, before = kDefaults) {
  const options = typeof given === 'object' && given !== null ? given : given === undefined ? {} : { duration: given };
  const timing = {};
  for (const key of each(Object.keys(kDefaults))) timing[key] = options[key] === undefined ? before[key] : options[key];
  const fail = (key) => {
    throw new window.TypeError(`${key} '${timing[key]}' is not allowed in the timing of an animation`);
  };
  if (timing.duration !== 'auto') {
    if (typeof timing.duration === 'string') fail('duration');
    timing.duration = +timing.duration;
    if (!(timing.duration >= 0)) fail('duration');
  }
  for (const key of each(['delay', 'endDelay', 'iterationStart', 'iterations'])) {
    timing[key] = +timing[key];
    if (
      Number.isNaN(timing[key]) ||
      (key.startsWith('iteration') && timing[key] < 0) ||
      (key !== 'iterations' && !Number.isFinite(timing[key]))
    )
      fail(key);
  }
  if (!kFills.includes(`${timing.fill}`)) fail('fill');
  if (!kDirections.includes(`${timing.direction}`)) fail('direction');
  if (easingOf(timing.easing) === undefined) fail('easing');
  return timing;
}

const durationOf = ({ duration }) => (duration === 'auto' ? 0 : duration);
function activeDurationOf(timing) {
  const duration = durationOf(timing);
  return duration === 0 || timing.iterations === 0 ? 0 : duration * timing.iterations;
}
const endOf = (timing) => Math.max(0, timing.delay + activeDurationOf(timing) + timing.endDelay);

// https://drafts.csswg.org/web-animations-1/#core-animation-effect-calculations: { phase, progress, currentIteration } at a local time,
// which may be null.
function computedAt(timing, time) {
  const none = { phase: 'idle', progress: null, currentIteration: null };
  if (time === null) return none;
  const active = activeDurationOf(timing);
  const phase =
    time < Math.min(timing.delay, endOf(timing)) ? 'before' : time >= Math.min(timing.delay + active, endOf(timing)) ? 'after' : 'active';
  const fills =
    timing.fill === 'both' || (phase === 'before' && timing.fill === 'backwards') || (phase === 'after' && timing.fill === 'forwards');
  if (phase !== 'active' && !fills) return { ...none, phase };
  const activeTime = Math.min(Math.max(time - timing.delay, 0), active);
  const duration = durationOf(timing);
  const overall = (duration === 0 ? (phase === 'before' ? 0 : timing.iterations) : activeTime / duration) + timing.iterationStart;
  const isAtEnd = phase === 'after' && overall !== 0 && overall % 1 === 0 && activeTime === active && timing.iterations !== 0;
  const currentIteration = overall === Infinity ? Infinity : isAtEnd ? overall - 1 : Math.floor(overall);
  const simple = isAtEnd || overall === Infinity ? 1 : overall % 1;
  const isOdd = currentIteration % 2 === 1;
  const isReverse =
    timing.direction === 'reverse' || (timing.direction === 'alternate' && isOdd) || (timing.direction === 'alternate-reverse' && !isOdd);
  return { phase, progress: easingOf(timing.easing)(isReverse ? 1 - simple : simple), currentIteration };
}

module.exports = { timingOf, computedAt, easingOf, activeDurationOf, durationOf, endOf };
