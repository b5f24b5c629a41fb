// natives: none
// rondo why [options] script.js [arguments] | PID: why a program is alive, what made its callbacks late, what it left when it ended.
//   alive   one line for each handle, timer and request that keeps the loop running, with the place where the program made it
//   late    a timer that ran late, and what it waited behind
//   exited  the program ended: async functions that still waited, timers that do not keep it alive
'use strict';

const { Doctor } = require('internal/observe/doctor');
const { parseTarget, watch, isPid, Watcher } = require('internal/observe/command');
const { asPath } = require('internal/observe/frames');

const kOptions = { __proto__: null, '--json': 'flag', '--after': 'time', '--for': 'time', '--threshold': 'time' };
const kAskAfter = 1000; // ms of a run after which it is asked why it is alive

const round = (ms) => Math.round(ms * 10) / 10;

// Names for people.
const names = {
  __proto__: null,
  TCPServerWrap: 'a server',
  TCPSocketWrap: 'a socket',
  TCPWRAP: 'a socket',
  TCPWrap: 'a socket',
  PipeServerWrap: 'a local server',
  PipeWrap: 'a pipe',
  TTYWrap: 'the terminal',
  UDPWrap: 'a UDP socket',
  ProcessWrap: 'a child process',
  FSEventWrap: 'a file watcher',
  StatWatcher: 'a file poller',
  MessagePort: 'a message port',
  Worker: 'a worker',
  SignalWrap: 'a signal handler',
  Timeout: 'a timer',
  Interval: 'an interval',
  Immediate: 'an immediate',
  FSReqCallback: 'a file operation',
};

function describeAlive(one) {
  let text = names[one.what] ?? one.what;
  if (one.address) text += ` on ${one.address}`;
  if (one.peer) text += ` to ${one.peer}`;
  if (one.child) text += ` ${one.child}`;
  if (one.count > 1) text += ` (${one.count})`;
  if (one.every) text += ` every ${round(one.every)} ms`;
  if (one.due !== undefined) text += `, next in ${round(one.due)} ms`;
  if (one.place) text += `: ${one.function ? `${one.function} (${one.place})` : one.place}`;
  return text;
}

class Why {
  constructor(options, isAttached) {
    this.isAttached = isAttached;
    this.options = options;
    const first = ['pulse', 'ask start 0 watchLateness', 'ask start 0 noteOrigins'];
    // A process that runs already is left as it was.
    this.watcher = new Watcher(isAttached ? first : ['live', ...each(first)]);
    this.watcher.onPeer = (peer) => this.greet(peer);
    this.watcher.onMessage = (peer, message) => this.take(peer, message);
  }

  print(object, sentence) {
    process.stderr.write(this.options['--json'] ? `${JSON.stringify(object)}\n` : `why: ${sentence}\n`);
  }

  greet(peer) {
    // The doctor's rules find what blocks and what is late because of it.
    peer.doctor = new Doctor(peer, { threshold: this.options['--threshold'] ?? 50, threads: 4 }, (finding) => this.late(finding));
    peer.timer = setTimeout(() => this.askAlive(peer), this.isAttached ? 0 : (this.options['--after'] ?? kAskAfter));
  }

  late({ class: name, function: f, place, cause, ms }) {
    if (name !== 'late-timer') return;
    this.print({ kind: 'late', function: f, place, cause, ms }, `late: ${f} (${place}) ran ${ms} ms late, ${cause}`);
  }

  async askAlive(peer) {
    const answer = await peer.ask('alive');
    if (answer === undefined || peer.isGone) return this.onAsked?.();
    const alive = answer.said?.alive ?? [];
    for (let i = 0; i < alive.length; i++) {
      const one = { ...alive[i], place: asPath(alive[i].place ?? '') };
      if (one.since !== undefined) one.age = Date.now() - one.since;
      this.print({ kind: 'alive', ...one, since: undefined }, `alive: ${describeAlive(one)}`);
    }
    if (alive.length === 0) this.print({ kind: 'alive', what: 'nothing' }, 'alive: nothing keeps it running any more');
    return this.onAsked?.();
  }

  take(peer, message) {
    if (message.kind === 'pulse') return peer.doctor.see(message);
    if (message.kind === 'allocation') return undefined;
    if (message.kind !== 'exit') return undefined;
    clearTimeout(peer.timer);
    peer.doctor.end(message);
    return this.exited(message);
  }

  exited({ code, said }) {
    const waiting = arrayMap.call(said?.unsettled ?? [], ({ function: name, place }) => ({ function: name, place: asPath(place) }));
    const unrefed = arrayMap.call(said?.unrefed ?? [], (one) => ({ ...one, place: asPath(one.place) }));
    const open = arrayMap.call(said?.alive ?? [], (one) => ({ what: one.what, place: asPath(one.place ?? '') }));
    const list = (all) =>
      arrayJoin.call(
        arrayMap.call(all, ({ function: name, place }) => `${name || '(top level)'} (${place})`),
        ', ',
      );
    let sentence = `exited: code ${code}`;
    if (waiting.length > 0) sentence += `; still waited: ${list(waiting)}`;
    if (unrefed.length > 0) sentence += `; did not keep it alive: ${list(unrefed)}`;
    if (open.length > 0) sentence += `; still open: ${arrayJoin.call(arrayMap.call(open, describeAlive), ', ')}`;
    this.print({ kind: 'exited', code, unsettled: waiting, unrefed, open }, sentence);
  }
}

async function run(args) {
  const { options, rest } = parseTarget(args, kOptions);
  const why = new Why(options, isPid(rest));
  if (why.isAttached) why.onAsked = () => why.watcher.onGone?.();
  const code = await watch(why.watcher, rest, options['--for'] ?? 10_000);
  why.watcher.close();
  return code;
}

module.exports = { run };
