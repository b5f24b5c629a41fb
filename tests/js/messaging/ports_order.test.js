// event.ports has the order of the transfer list, not that of the message.
'use strict';
const assert = require('assert');

const { port1, port2 } = new MessageChannel();
const made = [0, 1, 2].map(() => new MessageChannel());
port2.onmessage = ({ data, ports }) => {
  assert.strictEqual(ports.length, 3);
  for (let i = 0; i < 3; i++) assert.strictEqual(ports[i], data[2 - i]);
  port2.close();
};
port1.postMessage(
  made.map(({ port1: port }) => port).reverse(),
  made.map(({ port1: port }) => port),
);
