// A walk through the event loop: every line is printed by a callback of the phase it names, in the order the loop
// takes. Run it with `make run`; it prints the same under Node.
'use strict';

const fs = require('node:fs');

let line = 0;
function tell(where, sentence) {
  line += 1;
  console.log(`${String(line).padStart(2)}  ${where.padEnd(10)}  ${sentence}`);
}

// Queued in an order that has nothing to do with the order in which they run.
setImmediate(() => {
  tell('check', 'Immediates run in the check phase, right after poll.');
  setImmediate(() => tell('check', 'An immediate queued by an immediate waits for the next iteration.'));
  process.nextTick(() => tell('tick', 'This tick was queued in check; it does not wait for another phase.'));
});

setTimeout(() => {
  tell('timers', 'The loop begins: the timer has expired, and timers is the first phase.');
  process.nextTick(() => tell('tick', 'After each callback come the ticks it queued …'));
  Promise.resolve().then(() => tell('microtask', '… and then the microtasks, before the next timer.'));
}, 0);
setTimeout(() => tell('timers', 'The second timer of the same visit.'), 0);

setTimeout(() => {
  fs.readFile(__filename, () => {
    tell('poll', 'Poll is where the loop waits: a file has been read, its callback runs here.');
    setTimeout(() => {
      tell('timers', '… and the timer comes an iteration later, in timers.');
      tell('done', 'Nothing is left that could call back, so the loop ends and the process exits.');
    }, 0);
    setImmediate(() => tell('check', 'From poll, an immediate is always first: check follows poll …'));
  });
}, 20);

Promise.resolve()
  .then(() => tell('microtask', 'Microtasks run when the ticks are done.'))
  .then(() => {
    process.nextTick(() => tell('tick', 'A tick queued by a microtask runs when the microtasks are done.'));
    queueMicrotask(() => tell('microtask', 'A microtask queued by a microtask runs in the same go.'));
  });

process.nextTick(() => {
  tell('tick', 'Ticks run as soon as the script has returned, before the loop is entered.');
  process.nextTick(() => tell('tick', 'Ticks queued by ticks run at once, too.'));
});

// Two milliseconds of work, so that both zero-delay timers have expired when the loop begins.
const end = Date.now() + 2;
while (Date.now() <= end);
tell('script', 'The script runs to its last line; nothing can interrupt it.');
