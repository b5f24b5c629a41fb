// Small random programs out of timers, immediates, ticks, promises, file reads and sockets, each with a few callbacks whose order the
// program does not decide alone. `sourceOf(seed)` gives the text of one; the same text for the same seed, everywhere.
//
// A program writes the names of its callbacks in the order in which they ran, in one line at its end.
'use strict';

function randomNumbers(seed) {
  let state = (seed * 2654435761) >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}

const kDelays = [0, 1, 1, 2, 3, 5, 10, 20];

// name, cost (of the most that a program may have: it bounds the number of schedules), text around the nested calls
const kActions = [
  ['timeout', 1, (log, inner, random) => `setTimeout(() => { ${log}${inner} }, ${kDelays[random(kDelays.length)]});`],
  ['immediate', 1, (log, inner) => `setImmediate(() => { ${log}${inner} });`],
  ['tick', 0, (log, inner) => `process.nextTick(() => { ${log}${inner} });`],
  ['then', 0, (log, inner) => `Promise.resolve().then(() => { ${log}${inner} });`],
  ['microtask', 0, (log, inner) => `queueMicrotask(() => { ${log}${inner} });`],
  ['stat', 2, (log, inner) => `fs.stat(file, () => { ${log}${inner} });`],
  ['readFile', 3, (log, inner) => `fs.readFile(file, () => { ${log}${inner} });`],
  ['access', 2, (log, inner) => `fs.promises.access(file).then(() => { ${log}${inner} });`],
  ['readFilePromise', 3, (log, inner) => `fs.promises.readFile(file).then(() => { ${log}${inner} });`],
  ['open', 3, (log, inner) => `fs.open(file, (error, fd) => { ${log}${inner} fs.close(fd, () => {}); });`],
  ['interval', 2, (log, inner, random) =>
    `{ let times = 0; const id = setInterval(() => { ${log} if (++times === 2) { clearInterval(id); ${inner} } }, ${1 + random(3)}); }`],
  ['await', 0, (log, inner) => `(async () => { await null; ${log} await null; ${inner} })();`],
  ['sleep', 1, (log, inner, random) => `timers.setTimeout(${kDelays[random(kDelays.length)]}).then(() => { ${log}${inner} });`],
  ['cleared', 1, (log, inner, random) =>
    `{ const id = setTimeout(() => { ${log}${inner} }, ${kDelays[random(kDelays.length)]}); setTimeout(() => clearTimeout(id), ${kDelays[random(4)]}); }`],
]; // biome-ignore format: a table

// One a program: the events of a connection, or of one that is refused.
const kSockets = [
  (log, inner) => `{
  const server = net.createServer((socket) => { ${log('connection')} socket.end(); server.close(); });
  server.listen(0, '127.0.0.1', () => {
    ${log('listening')}
    const client = net.connect(server.address().port, '127.0.0.1', () => { ${log('connect')}${inner} });
    client.resume().on('close', () => { ${log('close')} });
  });
}`,
  (log, inner) => `{
  const server = net.createServer((socket) => { socket.on('data', (data) => { ${log('request')} socket.end(data); server.close(); }); });
  server.listen(0, '127.0.0.1', () => {
    const client = net.connect(server.address().port, '127.0.0.1');
    client.write('x');
    client.on('data', () => { ${log('reply')}${inner} });
  });
}`,
];

function sourceOf(seed) {
  const random = randomNumbers(seed);
  let left = 6; // what the actions of a program may cost together
  let names = 0;
  const logOf = (name) => `log('${name}${names++}'); `;
  const actions = (depth, most) => {
    let text = '';
    for (let count = 1 + random(most); count > 0; count--) {
      const [name, cost, make] = kActions[random(kActions.length)];
      if (cost > left) continue;
      left -= cost;
      const log = logOf(name);
      const inner = depth < 2 && random(2) === 0 ? actions(depth + 1, 2) : '';
      text += make(log, inner, random);
      if (depth === 0) text += '\n';
    }
    return text;
  };
  let body = '';
  if (random(6) === 0) {
    left -= 4;
    const log = logOf;
    body += `${kSockets[random(kSockets.length)](log, random(2) === 0 ? actions(2, 1) : '')}\n`;
  }
  body += actions(0, 5);
  const uses = (word) => body.includes(`${word}.`);
  return `${uses('fs') ? "const fs = require('fs');\n" : ''}${uses('net') ? "const net = require('net');\n" : ''}${
    uses('timers') ? "const timers = require('timers/promises');\n" : ''
  }const file = __filename;
const order = [];
const log = (name) => order.push(name);
process.on('exit', () => console.log(order.join(' ')));
${body}`;
}

module.exports = { sourceOf };
if (require.main === module) process.stdout.write(sourceOf(Number(process.argv[2])));
