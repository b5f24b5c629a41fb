// What a blocked queue does to a server of express 4 and 5 (S163–S166): while setImmediate calls itself
// the server answers; while promises or ticks do, it never does, until they stop.
'use strict';
const assert = require('node:assert');
const http = require('node:http');
const { once } = require('node:events');

async function withServer(name, use) {
  const app = require(name)();
  app.get('/', (req, res) => res.send('here'));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await use(server.address().port);
  server.close();
  await once(server, 'close');
}

const get = (port, onAnswer) => http.get({ host: '127.0.0.1', port, agent: false }, (res) => res.resume().on('end', onAnswer));

// A chain of `again` that ends when `isOver()`.
const immediates = (isOver, done) => { const step = () => (isOver() ? done() : setImmediate(step)); step(); };
const ticks = (isOver, done) => { const step = () => (isOver() ? done() : process.nextTick(step)); step(); };
const promises = (isOver, done) => { const step = () => (isOver() ? done() : Promise.resolve().then(step)); step(); };

async function exercise(name) {
  await withServer(name, async (port) => {
    // Immediates go on until the answer has come: if they kept it away, this would never end.
    let answered = false;
    let turns = 0;
    get(port, () => { answered = true; });
    await new Promise((done) => { immediates(() => { turns++; return answered; }, done); });
    assert(turns > 1);
    for (const chain of [ticks, promises]) {
      // The request is on its way; the chain lasts 200,000 steps and 100 ms at least, and all that time nothing comes.
      let came = false;
      let steps = 0;
      const request = get(port, () => { came = true; });
      await once(request, 'socket');
      const begin = performance.now();
      await new Promise((done) => { chain(() => ++steps > 200_000 && performance.now() - begin > 100, done); });
      assert.strictEqual(came, false, chain.name);
      await once(request, 'close');
      assert.strictEqual(came, true, chain.name);
    }
  });
}

(async () => {
  await exercise('express4');
  await exercise('express');
})();
