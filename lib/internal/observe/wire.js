// natives: observe
// The watcher's end of the connection to a watched process (src/observe/control.h has the wire): a socket in a folder that only this user
// may enter, the processes that connect to it, and questions to them.
'use strict';

const { askToConnect, folder, kFrameHead, kJsonFrame, kNamesFrame, kRecordsFrame } = native('observe');
const fs = require('internal/fs/fs');
const net = require('internal/net/net');
const { Buffer } = require('internal/buffer/buffer');
const { performance } = require('internal/perf/perf_hooks');

class WatchError extends Error {
  constructor(message) {
    super(message);
  }
}

// One watched process.
class Peer {
  constructor(socket, watcher) {
    this.socket = socket;
    this.watcher = watcher;
    this.pid = 0;
    this.script = '';
    this.waiting = new Map();
    this.lastQuestion = 0;
    this.isGone = false;
    this.pieces = Buffer.alloc(0);
  }

  send(line) {
    if (!this.isGone) this.socket.write(`${line}\n`);
  }

  // → the answer, or undefined when the process does not come to it in time. JavaScript that runs is interrupted for it.
  ask(question, runtime = 0, patience = 1000) {
    return this.#question('ask', question, runtime, patience);
  }
  // The same when the loop has its turn.
  askLater(question, runtime = 0, patience = 1000) {
    return this.#question('later', question, runtime, patience);
  }

  // The stack alone, from the process's other thread: { stack, isInNative }. Native code does not hold it up.
  look(runtime = 0, patience = 1000) {
    return this.#question('look', 'stack', runtime, patience);
  }

  #question(verb, question, runtime, patience) {
    const id = `q${++this.lastQuestion}`;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.waiting.delete(id);
        resolve(undefined);
      }, patience);
      this.waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      this.send(`${verb} ${id} ${runtime} ${question}`);
    });
  }

  take(bytes) {
    let all = this.pieces.length === 0 ? bytes : Buffer.concat([this.pieces, bytes]);
    while (all.length >= kFrameHead) {
      const length = all.readUInt32LE(0);
      if (all.length < kFrameHead + length) break;
      this.frame(all[4], all.subarray(kFrameHead, kFrameHead + length));
      all = all.subarray(kFrameHead + length);
    }
    this.pieces = all;
  }

  frame(type, bytes) {
    if (type === kNamesFrame) return this.watcher.onNames?.(this, bytes);
    if (type === kRecordsFrame) return this.watcher.onRecords?.(this, bytes);
    if (type !== kJsonFrame) return undefined;
    const message = JSON.parse(bytes.utf8Slice(0, bytes.length));
    if (message.kind === 'hello') {
      this.pid = message.pid;
      this.parent = message.parent;
      this.script = message.script;
      return this.watcher.greet(this);
    }
    if (message.kind === 'answer') {
      const resolve = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      return resolve?.(message);
    }
    return this.watcher.onMessage?.(this, message);
  }

  end() {
    this.isGone = true;
    const waiting = [...each(this.waiting.values())];
    for (let i = 0; i < waiting.length; i++) waiting[i](undefined);
    this.watcher.onGone?.(this);
  }
}

// The folder of sockets. A folder of another user in its place is not used.
function makeFolder() {
  const path = folder();
  fs.mkdirSync(path, { recursive: true, mode: 0o700 });
  const about = fs.lstatSync(path);
  if (!about.isDirectory() || about.uid !== process.geteuid() || (about.mode & 0o77) !== 0) {
    throw new WatchError(`${path} must be a folder that only you may use`);
  }
  return path;
}

// Listens for watched processes. `first`: lines that each is sent before its program goes on.
class Watcher {
  constructor(first) {
    this.first = first;
    this.peers = [];
    this.token = require('internal/crypto/crypto').randomBytes(8).toString('hex');
    this.path = `${makeFolder()}/${process.pid}-${this.token}.sock`;
    this.server = net.createServer((socket) => this.accept(socket));
    process.on('exit', () => this.removeSocket());
  }

  listen() {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.path, () => {
        fs.chmodSync(this.path, 0o600);
        resolve();
      });
    });
  }

  removeSocket() {
    try {
      fs.unlinkSync(this.path);
    } catch {
      /* it has gone */
    }
  }

  accept(socket) {
    const peer = new Peer(socket, this);
    socket.on('data', (bytes) => peer.take(bytes));
    socket.on('error', () => {});
    socket.on('close', () => peer.end());
  }

  greet(peer) {
    arrayPush.call(this.peers, peer);
    for (let i = 0; i < this.first.length; i++) peer.send(this.first[i]);
    peer.send('go');
    this.onPeer?.(peer);
  }

  close() {
    this.server.close();
    for (let i = 0; i < this.peers.length; i++) this.peers[i].socket.destroy();
    this.removeSocket();
  }
}

// Throws where the process cannot be watched, with the reason.
function checkProcess(pid) {
  let status;
  try {
    status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    throw new WatchError(`there is no process ${pid}`);
  }
  const field = (name) => regexpExec.call(new RegExp(`^${name}:\\s*(\\S+)\\s*(\\S*)`, 'm'), status);
  if (Number(field('Uid')[2]) !== process.geteuid()) throw new WatchError(`process ${pid} belongs to another user`);
  const kUrgent = 23;
  const caught = BigInt(`0x${field('SigCgt')[1]}`);
  if (((caught >> BigInt(kUrgent - 1)) & 1n) === 0n) throw new WatchError(`process ${pid} is no rondo that can be watched`);
}

// Asks a running process to connect, until it does: its thread must be at a place where it holds no lock.
async function attach(watcher, pid, patience = 5000) {
  checkProcess(pid);
  const end = performance.now() + patience;
  while (watcher.peers.length === 0) {
    const error = askToConnect(pid, watcher.token);
    if (error !== 0) throw new WatchError(`process ${pid} cannot be asked (error ${-error})`);
    await new Promise((resolve) => setTimeout(resolve, 10));
    if (performance.now() > end) {
      throw new WatchError(`process ${pid} does not answer: it is watched already, stopped, or busy in native code`);
    }
  }
  return watcher.peers[0];
}

module.exports = { Watcher, WatchError, attach };
