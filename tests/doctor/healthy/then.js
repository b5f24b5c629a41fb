// Promises without async functions, all of them settled, some by race and some rejected.
const { EventEmitter, once } = require('events');
const bus = new EventEmitter();
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
once(bus, 'ready').then((value) => value);
Promise.race([wait(5), new Promise(() => {})]).then(() => bus.emit('ready', 1));
Promise.reject(new Error('no')).then(() => {}, () => {});
Promise.all([wait(10), wait(20)]).then(() => wait(5)).finally(() => {});
