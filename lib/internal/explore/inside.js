// natives: explore
// An explored run from inside: the time of day is the virtual clock's and random numbers follow from a seed, so that a run is a function
// of its schedule. Loaded in the children of `rondo explore`, by `rondo replay` and by --record alone.
'use strict';

const { readClock, recordedStart, seed } = native('explore');

const recorded = recordedStart?.(); // of a recorded run and its replay
const kBegin = recorded?.[0] ?? Date.UTC(2026, 0, 1); // the day on which all explored runs take place
const now = () => kBegin + Math.floor(readClock());

function installDate() {
  const Real = globalThis.Date; // the program's: it is about to get another
  const Virtual = new Proxy(Real, {
    __proto__: null,
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget === Virtual ? target : newTarget),
    apply: () => new Real(now()).toString(),
  });
  const define = (object, name, value) =>
    Object.defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  define(Real, 'now', { now() { return now(); } }.now); // biome-ignore format: one line
  define(Real.prototype, 'constructor', Virtual);
  define(globalThis, 'Date', Virtual);
}

// The number of a process is in warnings and file names: the same in each run.
function installPid() {
  const kPid = recorded?.[1] ?? 1000;
  const real = process.pid;
  const kill = process.kill;
  const define = (name, value) => Object.defineProperty(process, name, { __proto__: null, value, enumerable: true, configurable: true });
  define('pid', kPid);
  define('ppid', recorded?.[2] ?? kPid - 1);
  process.kill = function kill_(pid, signal) {
    return call2(kill, process, pid === kPid ? real : pid, signal);
  };
  Object.defineProperty(process.kill, 'name', { __proto__: null, value: 'kill' });
}

function install(seedNumber) {
  installDate();
  installPid();
  seed(seedNumber);
}

module.exports = { install, seed };
