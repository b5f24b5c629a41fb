// S113: the loop is part of the runtime, not a library that the program calls: no module offers it, nothing has to be required, called or
// kept for callbacks to run, and it goes round again for whatever they queue.
const builtins = require('node:module').builtinModules;
console.log('modules named for it:', builtins.filter((name) => /loop|reactor/i.test(name)).length);
const offers = [];
for (const name of builtins) {
  if (name.startsWith('_')) continue;
  for (const key of Object.keys(require(name))) if (/^(run|start|stop)(_|)(event|)(_|)loop$|^reactor$/i.test(key)) offers.push(`${name}.${key}`);
}
for (const key of Object.getOwnPropertyNames(globalThis)) if (/^(run|start|stop|event|)(event|)loop$/i.test(key)) offers.push(key);
console.log('ways to start it:', offers.join() || 'none');
let rounds = 0;
function again() {
  if (++rounds < 3) return setImmediate(again);
  console.log('rounds without a call to start it:', rounds);
}
setTimeout(again, 1);
process.on('exit', () => console.log('the program ends when nothing is left'));
