// expect unsettled-promise waitForReady
const { once, EventEmitter } = require('events'); const e = new EventEmitter();
async function waitForReady() { await once(e, 'ready'); console.log('never'); }
waitForReady(); setTimeout(() => {}, 100);
