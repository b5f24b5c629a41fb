// Who watches the network: diagnostics_channel's net channels, and performance entries of connections and lookups.
'use strict';
const assert = require('node:assert');
const dc = require('node:diagnostics_channel');
const dns = require('node:dns');
const net = require('node:net');
const { PerformanceObserver } = require('node:perf_hooks');

const seen = [];
dc.subscribe('net.client.socket', ({ socket }) => seen.push(['client', socket instanceof net.Socket]));
dc.subscribe('net.server.socket', ({ socket }) => seen.push(['server', socket instanceof net.Socket]));
dc.tracingChannel('net.server.listen').subscribe({
  asyncStart: ({ server: one, options }) => seen.push(['listen', one instanceof net.Server && options.own]),
  asyncEnd: () => seen.push(['listening', true]),
  error: () => seen.push(['error', true]),
});
const entries = [];
const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
observer.observe({ entryTypes: ['net', 'dns'] });

const server = net.createServer((socket) => socket.end()).listen({ port: 0, host: '127.0.0.1', own: 1 }, () => {
  const { port } = server.address();
  net.connect(port, '127.0.0.1').resume().on('close', () => {
    const second = net.createServer().on('error', () => server.close()).listen({ port, host: '127.0.0.1' });
    assert.ok(second instanceof net.Server);
  });
  dns.lookup('localhost', () => {});
});

process.on('exit', () => {
  observer.takeRecords().forEach((entry) => entries.push(entry));
  assert.deepStrictEqual(seen.filter(([name]) => name !== 'listen').map(([name]) => name).sort(), ['client', 'error', 'listening', 'server']);
  assert.deepStrictEqual(seen[0], ['listen', 1]);
  const connect = entries.find(({ entryType }) => entryType === 'net');
  assert.strictEqual(connect.name, 'connect');
  assert.strictEqual(connect.detail.host, '127.0.0.1');
  assert.ok(connect.duration >= 0);
});

// A list of addresses survives cloning.
const list = new net.BlockList();
list.addSubnet('10.0.0.0', 8);
list.addAddress('1.2.3.4');
const copy = structuredClone(list);
assert.ok(copy instanceof net.BlockList && copy.check('10.1.1.1') && copy.check('1.2.3.4') && !copy.check('1.2.3.5'));
assert.deepStrictEqual(copy.rules, list.rules);
