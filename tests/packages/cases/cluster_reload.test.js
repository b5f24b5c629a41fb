// What process managers do to reload a service: an express application in a cluster, its workers replaced one by one while clients with
// kept connections go on asking. No request is refused or lost, and in the end only new workers answer.
'use strict';
const assert = require('node:assert');
const cluster = require('node:cluster');
const http = require('node:http');
const { once } = require('node:events');

function serve() {
  const app = require('express')();
  app.get('/', (request, response) => { setTimeout(() => response.json({ worker: cluster.worker.id }), 2); });
  const server = app.listen(0, '127.0.0.1');
  process.on('message', (message) => {
    if (message !== 'leave') return;
    server.close(() => cluster.worker.disconnect());
    server.closeIdleConnections();
    // A kept connection that was busy just now is told with its next answer.
    server.prependListener('request', (request, response) => response.setHeader('connection', 'close'));
  });
}

function ask(agent, port) {
  return new Promise((resolve, reject) => {
    const request = http.get({ agent, port, host: '127.0.0.1' }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => { text += part; }).on('end', () => resolve(JSON.parse(text).worker));
    });
    // A kept connection may end just as it is used again: the agent's clients ask again, as browsers do.
    request.on('error', (error) => (request.reusedSocket && error.code === 'ECONNRESET' ? resolve(ask(agent, port)) : reject(error)));
  });
}

async function manage() {
  const start = async () => {
    const worker = cluster.fork();
    const [{ port }] = await once(worker, 'listening');
    return { worker, port };
  };
  let workers = [await start(), await start()];
  const { port } = workers[0];
  const answers = [];
  let isOver = false;
  const clients = Array.from({ length: 4 }, async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    while (!isOver) answers.push(await ask(agent, port));
    agent.destroy();
  });
  const answered = async (count) => { while (answers.length < count) await new Promise(setImmediate); };
  await answered(20);
  for (const { worker } of workers.splice(0)) {
    workers.push(await start());
    worker.send('leave');
    assert.deepStrictEqual(await once(worker, 'exit'), [0, null]);
  }
  const before = answers.length;
  await answered(before + 40);
  isOver = true;
  await Promise.all(clients);
  assert.ok(answers.slice(0, 10).every((id) => id <= 2));
  assert.ok(answers.slice(before + 8).every((id) => id > 2));
  for (const { worker } of workers) worker.kill();
}

if (cluster.isWorker) serve();
else manage();
