// S99, S100: an event emitted by the constructor is lost: the handler is not attached yet.
const EventEmitter = require('node:events');
const util = require('node:util');

function MyEmitter() {
  EventEmitter.call(this);
  this.emit('event');
}
util.inherits(MyEmitter, EventEmitter);

const myEmitter = new MyEmitter();
myEmitter.on('event', () => {
  console.log('an event occurred!');
});
