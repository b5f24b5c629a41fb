// natives: observe, modules, ledger
// The watched side of rondo doctor, why, top and see: answers in the program's own runtime, called between two steps of its JavaScript
// (src/observe/control.cpp). Loaded with the first question. Everything here only looks.
'use strict';

const { labelOf, inheritedPlace, waitingFunctions, waitingHandlers, lostFunctions } = native('observe');
const { now } = require('internal/perf/clock');

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
  const { timersRun, activeTimers } = require('internal/timers/timers');
  return {
    ticks: ticks.ticksRun(),
    microtasks: microtasksRun(),
    timers: timersRun(),
    activeTimers: activeTimers(),
    messages: require('internal/queues/message_count').received,
    handles: require('internal/async_hooks/active_resources').openCount(),
    late: lateTimers(),
  };
}

// Since the last question; `ago`: how long ago each ran.
function lateTimers() {
  const time = now();
  return arrayMap.call(arraySplice.call(late, 0), ({ ranAt, ...timer }) => ({ ...timer, ago: time - ranAt }));
}

// Late timers are noted from the first question on.
function watchLateness() {
  const kMost = 64;
  require('internal/timers/timers').watchLateness(50, (timer, by) => {
    if (late.length < kMost) {
      arrayPush.call(late, { ...split(labelOf(timer._onTimeout)), late: by, delay: timer._idleTimeout, ranAt: now() });
    }
  });
  return { watches: true };
}

// Where the program is: the innermost frame that is its own; without a name of its own, called by the function around it.
function programPlace() {
  const lines = stringSplit.call(new Error().stack, '\n');
  let place = '';
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i];
    if (stringIncludes.call(line, 'node:') || !stringIncludes.call(line, ':')) continue;
    const text = stringSlice.call(stringTrim.call(line), 3);
    const { function: label, place: here } = split(text);
    const name = plainName(label);
    if (place === '') place = here;
    if (name !== '' && !stringStartsWith.call(name, 'async ') && name !== 'Object.<anonymous>') return `${name} (${place})`;
  }
  return place;
}

// "Timeout.poll [as _onTimeout]" is poll.
function plainName(label) {
  const as = stringIndexOf.call(label, ' [as ');
  const name = as < 0 ? label : stringSlice.call(label, 0, as);
  const found = regexpExec.call(/^(?:Timeout|Immediate|Object|process)\.(.+)$/, name);
  return found === null || name === 'Object.<anonymous>' ? name : found[1];
}

function origin() {
  const kFrames = 30;
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = kFrames;
  const place = programPlace();
  Error.stackTraceLimit = before;
  return { place, inherited: place === '' ? inheritedPlace() : '', since: Date.now() };
}

const opened = []; // places at which files were opened

// From now on it is known where handles, timers and files come from.
function noteOrigins() {
  const kMost = 1000;
  require('internal/async_hooks/active_resources').setOriginNoter(origin);
  require('internal/timers/timers').setOriginNoter(origin);
  require('internal/fs/utils').opens.note = () => {
    arrayPush.call(opened, origin().place);
    if (opened.length > kMost) arrayShift.call(opened);
  };
  return { notes: true };
}

// [[what, place], …] by frequency.
function frequent(list) {
  const counts = new Map();
  for (let i = 0; i < list.length; i++) {
    const { 0: what, 1: place } = list[i];
    if (place === undefined || place === '') continue;
    const entry = counts.get(place) ?? { what, ...split(place), count: 0 };
    entry.count++;
    counts.set(place, entry);
  }
  return arraySort.call([...each(counts.values())], (a, b) => b.count - a.count);
}

// The places at which most of what is open was made, since they are noted.
function origins() {
  const { openHandles } = require('internal/async_hooks/active_resources');
  const { waitingTimers, originOf } = require('internal/timers/timers');
  const kLong = 60_000;
  const timers = arrayFilter.call(waitingTimers(), ({ 0: timer }) => typeof timer._repeat === 'number' || timer._idleTimeout >= kLong);
  return {
    handles: frequent(arrayMap.call(openHandles(), ({ 0: owner, 2: from }) => [owner?.constructor?.name ?? 'handles', from?.place])),
    timers: frequent(arrayMap.call(timers, ({ 0: timer }) => ['timers', originOf(timer)?.place])),
    files: frequent(arrayMap.call(opened, (place) => ['files', place])),
  };
}

// Functions that most of the timers call; listeners of the ports. For a flood whose callbacks are too short to be met.
function usual() {
  const { waitingTimers } = require('internal/timers/timers');
  const { openHandles, runningThreads } = require('internal/async_hooks/active_resources');
  const kMost = 1000;
  const timers = arraySlice.call(waitingTimers(), 0, kMost);
  return {
    timers: frequent(arrayMap.call(timers, ({ 0: timer }) => ['timers', labelOf(timer._onTimeout ?? timer._onImmediate)])),
    messages: frequent(
      arrayMap.call([...each(openHandles()), ...each(runningThreads())], ({ 0: owner }) => ['messages', listenerOf(owner, ['message'])]),
    ),
  };
}

