// S7, S37: messages are taken oldest first; each has left the queue before its handler runs, and the handler gets it as input.
const queue = [];

function post(message) {
  queue.push(message);
  setImmediate((input) => {
    queue.shift();
    console.log(`handling ${input}, ${queue.length} left`);
  }, message);
}

for (const message of ['one', 'two', 'three', 'four']) post(message);
console.log(`posted ${queue.length}`);
