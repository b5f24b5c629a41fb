// natives: none
//
// node:cluster in a worker: its servers listen through the primary. With round robin a server's handle is a name the primary
// knows; connections arrive as messages. A shared handle is the socket itself.

'use strict';

const EventEmitter = require('internal/events/events');
const path = require('internal/path/path');
const role = require('internal/process/cluster_role');
const { send: sendTo, receiver } = require('internal/cluster/messages');
const { Worker } = require('internal/cluster/worker');

const kLongest = 2 ** 31 - 1;
const cluster = new EventEmitter();
const handles = new Map();
const indexes = new Map(); // how many servers of this process asked for an address, and the numbers that are taken

const send = (message, answered) => sendTo(process, message, null, answered);

Object.assign(cluster, {
  isWorker: true,
  isMaster: false,
  isPrimary: false,
  worker: null,
  Worker,
  SCHED_NONE: 1,
  SCHED_RR: 2,
  _setupWorker: setUpWorker,
  _getServer: getServer,
});

function setUpWorker() {
  const worker = new Worker({ id: Number(process.env.NODE_UNIQUE_ID) | 0, process, state: 'online' });
  cluster.worker = worker;
  role.getServer = getServer;
  process.once('disconnect', () => {
    process.channel = null;
    worker.emit('disconnect');
    // The primary went away: nobody gives this process work any more.
    if (!worker.exitedAfterDisconnect) process.exit(0);
  });
  process.on('internalMessage', receiver(worker, onMessage));
  send({ act: 'online' });
}

function onMessage(message, handle) {
  if (message.act === 'newconn') onConnection(message, handle);
  else if (message.act === 'disconnect') leave(this, true);
}

function takeIndex(key) {
  let taken = indexes.get(key);
  if (taken === undefined) indexes.set(key, (taken = { next: 0, numbers: new Set() }));
  const index = taken.next++;
  taken.numbers.add(index);
  return index;
}

function giveIndexBack(key, index) {
  const taken = indexes.get(key);
  if (taken === undefined) return;
  taken.numbers.delete(index);
  if (taken.numbers.size === 0) indexes.delete(key);
}

// A server or datagram socket wants to listen: `callback(errno, handle)`.
function getServer(server, options, callback) {
  let { address } = options;
  // The primary may be in another folder.
  if (options.port < 0 && typeof address === 'string' && !stringStartsWith.call(address, '\0')) address = path.resolve(address);
  const indexKey = arrayJoin.call([address, options.port, options.addressType, options.fd], ':');
  const index = takeIndex(indexKey);
  const message = { act: 'queryServer', index, data: null, ...options, address };
  if (server._getServerData) message.data = server._getServerData();
  const release = () => giveIndexBack(indexKey, index);
  send(message, (reply, handle) => {
    if (typeof server._setServerData === 'function') server._setServerData(reply.data);
    if (handle) sharedHandle(reply, handle, release, callback);
    else roundRobinHandle(reply, release, callback);
  });
  server.once('listening', () => {
    // A server that lived shortly may be closed again.
    if (!indexes.has(indexKey)) return;
    cluster.worker.state = 'listening';
    const found = server.address();
    send({ ...message, act: 'listening', port: (found && found.port) || options.port });
  });
}

function sharedHandle({ errno, key }, handle, release, callback) {
  const close = handle.close;
  handle.close = function closeShared(...args) {
    send({ act: 'close', key });
    handles.delete(key);
    release();
    handle.close = close;
    return Reflect.apply(close, handle, args);
  };
  handles.set(key, handle);
  callback(errno, handle);
}

// While the server is open and referenced, a timer that never fires stands for the socket it does not have.
class RoundRobinName {
  #key;
  #release;
  #keepAlive;
  onconnection = undefined;
  owner = undefined;

  constructor(key, release, sockname) {
    this.#key = key;
    this.#release = release;
    this.ref();
    // Those of paths have none.
    if (sockname) this.getsockname = (out) => (Object.assign(out, sockname), 0);
  }
  // The primary listens already.
  listen() {
    return 0;
  }
  close(callback) {
    if (this.#key === undefined) return;
    this.unref();
    send({ act: 'close', key: this.#key });
    handles.delete(this.#key);
    this.#release();
    this.#key = undefined;
    if (typeof callback === 'function') process.nextTick(callback);
  }
  ref() {
    this.#keepAlive ??= setInterval(() => {}, kLongest);
  }
  unref() {
    clearInterval(this.#keepAlive);
    this.#keepAlive = undefined;
  }
  hasRef() {
    return this.#keepAlive !== undefined;
  }
}

function roundRobinHandle({ errno, key, sockname }, release, callback) {
  if (errno) {
    release();
    callback(errno, null);
    return;
  }
  const handle = new RoundRobinName(key, release, sockname);
  handles.set(key, handle);
  callback(0, handle);
}

// Too many for this server: another worker may have it, or, with dropMaxConnection, nobody.
function isFull(server) {
  return server?.maxConnections != null && server._connections >= server.maxConnections;
}

function onConnection({ key, seq }, connection) {
  const handle = handles.get(key);
  let accepted = handle !== undefined && connection !== undefined;
  if (accepted && isFull(handle.owner) && !handle.owner.dropMaxConnection) accepted = false;
  send({ ack: seq, accepted });
  if (accepted) handle.onconnection(0, connection);
  else connection?.close();
}

// Closes every server first, then the channel.
function leave(worker, isAsked) {
  worker.exitedAfterDisconnect = true;
  let waiting = 1;
  const closed = () => {
    waiting--;
    if (waiting !== 0) return;
    if (isAsked) {
      if (process.connected) process.disconnect();
    } else {
      send({ act: 'exitedAfterDisconnect' }, () => process.disconnect());
    }
  };
  for (const handle of each([...each(handles.values())])) {
    waiting++;
    if (handle.owner) handle.owner.close(closed);
    else handle.close(closed);
  }
  handles.clear();
  closed();
}

Worker.prototype.disconnect = function disconnect() {
  if (this.state !== 'disconnecting' && this.state !== 'destroying') {
    this.state = 'disconnecting';
    leave(this, false);
  }
  return this;
};

Worker.prototype.destroy = function destroy() {
  if (this.state === 'destroying') return;
  this.exitedAfterDisconnect = true;
  if (!this.isConnected()) process.exit(0);
  this.state = 'destroying';
  send({ act: 'exitedAfterDisconnect' }, () => process.disconnect());
  process.once('disconnect', () => process.exit(0));
};

module.exports = cluster;
