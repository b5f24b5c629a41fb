// mqtt beside the broker aedes: subscriptions with wildcards, retained messages, the three qualities of service, a last will.
import assert from 'node:assert';
import net from 'node:net';
import aedes from 'aedes';
import mqtt from 'mqtt';

const broker = aedes();
const sockets = [];
const server = net.createServer((socket) => {
  sockets.push(socket);
  broker.handle(socket);
}).listen(0, '127.0.0.1');
await new Promise((resolve) => { server.on('listening', resolve); });
const url = `mqtt://127.0.0.1:${server.address().port}`;

const first = await mqtt.connectAsync(url, { clientId: 'first' });
const heard = [];
const enough = new Promise((resolve) => {
  first.on('message', (topic, payload, packet) => {
    heard.push([topic, payload.toString(), packet.qos]);
    if (heard.length === 4) resolve();
  });
});
await first.subscribeAsync({ 'a/+': { qos: 2 }, will: { qos: 0 } });
const second = await mqtt.connectAsync(url, { clientId: 'second', will: { topic: 'will', payload: 'gone', qos: 0 } });
await second.publishAsync('a/0', 'zero', { qos: 0 });
await second.publishAsync('a/1', 'one', { qos: 1 });
await second.publishAsync('a/2', 'two', { qos: 2, retain: true });
second.options.reconnectPeriod = 0;
sockets[1].destroy(); // without a word: the broker tells the will
await enough;
assert.deepStrictEqual(heard.toSorted(), [['a/0', 'zero', 0], ['a/1', 'one', 1], ['a/2', 'two', 2], ['will', 'gone', 0]]);

const third = await mqtt.connectAsync(url, { clientId: 'third' });
const retained = new Promise((resolve) => { third.on('message', (topic, payload, packet) => resolve([topic, payload.toString(), packet.retain])); });
await third.subscribeAsync('a/2');
assert.deepStrictEqual(await retained, ['a/2', 'two', true]);
await Promise.all([first.endAsync(), second.endAsync(true), third.endAsync()]);
await new Promise((resolve) => { broker.close(resolve); });
server.close();
