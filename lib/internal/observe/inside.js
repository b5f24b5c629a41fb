// natives: observe, modules
// The watched side of rondo doctor, why, top and see: answers in the program's own runtime, called between two steps of its JavaScript
// (src/observe/control.cpp). Loaded with the first question. Everything here only looks.
'use strict';

const { labelOf, waitingFunctions } = native('observe');

const late = []; // timers that ran late since the last question

// "name (place)" in two.
function split(label) {
  const at = stringLastIndexOf.call(label, ' (');
  if (at < 0) return { function: '', place: label };
  return { function: stringSlice.call(label, 0, at), place: stringSlice.call(label, at + 2, -1) };
}

function counts() {
  const ticks = require('internal/queues/ticks');
  const { microtasksRun } = require('internal/queues/microtasks');
  const { timersRun } = require('internal/timers/timers');
  return { ticks: ticks.ticksRun(), microtasks: microtasksRun(), timers: timersRun(), late: arraySplice.call(late, 0) };
}

// Late timers are noted from the first question on.
function watchLateness() {
  const kMost = 64;
  require('internal/timers/timers').watchLateness(50, (timer, by) => {
    if (late.length < kMost) arrayPush.call(late, { ...split(labelOf(timer._onTimeout)), late: by, delay: timer._idleTimeout });
  });
  return { watches: true };
}

// Where the program is: the innermost frame that is its own.
function programPlace() {
  const lines = stringSplit.call(new Error().stack, '\n');
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i];
    if (stringIncludes.call(line, 'node:') || !stringIncludes.call(line, ':')) continue;
    const text = stringTrim.call(line);
    return stringSlice.call(text, 3);
  }
  return '';
}

function noteOrigins() {
  const limit = 30;
  require('internal/async_hooks/active_resources').setOriginNoter(() => {
    const before = Error.stackTraceLimit;
    Error.stackTraceLimit = limit;
    const place = programPlace();
    Error.stackTraceLimit = before;
    return { place, since: Date.now() };
  });
  return { notes: true };
}

// A handle in a few words: what it is, and what it waits for.
function details(owner) {
  try {
    const found = {};
    if (typeof owner.address === 'function') {
      const address = owner.address();
      if (typeof address === 'string') found.address = address;
      else if (address?.port !== undefined) found.address = `${address.address}:${address.port}`;
    }
    if (owner.remoteAddress !== undefined) found.peer = `${owner.remoteAddress}:${owner.remotePort}`;
    if (owner.pid !== undefined && owner.spawnfile !== undefined) found.child = `${owner.spawnfile} (pid ${owner.pid})`;
    if (owner.fd !== undefined) found.fd = owner.fd;
    return found;
  } catch {
    return {};
  }
}

// The first listener of the program's own: it says whose handle this is where its origin was not noted.
function listenerOf(owner) {
  const names = ['request', 'connection', 'message', 'data', 'change', 'exit', 'close'];
  for (let i = 0; i < names.length; i++) {
    const listeners = typeof owner?.listeners === 'function' ? owner.listeners(names[i]) : [];
    for (let j = 0; j < listeners.length; j++) {
      const label = labelOf(listeners[j]);
      if (label !== '') return label;
    }
  }
  return '';
}

function alive() {
  const { describedHandles, activeRequests } = require('internal/async_hooks/active_resources');
  const { waitingTimers, activeTimers, kRefed } = require('internal/timers/timers');
  const list = [];
  const handles = describedHandles();
  for (let i = 0; i < handles.length; i++) {
    const { 0: owner, 1: name, 2: origin } = handles[i];
    const label = origin?.place ?? listenerOf(owner);
    arrayPush.call(list, {
      what: name,
      ...details(owner),
      ...split(label || ''),
      since: origin?.since,
    });
  }
  const timers = waitingTimers();
  for (let i = 0; i < timers.length; i++) {
    const { 0: timer, 1: due } = timers[i];
    if (!timer[kRefed]) continue;
    const what = timer._onImmediate !== undefined ? 'Immediate' : timer._repeat ? 'Interval' : 'Timeout';
    arrayPush.call(list, {
      what,
      ...split(labelOf(timer._onTimeout ?? timer._onImmediate)),
      due: Math.max(0, due),
      every: timer._repeat ?? undefined,
    });
  }
  const requests = activeRequests().length;
  if (requests > 0) arrayPush.call(list, { what: 'FSReqCallback', count: requests });
  return { alive: list, timers: activeTimers() };
}

function unsettled() {
  const waiting = arrayMap.call(waitingFunctions(), (label) => split(stringSlice.call(label, 'await in '.length)));
  return { unsettled: waiting, unsettledMains: native('modules').unsettledMains ?? 0 };
}

function unrefed() {
  const { waitingTimers, kRefed } = require('internal/timers/timers');
  const timers = arrayFilter.call(waitingTimers(), ({ 0: timer }) => !timer[kRefed]);
  return arrayMap.call(timers, ({ 0: timer }) => ({ what: 'unref()ed timer', ...split(labelOf(timer._onTimeout)) }));
}

const questions = {
  __proto__: null,
  calls: () => {
    require('internal/observe/calls').enable();
    return {};
  },
  counts,
  watchLateness,
  noteOrigins,
  alive,
  exit: () => ({ ...counts(), ...unsettled(), ...alive(), unrefed: unrefed() }),
};

function answer(question) {
  const ask = questions[question];
  return ask === undefined ? 'null' : JSON.stringify(ask());
}

module.exports = { answer };
