// natives: none
// One exchange over http for which the page waits and nothing else of its agent runs (synchronous XMLHttpRequest, importScripts): another
// thread makes it. As html/network/network, it follows no redirect.
'use strict';

const kProgram = `
const { workerData: { flag, port } } = require('worker_threads');
const dns = require('dns');
const { lookup } = dns;
dns.lookup = (name, ...args) => lookup(/\\.localhost$/i.test(name) ? 'localhost' : name, ...args);
const answer = (message) => {
  port.postMessage(message);
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
};
port.on('message', async ({ url, method, headers, body }) => {
  try {
    const response = await fetch(url, { method, headers, body, redirect: 'manual' });
    const bytes = new Uint8Array(await response.arrayBuffer());
    answer({ status: response.status, statusText: response.statusText, headers: [...response.headers], body: bytes });
  } catch (error) {
    answer({ error: error.cause?.message ?? error.message });
  }
});`;

let helper;

function start() {
  const { Worker } = require('internal/worker/worker');
  const { MessageChannel } = require('internal/messaging/message_channel');
  const { port1, port2 } = new MessageChannel();
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(kProgram, { eval: true, workerData: { flag, port: port2 }, transferList: [port2] });
  worker.unref();
  return { port: port1, flag };
}

function request({ url, method, headers, body }) {
  const { withDefaults } = require('html/network/network');
  helper ??= start();
  Atomics.store(helper.flag, 0, 0);
  helper.port.postMessage({
    url,
    method,
    headers: withDefaults(headers, url.startsWith('https:') ? 'https:' : 'http:').filter((pair) => pair[0] !== 'accept-encoding'),
    body,
  });
  Atomics.wait(helper.flag, 0, 0);
  const { message } = require('internal/worker/worker_threads').receiveMessageOnPort(helper.port);
  if (message.error !== undefined) throw new Error(message.error);
  return { ...message, body: require('internal/buffer/buffer').Buffer.from(message.body) };
}

module.exports = { request };
