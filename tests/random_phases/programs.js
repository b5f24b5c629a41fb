// Random programs over all phases of the loop: each starts in a callback of a known phase and queues ticks, microtasks, immediates,
// expired timers and one close, nested. Prints one line a program: its seed, how it began, and the order in which its callbacks ran.
//
//   rondo tests/random_phases/programs.js FIRST_SEED COUNT [timers]
//
// With `timers` the programs are about timers that are set and fall due inside the callbacks of timers: delays of 0 to 3 ms, busy
// waits, intervals, and readings of the loop's clock, from which Node counts the millisecond by which it puts off what is due then.
// How long that is hangs on where in a millisecond the clock stands, so the order of some of these is not determined.
//
// Any runtime with Node's API runs it; `compare` puts two side by side. The order of every other program is determined: a timer is expired
// before its callback returns, nothing that logs waits for a file or a peer, and all starts from a loop that has nothing else to do.

'use strict';

const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');

const { randomOf } = require('../fixtures/seeded_random.js');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo_phases_'));
const unixPath = path.join(folder, 'socket');

const ROOTS = ['file', 'wholeFile', 'data', 'connection', 'timer', 'immediate', 'close', 'end'];
const STEPS = ['tick', 'microtask', 'then', 'await', 'immediate', 'timer'];
const TIMER_ROOTS = ['timer', 'timer', 'timer', 'immediate', 'file', 'data'];
const TIMER_STEPS = ['tick', 'then', 'immediate', 'immediate', 'timer', 'delay', 'interval', 'spin'];
const SILENT = new Set(['spin', 'read']);  // queue nothing
const CLOSES = ['tcp', 'unix', 'reset', 'connecting', 'server', 'unopened', 'quiet'];

// A program is a tree: each node is one callback and the nodes that it queues.
function generate(seed) {
  const random = randomOf(seed);
  let nodes = 0;
  const limit = 4 + random(isAboutTimers ? 24 : 14);
  const roots = isAboutTimers ? TIMER_ROOTS : ROOTS;
  const steps = isAboutTimers ? TIMER_STEPS : STEPS;
  const node = (kind, depth) => {
    const made = { name: `${kind}${nodes++}`, kind, steps: [] };
    if (kind === 'delay') made.delay = random(4);
    if (SILENT.has(kind)) return made;
    const width = depth >= (isAboutTimers ? 6 : 4) ? 0 : random(depth === 0 ? 5 : 4) + (depth === 0 ? 1 : 0);
    for (let i = 0; i < width && nodes < limit; i++) made.steps.push(node(steps[random(steps.length)], depth + 1));
    if (isAboutTimers && random(2) === 0) made.steps.push(node('read', depth + 1));
    return made;
  };
  const root = node(roots[random(roots.length)], 0);
  if (random(4) > 0) {  // one close, anywhere
    const all = [];
    const visit = (at) => { if (!SILENT.has(at.kind)) all.push(at); at.steps.forEach(visit); };
    visit(root);
    const place = all[random(all.length)];
    const close = node('close', 2);
    place.steps.splice(random(place.steps.length + 1), 0, close);
  }
  return { seed, root, close: CLOSES[random(CLOSES.length)] };
}

function expire(milliseconds = 1) {
  const end = process.hrtime.bigint() + BigInt(milliseconds) * 1_000_000n + 1_500_000n;
  while (process.hrtime.bigint() < end);
}

class Run {
  constructor(program, finished) {
    this.program = program;
    this.order = [];
    this.left = 0;
    this.finished = finished;
    const count = (node) => { if (!SILENT.has(node.kind)) this.left++; node.steps.forEach(count); };
    count(program.root);
  }

  enter(node) {
    this.order.push(node.name);
    for (const step of node.steps) this.queue(step);
    if (--this.left === 0) this.finished(this.order);
  }

  queue(node) {
    const call = () => this.enter(node);
    switch (node.kind) {
      case 'tick': process.nextTick(call); break;
      case 'microtask': queueMicrotask(call); break;
      case 'then': Promise.resolve().then(call); break;
      case 'await': (async () => { await undefined; call(); })(); break;
      case 'immediate': setImmediate(call); break;
      case 'timer': setTimeout(call, 1); expire(); break;
      case 'delay': setTimeout(call, node.delay); expire(node.delay); break;
      case 'interval': { const timer = setInterval(() => { clearInterval(timer); call(); }, 1); expire(); break; }
      case 'spin': expire(); break;
      case 'read': clearTimeout(setTimeout(quiet, 1000)); break;
      case 'close': this.close(call); break;
    }
  }

