// natives: none
//
// node:cluster in the process that forks: settings, workers and their events, and the sockets they share.

'use strict';

const EventEmitter = require('internal/events/events');
const { codes } = require('internal/errors/coded');
const { send, receiver } = require('internal/cluster/messages');
const { Worker } = require('internal/cluster/worker');

const kNone = 1;
const kRoundRobin = 2;

const cluster = new EventEmitter();
const handles = new Map();
const ends = new EventEmitter();
let lastId = 0;
let isSetUp = false;

function policyOfEnvironment() {
  const name = process.env.NODE_CLUSTER_SCHED_POLICY;
  return name === 'none' ? kNone : kRoundRobin;
}

Object.assign(cluster, {
  isWorker: false,
  isMaster: true,
  isPrimary: true,
  Worker,
  workers: {},
  settings: {},
  SCHED_NONE: kNone,
  SCHED_RR: kRoundRobin,
  schedulingPolicy: policyOfEnvironment(),

  setupPrimary(options) {
    const settings = {
      args: arraySlice.call(process.argv, 2),
      exec: process.argv[1],
      execArgv: process.execArgv,
      silent: false,
      ...cluster.settings,
      ...options,
    };
    cluster.settings = settings;
    process.nextTick(() => cluster.emit('setup', settings));
    if (isSetUp) return;
    isSetUp = true;
    const policy = cluster.schedulingPolicy;
    if (policy !== kNone && policy !== kRoundRobin) {
      throw new codes.ERR_INVALID_ARG_VALUE('cluster.schedulingPolicy', policy, 'must be cluster.SCHED_NONE or cluster.SCHED_RR');
    }
  },

  fork(env) {
    cluster.setupPrimary();
    const id = ++lastId;
    const worker = new Worker({ id, process: startProcess(id, env) });
    worker.on('message', (message, handle) => cluster.emit('message', worker, message, handle));
    worker.process.once('exit', (code, signal) => exited(worker, code, signal));
    worker.process.once('disconnect', () => disconnected(worker));
    worker.process.on('internalMessage', receiver(worker, onMessage));
    process.nextTick(() => cluster.emit('fork', worker));
    cluster.workers[id] = worker;
    return worker;
  },

  disconnect(callback) {
    const ids = Object.keys(cluster.workers);
    if (typeof callback === 'function') ends.once('disconnect', callback);
    if (ids.length === 0) process.nextTick(() => ends.emit('disconnect'));
    for (const id of each(ids)) {
      if (cluster.workers[id].isConnected()) cluster.workers[id].disconnect();
    }
  },
});
cluster.setupMaster = cluster.setupPrimary;

function startProcess(id, env) {
  const { inspectOptions } = require('internal/cluster/inspect_port');
  const { exec, args, execArgv, cwd, serialization, silent, windowsHide, stdio, gid, uid } = cluster.settings;
  return require('internal/child_process/child_process').fork(exec, args, {
    cwd,
    env: { ...process.env, ...env, NODE_UNIQUE_ID: `${id}` },
    serialization,
    silent,
    windowsHide,
    execArgv: [...each(execArgv), ...each(inspectOptions(cluster.settings))],
    stdio,
    gid,
    uid,
  });
}

function forget(worker) {
  delete cluster.workers[worker.id];
  if (Object.keys(cluster.workers).length === 0) ends.emit('disconnect');
}

function closeHandlesOf(worker) {
  for (const [key, handle] of eachEntry(handles)) {
    if (handle.remove(worker)) handles.delete(key);
  }
}

// 'exit' and 'disconnect' come in either order; the later one forgets the worker.
function exited(worker, code, signal) {
  if (!worker.isConnected()) {
    closeHandlesOf(worker);
    forget(worker);
  }
  worker.exitedAfterDisconnect = Boolean(worker.exitedAfterDisconnect);
  worker.state = 'dead';
  worker.emit('exit', code, signal);
  cluster.emit('exit', worker, code, signal);
}

function disconnected(worker) {
  closeHandlesOf(worker);
  if (worker.isDead()) forget(worker);
  worker.exitedAfterDisconnect = Boolean(worker.exitedAfterDisconnect);
  worker.state = 'disconnected';
  worker.emit('disconnect');
  cluster.emit('disconnect', worker);
}

const acts = {
  online(worker) {
    worker.state = 'online';
    worker.emit('online');
    cluster.emit('online', worker);
  },
  listening(worker, { addressType, address, port, fd }) {
    const info = { addressType, address, port, fd };
    worker.state = 'listening';
    worker.emit('listening', info);
    cluster.emit('listening', worker, info);
  },
  queryServer,
  exitedAfterDisconnect(worker, { seq }) {
    worker.exitedAfterDisconnect = true;
    send(worker.process, { ack: seq });
  },
  close(worker, { key }) {
    if (handles.get(key)?.remove(worker)) handles.delete(key);
  },
};

function onMessage(message, handle) {
  acts[message.act]?.(this, message, handle);
}

// The shorter of the two names of a path: a socket's has room for 100 bytes.
function shortest(address) {
  const relative = require('internal/path/path').relative(process.cwd(), address);
  return relative.length < address.length ? relative : address;
}

function makeHandle(key, message) {
  const { RoundRobinHandle, SharedHandle } = require('internal/cluster/shared_handles');
  const { port, addressType } = message;
  const options = port < 0 && typeof message.address === 'string' ? { ...message, address: shortest(message.address) } : message;
  // Datagrams have no connections to give away.
  const isDatagram = addressType === 'udp4' || addressType === 'udp6';
  return cluster.schedulingPolicy === kRoundRobin && !isDatagram ? new RoundRobinHandle(key, options) : new SharedHandle(key, options);
}

function queryServer(worker, message) {
  // It is on its way out; what it opens now nobody would close.
  if (worker.exitedAfterDisconnect) return;
  const { address, port, addressType, fd, index } = message;
  // Port 0 is another port for each server of a worker, the same for the n-th server of every worker.
  const key = `${address}:${port}:${addressType}:${fd}${port === 0 ? `:${index}` : ''}`;
  const known = handles.get(key);
  // A worker that asks twice for one address gets a socket of its own, or the error of trying.
  const shared = known === undefined || known.has(worker) ? makeHandle(key, message) : known;
  if (known === undefined) handles.set(key, shared);
  shared.data ??= message.data;
  shared.add(worker, (errno, reply, handle) => {
    const { data } = shared;
    if (!errno) handles.set(key, shared);
    else if (known === undefined) handles.delete(key);
    send(worker.process, { errno, key, ack: message.seq, data, ...reply }, handle);
  });
}

Worker.prototype.disconnect = function disconnect() {
  this.exitedAfterDisconnect = true;
  send(this.process, { act: 'disconnect' });
  closeHandlesOf(this);
  forget(this);
  return this;
};

Worker.prototype.destroy = function destroy(signal) {
  this.process.kill(signal || 'SIGTERM');
};

module.exports = cluster;