const lost = () => ({ lost: arrayMap.call(lostFunctions(), (label) => split(stringSlice.call(label, 'await in '.length))) });

// A handle in a few words: what it is, and what it waits for.
function details(owner) {
  try {
    const found = {};
    if (typeof owner.address === 'function') {
      const address = owner.address();
      if (typeof address === 'string') found.address = address;
      else if (address?.port !== undefined) found.address = `${address.address}:${address.port}`;
    }
    if (typeof owner.remoteAddress === 'string') found.peer = `${owner.remoteAddress}:${owner.remotePort}`;
    if (owner.pid !== undefined && owner.spawnfile !== undefined) found.child = `${owner.spawnfile} (pid ${owner.pid})`;
    if (owner.fd !== undefined) found.fd = owner.fd;
    return found;
  } catch {
    return {};
  }
}

// The first listener of the program's own: it says whose handle this is where its origin was not noted.
const kEvents = ['request', 'connection', 'message', 'data', 'change', 'exit', 'close'];
function listenerOf(owner, names = kEvents) {
  for (let i = 0; i < names.length; i++) {
    const listeners = typeof owner?.listeners === 'function' ? owner.listeners(names[i]) : [];
    for (let j = 0; j < listeners.length; j++) {
      const label = labelOf(listeners[j]);
      if (label !== '') return label;
    }
  }
  return typeof owner?.onmessage === 'function' ? labelOf(owner.onmessage) : '';
}

function alive() {
  const { describedHandles, activeRequests, runningThreads } = require('internal/async_hooks/active_resources');
  const { waitingTimers, activeTimers, originOf, kRefed } = require('internal/timers/timers');
  const list = [];
  const handles = describedHandles();
  for (let i = 0; i < handles.length; i++) {
    const { 0: owner, 1: name, 2: from } = handles[i];
    // An accepted connection was made by nobody: its server's listener stands for it.
    const label = from?.place || listenerOf(owner) || listenerOf(owner?.server) || from?.inherited;
    arrayPush.call(list, {
      what: name,
      ...details(owner),
      ...split(label || ''),
      since: from?.since,
    });
  }
  const threads = runningThreads();
  for (let i = 0; i < threads.length; i++) {
    const { 0: worker, 1: from } = threads[i];
    arrayPush.call(list, { what: 'Worker', thread: worker.threadId, ...split(from?.place || listenerOf(worker)), since: from?.since });
  }
  const timers = waitingTimers();
  for (let i = 0; i < timers.length; i++) {
    const { 0: timer, 1: due } = timers[i];
    if (!timer[kRefed]) continue;
    const what = timer._onImmediate !== undefined ? 'Immediate' : timer._repeat ? 'Interval' : 'Timeout';
    arrayPush.call(list, {
      what,
      ...split(labelOf(timer._onTimeout ?? timer._onImmediate) || originOf(timer)?.place || ''),
      due: Math.max(0, due),
      every: timer._repeat ?? undefined,
    });
  }
  const known = operations();
  if (known.length > 0) arrayPush.call(list, ...each(known));
  const others = activeRequests().length - known.length;
  if (others > 0) arrayPush.call(list, { what: 'FSReqCallback', count: others });
  return { alive: list, timers: activeTimers() };
}

// Operations in flight, where they are named (the command "live"): "fs.readFile → onRead (place)", "fs.readFile (place)".
function operations() {
  const ledger = native('ledger');
  if (ledger.liveTasks === undefined) return [];
  const list = [];
  const tasks = ledger.liveTasks();
  for (let i = 0; i < tasks.length; i++) {
    const { 0: kind, 3: name, 5: age } = tasks[i];
    if (kind !== 'io') continue;
    const arrow = stringIndexOf.call(name, ' → ');
    const label = split(arrow < 0 ? name : stringSlice.call(name, arrow + 3));
    const what = arrow < 0 ? label.function : stringSlice.call(name, 0, arrow);
    arrayPush.call(list, { what, function: arrow < 0 ? '' : label.function, place: label.place, since: Date.now() - age });
  }
  return list;
}

function unsettled() {
  const waiting = arrayMap.call(waitingFunctions(), (label) => split(stringSlice.call(label, 'await in '.length)));
  // Functions given to then().
  arrayPush.call(waiting, ...each(arrayMap.call([...each(new Set(waitingHandlers()))], split)));
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
  origins,
  usual,
  lost,
  alive,
  exit: () => ({ ...counts(), ...unsettled(), ...alive(), ...lost(), unrefed: unrefed() }),
};

function answer(question) {
  const ask = questions[question];
  return ask === undefined ? 'null' : JSON.stringify(ask());
}

module.exports = { answer };
