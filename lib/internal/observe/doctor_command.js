// natives: none
// rondo doctor [options] script.js [arguments] | PID
'use strict';

const { Doctor } = require('internal/observe/doctor');
const { parseTarget, watch, isPid, Watcher, UsageError } = require('internal/observe/command');
const { advice } = require('internal/observe/rules');
const { WatchError } = require('internal/observe/wire');

const kOptions = {
  __proto__: null,
  '--json': 'flag',
  '--threshold': 'time',
  '--abort-after': 'time',
  '--fail-on': 'text',
  '--for': 'time',
  '--quiet': 'flag',
  '--events': 'flag', // of --doctor: findings as JSON on standard output, too
};
const kExitAborted = 134,
  kExitFound = 1,
  kLookAt = 3000;

function sentence({ class: name, function: f, place, cause, ms, advice: what }) {
  const took = ms > 0 ? ` for ${ms} ms` : '';
  return `${name}: ${f} (${place})${took}, ${cause}. ${what}`;
}

// "block:200ms,late-timer": a class, or the beginning or end of one, from so many milliseconds on.
function failRules(text) {
  if (text === undefined) return [];
  return arrayMap.call(stringSplit.call(text, ','), (rule) => {
    const { 0: name, 1: time } = stringSplit.call(rule, ':');
    if (!arraySome.call(Object.keys(advice), (one) => stringIncludes.call(one, name))) {
      throw new UsageError(`--fail-on does not know '${name}'`);
    }
    return {
      name,
      least: time === undefined ? 0 : parseFloat(time) * (stringEndsWith.call(time, 'ms') || !stringEndsWith.call(time, 's') ? 1 : 1000),
    };
  });
}

class Session {
  constructor(options, isAttached) {
    this.options = options;
    this.isAttached = isAttached;
    this.rules = failRules(options['--fail-on']);
    this.mustFail = false;
    this.wasAborted = false;
    this.doctors = new Map();
    this.found = 0;
    this.watcher = new Watcher(['pulse', 'ask start 0 watchLateness']);
    this.watcher.onPeer = (peer) =>
      this.doctors.set(
        peer,
        new Doctor(
          peer,
          {
            threshold: options['--threshold'] ?? 100,
            threads: Number(process.env.UV_THREADPOOL_SIZE) || 4,
          },
          (finding) => this.tell(finding),
        ),
      );
    this.watcher.onMessage = (peer, message) => this.take(peer, message);
  }

  tell(finding) {
    this.found++;
    const { class: name, ms } = finding;
    if (arraySome.call(this.rules, (rule) => stringIncludes.call(name, rule.name) && ms >= rule.least)) this.mustFail = true;
    if (this.options['--events']) process.stdout.write(`${JSON.stringify(finding)}\n`);
    process.stderr.write(this.options['--json'] ? `${JSON.stringify(finding)}\n` : `doctor: ${sentence(finding)}\n`);
  }

  take(peer, message) {
    const doctor = this.doctors.get(peer);
    if (message.kind === 'exit') return doctor.end(message);
    if (message.kind === 'allocation') return doctor.runtime(message.runtime).leaks.takeAllocation(message);
    if (message.kind !== 'pulse') return undefined;
    doctor.see(message);
    const limit = this.options['--abort-after'];
    if (limit !== undefined && message.busy > limit && !this.wasAborted) {
      this.wasAborted = true;
      if (!this.options['--json']) process.stderr.write(`doctor: ended after ${Math.round(message.busy)} ms (--abort-after)\n`);
      process.kill(peer.pid, 'SIGABRT');
    }
    return undefined;
  }

  summary() {
    const all = [];
    const doctors = [...each(this.doctors.values())];
    for (let i = 0; i < doctors.length; i++) arrayPush.call(all, ...each(doctors[i].delays));
    arraySort.call(all, (a, b) => a - b);
    const at = (share) => (all.length === 0 ? 0 : all[Math.min(all.length - 1, Math.floor(all.length * share))]);
    const number = (ms) => `${Math.round(ms * 10) / 10} ms`;
    process.stderr.write(
      `doctor: ${this.found} finding${this.found === 1 ? '' : 's'}; tasks seen running: ` +
        `p50 ${number(at(0.5))}, p99 ${number(at(0.99))}, longest ${number(at(1))}\n`,
    );
  }
}

// A program that started its own doctor may have ended before that has found it.
async function watchOrLeave(session, rest, options) {
  try {
    return await watch(session.watcher, rest, options['--for'] ?? kLookAt);
  } catch (error) {
    if (!options['--events'] || !(error instanceof WatchError)) throw error;
    return 0;
  }
}

async function run(args) {
  const { options, rest } = parseTarget(args, kOptions);
  const session = new Session(options, isPid(rest));
  const code = await watchOrLeave(session, rest, options);
  if (!options['--json'] && !options['--quiet']) session.summary();
  session.watcher.close();
  if (session.wasAborted) return kExitAborted;
  return session.mustFail ? kExitFound : code;
}

module.exports = { run };
