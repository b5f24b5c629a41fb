// natives: profiler
//
// The Profiler domain: CPU profiles by the engine's sampling profiler, and counts of what ran (internal/coverage/collector).

'use strict';

const binding = native('profiler');
const { ProtocolError, required } = require('internal/inspector/protocol_error');
const { currentStack, scriptUrl } = require('internal/inspector/stack');

const kServerError = -32000;
const kUsualInterval = 1000; // in microseconds
const kAllSamples = 2 ** 32 - 1;
const users = new Set(); // states with the domain on

const collector = () => require('internal/coverage/collector');
const timestamp = () => require('internal/perf/perf_hooks').performance.now() / 1000;

class ProfilerState {
  isEnabled = false;
  interval = kUsualInterval;
  #profile;
  #named = []; // of console.profile(): { title, number, id }
  #lastId = 0;
  #coverage; // while it is counted: { counted, isDetailed, hasCounts }

  constructor(session) {
    this.session = session;
  }

  enable() {
    this.isEnabled = true;
    users.add(this);
  }

  disable() {
    this.stopAll();
    this.stopCoverage();
    this.isEnabled = false;
    users.delete(this);
  }

  setInterval(interval) {
    if (this.#profile !== undefined) throw new ProtocolError(kServerError, 'Cannot change sampling interval when profiling.');
    this.interval = interval;
  }

  start() {
    this.#requireEnabled();
    this.#profile ??= binding.startCpuProfile(this.interval, kAllSamples);
  }

  stop() {
    this.#requireEnabled();
    if (this.#profile === undefined) throw new ProtocolError(kServerError, 'No recording profiles found');
    const text = binding.stopCpuProfile(this.#profile);
    this.#profile = undefined;
    return withUrls(text);
  }

  startNamed(title, location) {
    const id = String(++this.#lastId);
    arrayPush.call(this.#named, { title, number: binding.startCpuProfile(this.interval, kAllSamples), id });
    this.session.event('Profiler.consoleProfileStarted', { id, location, title });
  }

  stopNamed(title, location) {
    const index = arrayFindLastIndex.call(this.#named, (profile) => title === '' || profile.title === title);
    if (index < 0) return;
    const profile = arraySplice.call(this.#named, index, 1)[0];
    const params = { id: profile.id, location, profile: withUrls(binding.stopCpuProfile(profile.number)), title: profile.title };
    this.session.event('Profiler.consoleProfileFinished', params);
  }

  stopAll() {
    if (this.#profile !== undefined) binding.stopCpuProfile(this.#profile);
    this.#profile = undefined;
    for (const { number } of each(this.#named)) binding.stopCpuProfile(number);
    this.#named = [];
  }

  startCoverage({ detailed = false, callCount = false }) {
    this.#requireEnabled();
    if (this.#coverage === undefined) collector().startCounting(true);
    this.#coverage = { counted: new Map(), isDetailed: detailed, hasCounts: callCount };
    collector().take(true, this.#coverage.counted);
    return { timestamp: timestamp() };
  }

  takeCoverage(resets) {
    if (this.#coverage === undefined) throw new ProtocolError(kServerError, 'Precise coverage has not been started.');
    const { counted, isDetailed, hasCounts } = this.#coverage;
    const { result } = collector().take(resets, counted);
    for (const script of each(result)) {
      for (const fn of each(script.functions)) {
        if (!isDetailed) fn.ranges = [fn.ranges[0]];
        fn.isBlockCoverage &&= isDetailed;
        if (!hasCounts) for (const range of each(fn.ranges)) range.count = Math.min(range.count, 1);
      }
    }
    return result;
  }

  bestEffortCoverage() {
    if (this.#coverage !== undefined) return this.takeCoverage(false);
    throw new ProtocolError(kServerError, 'Nothing is counted before Profiler.startPreciseCoverage');
  }

  stopCoverage() {
    if (this.#coverage === undefined) return;
    this.#coverage = undefined;
    collector().stopCounting();
  }

  #requireEnabled() {
    if (!this.isEnabled) throw new ProtocolError(kServerError, 'Profiler is not enabled');
  }

  close() {
    this.disable();
  }
}

// Addresses as the protocol writes them.
function withUrls(text) {
  const profile = JSON.parse(text);
  for (const { callFrame } of each(profile.nodes)) callFrame.url = scriptUrl(callFrame.url);
  return profile;
}

const stateOf = (session) => session.state('Profiler', () => new ProfilerState(session));

// console.profile() and console.profileEnd().
function onConsole(name, args, above) {
  if (users.size === 0) return;
  const top = currentStack(above, () => '0').callFrames[0];
  const location = { scriptId: top?.scriptId ?? '0', lineNumber: top?.lineNumber ?? 0, columnNumber: top?.columnNumber ?? 0 };
  const title = args[0] === undefined ? '' : `${args[0]}`;
  for (const state of each(Array.from(users))) {
    if (name === 'profile') state.startNamed(title, location);
    else state.stopNamed(title, location);
  }
}

const methods = {
  __proto__: null,
  'Profiler.enable': (session) => stateOf(session).enable(),
  'Profiler.disable': (session) => stateOf(session).disable(),
  'Profiler.start': (session) => stateOf(session).start(),
  'Profiler.stop': (session) => ({ profile: stateOf(session).stop() }),
  'Profiler.setSamplingInterval': (session, params) => {
    stateOf(session).setInterval(required(params, 'interval', 'integer'));
  },
  'Profiler.startPreciseCoverage': (session, params) => stateOf(session).startCoverage(params),
  'Profiler.takePreciseCoverage': (session) => ({ result: stateOf(session).takeCoverage(true), timestamp: timestamp() }),
  'Profiler.getBestEffortCoverage': (session) => ({ result: stateOf(session).bestEffortCoverage() }),
  'Profiler.stopPreciseCoverage': (session) => stateOf(session).stopCoverage(),
};

module.exports = { methods, onConsole, withUrls };
