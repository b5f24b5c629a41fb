// natives: none
// cluster.Worker: what both halves know of a worker. disconnect() and destroy() are each half's own.
'use strict';

const EventEmitter = require('internal/events/events');

function Worker(options) {
  if (!(this instanceof Worker)) return new Worker(options);
  call0(EventEmitter, this);
  if (options === null || typeof options !== 'object') options = {};
  this.exitedAfterDisconnect = undefined;
  this.state = options.state || 'none';
  this.id = options.id | 0;
  if (!options.process) return;
  this.process = options.process;
  this.process.on('error', (...args) => this.emit('error', ...each(args)));
  this.process.on('message', (message, handle) => this.emit('message', message, handle));
}
Object.setPrototypeOf(Worker.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Worker, EventEmitter);

const methods = {
  kill(...args) {
    Reflect.apply(this.destroy, this, args);
  },
  send(...args) {
    return Reflect.apply(this.process.send, this.process, args);
  },
  isDead() {
    return this.process.exitCode != null || this.process.signalCode != null;
  },
  isConnected() {
    return this.process.connected;
  },
};
for (const name of each(Object.keys(methods))) Worker.prototype[name] = methods[name];

module.exports = { Worker };
