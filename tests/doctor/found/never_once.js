// expect unsettled-promise waitForDrain
const { once, EventEmitter } = require('node:events');
async function waitForDrain() { const emitter = new EventEmitter(); await once(emitter, 'drain'); }
waitForDrain(); setTimeout(() => {}, 20_000);
