// natives: none
//
// Connections that a server has given to children: how many they are, and when the last is closed. For each server and child there is a
// list at either end; the two talk by internal messages of the channel, in Node's words, so either end may be Node.

'use strict';

const {
  codes: { ERR_CHILD_CLOSED_BEFORE_REPLY },
} = require('internal/errors/coded');

// Questions of the parent, and the child's answers.
const kNotifyClose = 'NODE_SOCKET_NOTIFY_CLOSE',
  kAllClosed = 'NODE_SOCKET_ALL_CLOSED';
const kGetCount = 'NODE_SOCKET_GET_COUNT',
  kCount = 'NODE_SOCKET_COUNT';

// The parent's end; `server._workers` has those of its server.
class SentSockets {
  #child;
  #key;
  #send;

  constructor(child, key, send) {
    this.#child = child;
    this.#key = key;
    this.#send = send;
  }

  // callback(error, count)
  getConnections(callback) {
    this.#ask(kGetCount, kCount, (error, answer) => callback(error, answer?.count));
  }
  // When the child has closed all of them, or cannot tell any more.
  close(callback) {
    this.#ask(kNotifyClose, kAllClosed, () => callback());
  }

  #ask(cmd, answer, callback) {
    const child = this.#child,
      key = this.#key;
    const finish = (error, message) => {
      child.off('internalMessage', onMessage);
      child.off('disconnect', onEnd);
      callback(error, message);
    };
    const onEnd = () => finish(new ERR_CHILD_CLOSED_BEFORE_REPLY());
    const onMessage = (message) => {
      if (message.cmd === answer && message.key === key) finish(null, message);
    };
    if (!child.connected) return onEnd();
    child.on('internalMessage', onMessage);
    child.once('disconnect', onEnd);
    this.#send({ cmd, key });
  }
}

// The child's end.
class ReceivedSockets {
  #count = 0;
  #isAwaited = false; // the parent waits for the last one

  constructor(target, key, send) {
    this.tell = () => {
      if (!this.#isAwaited || this.#count > 0 || !target.connected) return;
      this.#isAwaited = false;
      send({ cmd: kAllClosed, key });
    };
    target.on('internalMessage', (message) => {
      if (message.key !== key) return;
      if (message.cmd === kGetCount && target.connected) send({ cmd: kCount, key, count: this.#count });
      if (message.cmd !== kNotifyClose) return;
      this.#isAwaited = true;
      this.tell();
    });
  }

  add(socket) {
    this.#count++;
    socket.once('close', () => {
      this.#count--;
      this.tell();
    });
  }
}

const keys = new WeakMap(); // server -> the name it has in all messages
let lastKey = 0;

// Both kinds of one channel; `target` has the channel, `send` sends an internal message over it.
class SocketLists {
  #target;
  #send;
  #sent = new Map();
  #received = new Map();

  constructor(target, send) {
    this.#target = target;
    this.#send = send;
  }

  // `server` gives a connection away: the key that goes with it.
  sending(server) {
    let key = keys.get(server);
    if (key === undefined) keys.set(server, (key = `${process.pid}:${++lastKey}`));
    if (this.#sent.has(key)) return key;
    const list = new SentSockets(this.#target, key, this.#send);
    this.#sent.set(key, list);
    server._usingWorkers = true;
    arrayPush.call(server._workers, list);
    this.#target.once('exit', () => {
      server._workers = arrayFilter.call(server._workers, (other) => other !== list);
    });
    return key;
  }

  received(key, socket) {
    let list = this.#received.get(key);
    if (list === undefined) this.#received.set(key, (list = new ReceivedSockets(this.#target, key, this.#send)));
    list.add(socket);
  }
}

module.exports = { SocketLists };
