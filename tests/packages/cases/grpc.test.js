// @grpc/grpc-js over our HTTP/2: a call, a stream each way, both ways, an error with metadata, a deadline, a cancelled call.
'use strict';
const assert = require('node:assert');
const grpc = require('@grpc/grpc-js');

const json = { serialize: (value) => Buffer.from(JSON.stringify(value)), deserialize: (bytes) => JSON.parse(bytes.toString()) };
const method = (name, requestStream, responseStream) => ({ path: `/demo.Demo/${name}`, requestStream, responseStream,
  requestSerialize: json.serialize, requestDeserialize: json.deserialize, responseSerialize: json.serialize, responseDeserialize: json.deserialize });
const service = { add: method('Add', false, false), count: method('Count', false, true), sum: method('Sum', true, false), echo: method('Echo', true, true), fail: method('Fail', false, false), wait: method('Wait', false, false) };

const server = new grpc.Server();
server.addService(service, {
  add: ({ request }, callback) => callback(null, request.reduce((a, b) => a + b)),
  count(call) {
    for (let i = 0; i < call.request; i++) call.write(i);
    call.end();
  },
  sum(call, callback) {
    let sum = 0;
    call.on('data', (value) => { sum += value; });
    call.on('end', () => callback(null, sum));
  },
  echo(call) {
    call.on('data', (value) => call.write(value));
    call.on('end', () => call.end());
  },
  fail(call, callback) {
    const metadata = new grpc.Metadata();
    metadata.set('why', 'because');
    callback({ code: grpc.status.NOT_FOUND, details: 'nothing here', metadata });
  },
  wait() {},
});

const collected = (call) => new Promise((resolve, reject) => {
  const values = [];
  call.on('data', (value) => values.push(value));
  call.on('error', reject);
  call.on('end', () => resolve(values));
});
const called = (run) => new Promise((resolve, reject) => { run((error, value) => (error ? reject(error) : resolve(value))); });

server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), async (error, port) => {
  assert.ifError(error);
  const Client = grpc.makeGenericClientConstructor(service, 'Demo');
  const client = new Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  assert.strictEqual(await called((done) => client.add([1, 2, 39], done)), 42);
  assert.deepStrictEqual(await collected(client.count(100)), Array.from({ length: 100 }, (none, i) => i));
  assert.strictEqual(await called((done) => {
    const call = client.sum(done);
    for (let i = 1; i <= 100; i++) call.write(i);
    call.end();
  }), 5050);
  const big = 'x'.repeat(200_000);
  const both = client.echo();
  const echoed = collected(both);
  for (const value of ['a', big, 'c']) both.write(value);
  both.end();
  assert.deepStrictEqual(await echoed, ['a', big, 'c']);
  const failed = await called((done) => client.fail({}, done)).catch((reason) => reason);
  assert.deepStrictEqual([failed.code, failed.details, failed.metadata.get('why')], [grpc.status.NOT_FOUND, 'nothing here', ['because']]);
  const late = await called((done) => client.wait({}, { deadline: Date.now() + 50 }, done)).catch((reason) => reason);
  assert.strictEqual(late.code, grpc.status.DEADLINE_EXCEEDED);
  const cancelled = await called((done) => { client.wait({}, done).cancel(); }).catch((reason) => reason);
  assert.strictEqual(cancelled.code, grpc.status.CANCELLED);
  client.close();
  server.forceShutdown();
});
