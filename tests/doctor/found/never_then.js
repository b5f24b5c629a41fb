// expect unsettled-promise afterwards
const { EventEmitter, once } = require('events');
const bus = new EventEmitter();
function listen() { once(bus, 'ready').then(function afterwards(value) { console.log(value); }); }
listen(); setTimeout(() => bus.emit('redy', 1), 20);
