// natives: none
//
// The primary's listening sockets, one for each address its workers asked for. Round robin: the primary accepts and gives each
// connection to the next worker that is free. Shared: it only binds, and every worker accepts on the socket itself.

'use strict';

const net = require('internal/net/net');
const { openListener } = require('internal/net/server');
const { send } = require('internal/cluster/messages');

class RoundRobinHandle {
  #key;
  #all = new Map();
  #free = new Map();
  #waiting = []; // connections no worker has taken yet
  #handle = null;
  #server;

  constructor(key, { address, port, fd, flags, backlog, readableAll, writableAll }) {
    this.#key = key;
    const server = (this.#server = net.createServer());
    if (fd >= 0) server.listen({ fd, backlog });
    else if (port >= 0) server.listen({ port, host: address, ipv6Only: Boolean(flags & 1), backlog, exclusive: true });
    else server.listen({ path: address, backlog, readableAll, writableAll });
    server.once('listening', () => {
      this.#handle = server._handle;
      this.#handle.onconnection = (status, connection) => this.#distribute(status, connection);
      server._handle = null;
      this.#server = null;
    });
  }

  add(worker, answer) {
    this.#all.set(worker.id, worker);
    const done = () => {
      const handle = this.#handle;
      if (handle?.getsockname) {
        const sockname = {};
        handle.getsockname(sockname);
        answer(null, { sockname }, null);
      } else {
        answer(null, null, null);
      }
      this.#handOver(worker);
    };
    if (this.#server === null) {
      done();
      return;
    }
    this.#server.once('listening', done);
    this.#server.once('error', (error) => answer(error.errno, null));
  }

  has(worker) {
    return this.#all.has(worker.id);
  }

  // True when nobody is left to serve.
  remove(worker) {
    if (!this.#all.delete(worker.id)) return false;
    this.#free.delete(worker.id);
    if (this.#all.size !== 0) return false;
    for (const connection of each(arraySplice.call(this.#waiting, 0))) connection.close();
    this.#handle?.close();
    this.#handle = null;
    return true;
  }

  #distribute(status, connection) {
    // A failed accept concerns no worker; the listener goes on by itself.
    if (status < 0 || connection === undefined) return;
    arrayPush.call(this.#waiting, connection);
    for (const [id, worker] of eachEntry(this.#free)) {
      this.#free.delete(id);
      this.#handOver(worker);
      return;
    }
  }

  #handOver(worker) {
    if (!this.#all.has(worker.id)) return;
    const connection = arrayShift.call(this.#waiting);
    if (connection === undefined) {
      this.#free.set(worker.id, worker);
      return;
    }
    const wasSent = send(worker.process, { act: 'newconn', key: this.#key }, connection, (reply) => {
      if (reply.accepted) connection.close();
      else this.#distribute(0, connection); // It is shutting down: the next one.
      this.#handOver(worker);
    });
    // The worker is gone and its end will be told; another takes the connection.
    if (wasSent === false && !worker.process.connected) this.#distribute(0, connection);
  }
}

class SharedHandle {
  #workers = new Map();
  #errno = 0;
  #handle = null;

  constructor(key, { address, port, addressType, fd, flags }) {
    const made =
      addressType === 'udp4' || addressType === 'udp6'
        ? require('internal/dgram/handle').createBound(address, port, addressType, fd, flags)
        : openListener({ address, port, fd, ipv6Only: Boolean(flags & 1), isPath: addressType === -1 });
    if (typeof made === 'number') this.#errno = made;
    else this.#handle = made;
  }

  add(worker, answer) {
    this.#workers.set(worker.id, worker);
    answer(this.#errno, null, this.#handle);
  }

  has(worker) {
    return this.#workers.has(worker.id);
  }

  remove(worker) {
    if (!this.#workers.delete(worker.id) || this.#workers.size !== 0) return false;
    this.#handle?.close();
    this.#handle = null;
    return true;
  }
}

module.exports = { RoundRobinHandle, SharedHandle };