  close(call) {
    const victim = this.victim;
    victim.once('close', call);
    if (this.program.close === 'server') victim.close();
    else if (this.program.close === 'reset') victim.resetAndDestroy();
    else victim.destroy();
  }
}

const quiet = () => {};
let tcpServer, unixServer;
const waiting = { tcp: [], unix: [] };

// Both ends of a new connection, reading, with nothing under way.
function connect(kind, done) {
  let near, far;
  const ready = () => {
    if (!near || !far) return;
    near.on('error', quiet);
    far.on('error', quiet);
    setImmediate(() => setImmediate(() => done(near, far)));
  };
  waiting[kind].push((socket) => { far = socket; far.resume(); ready(); });
  const options = kind === 'tcp' ? { port: tcpServer.address().port, host: '127.0.0.1' } : { path: unixPath };
  const socket = net.connect(options, () => { near = socket; ready(); });
}

// Handles that the program will close, made and idle before it begins.
function prepareVictim(kind, done) {
  if (kind === 'tcp' || kind === 'unix' || kind === 'reset') {
    connect(kind === 'unix' ? 'unix' : 'tcp', (near) => { near.resume(); done(near); });
  } else if (kind === 'quiet') {  // connected, and nobody has asked for its data
    connect('tcp', (near) => done(near.pause()));
  } else if (kind === 'server') {
    const server = net.createServer(quiet).listen(0, '127.0.0.1', () => setImmediate(() => done(server)));
  } else {
    done(undefined);
  }
}

// Calls `root` from the phase it is named for.
function begin(kind, root) {
  switch (kind) {
    case 'file': fs.stat(__filename, root); break;
    case 'wholeFile': fs.readFile(__filename, root); break;
    case 'timer': setTimeout(root, 1); break;
    case 'immediate': setImmediate(root); break;
    case 'connection': {
      let client;
      waiting.tcp.push((socket) => {
        socket.on('error', quiet).resume();
        root();
        client.destroy();
      });
      client = net.connect(tcpServer.address().port, '127.0.0.1').on('error', quiet);
      break;
    }
    case 'data':
      connect('tcp', (near, far) => {
        near.once('data', () => { root(); });
        far.write('x');
      });
      break;
    case 'end':
      connect('tcp', (near, far) => {
        near.once('end', () => { root(); }).resume();
        far.end();
      });
      break;
    case 'close':
      connect('tcp', (near) => {
        near.resume().once('close', root);
        setImmediate(() => near.destroy());
      });
      break;
  }
}

function runOne(seed, done) {
  const program = generate(seed);
  prepareVictim(program.close, (victim) => {
    const run = new Run(program, (order) => {
      process.stdout.write(`${seed} ${program.close}: ${order.join(' ')}\n`);
      // Enough iterations for everything that belongs to this program to be over.
      setTimeout(() => setImmediate(() => { victim?.destroy?.(); victim?.close?.(quiet); setImmediate(done); }), 2);
    });
    run.victim = victim;
    begin(program.root.kind, () => {
      if (program.close === 'connecting') run.victim = net.connect(tcpServer.address().port, '127.0.0.1').on('error', quiet);
      if (program.close === 'unopened') run.victim = new net.Socket();
      run.enter(program.root);
    });
  });
}

const isAboutTimers = process.argv[4] === 'timers';
const first = Number(process.argv[2]);
const count = Number(process.argv[3]);
const accept = (kind) => (socket) => {
  socket.on('error', quiet);
  (waiting[kind].shift() ?? ((stray) => stray.resume()))(socket);
};
tcpServer = net.createServer(accept('tcp')).listen(0, '127.0.0.1', () => {
  unixServer = net.createServer(accept('unix')).listen(unixPath, () => {
    let seed = first;
    const next = () => {
      if (seed < first + count) return setImmediate(runOne, seed++, next);
      fs.rmSync(folder, { recursive: true });
      process.exit(0);
    };
    next();
  });
});
