// S125: a promise library that settles by setImmediate never starves I/O: a server answers during an endless recursion of it.
const assert = require('node:assert');
const net = require('node:net');

// As small as a thenable can be: callbacks run from check, one loop iteration later.
class Later {
  #callbacks = [];
  #value;
  #settled = false;
  constructor(run) { run((value) => this.#settle(value)); }
  #settle(value) {
    this.#settled = true;
    this.#value = value;
    for (const callback of this.#callbacks) setImmediate(callback, value);
  }
  then(callback) {
    return new Later((resolve) => {
      const step = (value) => resolve(callback(value));
      if (this.#settled) setImmediate(step, this.#value);
      else this.#callbacks.push(step);
    });
  }
}

let rounds = 0;
let isOver = false;
(function again() {
  rounds++;
  if (!isOver) new Later((resolve) => resolve()).then(again);
})();

const server = net.createServer((socket) => socket.end('answer'));
server.listen(0, '127.0.0.1', () => {
  let text = '';
  const client = net.connect(server.address().port, '127.0.0.1');
  client.setEncoding('utf8');
  client.on('data', (part) => { text += part; });
  client.on('close', () => {
    isOver = true;
    server.close();
    assert.strictEqual(text, 'answer');
    assert.ok(rounds > 1);
  });
});
process.on('exit', () => assert.ok(isOver));
