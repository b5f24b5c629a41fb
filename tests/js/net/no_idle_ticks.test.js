// A socket that is being read needs no tick for each piece to ask for the next; one whose program stopped it, or which has a _read of
// its own, is asked as ever.
'use strict';
const assert = require('node:assert');
const net = require('node:net');
const { once } = require('node:events');

const kPieces = 20;
let ticks = 0;
const { nextTick } = process;
process.nextTick = function(...args) {
  ticks++;
  return nextTick.apply(this, args);
};

// Sends piece by piece, each when the last has come back; the answer is how many ticks these trips took at both ends.
async function ticksOfTrips(prepare = () => {}) {
  const server = net.createServer((peer) => peer.on('data', (chunk) => peer.write(chunk)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = net.connect(server.address().port, '127.0.0.1');
  await once(socket, 'connect');
  prepare(socket);
  let count = 0;
  let before = 0;
  const done = new Promise((resolve) => {
    socket.on('data', (chunk) => {
      assert.strictEqual(String(chunk), 'piece');
      if (count === 0) before = ticks;
      if (++count <= kPieces) socket.write('piece');
      else resolve(ticks - before);
    });
  });
  socket.write('piece');
  const taken = await done;
  socket.end();
  await once(socket, 'close');
  server.close();
  return taken;
}

(async () => {
  assert.ok(await ticksOfTrips() < kPieces, 'no tick for each piece');

  // A _read of the program's own is called for every piece.
  let reads = 0;
  await ticksOfTrips((socket) => {
    const inherited = socket._read;
    socket._read = function(size) {
      reads++;
      return inherited.call(this, size);
    };
  });
  assert.ok(reads >= kPieces, `${reads} calls of _read`);

  // A handle that was stopped behind the stream's back is started again by the tick.
  let stopped = 0;
  await ticksOfTrips((socket) => socket.prependListener('data', () => {
    stopped++;
    socket._handle.readStop();
  }));
  assert.strictEqual(stopped, kPieces + 1);

  // Hooks are told of a tick with each piece.
  const hook = require('node:async_hooks').createHook({ init() {} }).enable();
  const taken = await ticksOfTrips();
  hook.disable();
  assert.ok(taken >= kPieces, `${taken} ticks`);
})();
