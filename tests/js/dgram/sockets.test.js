// UDP sockets: every form of send, connecting, block lists, buffers, multicast, descriptors, signals, closing at any moment.
'use strict';
const assert = require('node:assert');
const dgram = require('node:dgram');
const net = require('node:net');
const { once } = require('node:events');
const { AsyncLocalStorage } = require('node:async_hooks');

async function bound(options = 'udp4', address = '127.0.0.1') {
  const socket = dgram.createSocket(options);
  socket.bind(0, address);
  await once(socket, 'listening');
  return socket;
}
const sent = (socket, ...args) => new Promise((resolve, reject) => {
  socket.send(...args, (error, size) => (error ? reject(error) : resolve(size)));
});

(async () => {
  const receiver = await bound();
  const { port } = receiver.address();
  const sender = dgram.createSocket('udp4');
  const forms = [[['hello', port], 'hello'], [['hello', port, 'localhost'], 'hello'], [[Buffer.from('hello'), 1, 3, port, '127.0.0.1'], 'ell'],
                 [[['he', Buffer.from('l'), new Uint8Array([108, 111])], port], 'hello'], [[[], port], ''], [['', port], ''],
                 [[new DataView(new ArrayBuffer(2)), port], '\0\0'], [['x'.repeat(60_000), port], 'x'.repeat(60_000)]];
  for (const [args, expected] of forms) {
    const arriving = once(receiver, 'message');
    assert.strictEqual(await sent(sender, ...args), expected.length);
    const [bytes, from] = await arriving;
    assert.strictEqual(bytes.toString(), expected);
    assert.deepStrictEqual(from, { address: '127.0.0.1', family: 'IPv4', port: sender.address().port, size: expected.length });
  }
  await assert.rejects(sent(sender, Buffer.alloc(70_000), port), { code: 'EMSGSIZE', syscall: 'send' });
  assert.strictEqual(sender.getSendQueueSize(), 0);
  assert.strictEqual(sender.getSendQueueCount(), 0);

  // A flood arrives in order; the queue is counted while the kernel has no room.
  const numbers = [];
  receiver.on('message', (bytes) => numbers.push(Number(bytes)));
  for (let i = 0; i < 200; i++) sender.send(String(i), port, '127.0.0.1');
  while (numbers.length < 200) await new Promise(setImmediate);
  assert.deepStrictEqual(numbers, Array.from({ length: 200 }, (_, i) => i));
  receiver.removeAllListeners('message');

  // Connected: one peer, no address for send, ICMP errors.
  sender.connect(port, '127.0.0.1');
  await once(sender, 'connect');
  assert.strictEqual(sender.remoteAddress().port, port);
  assert.throws(() => sender.send('x', 0, 1, port), { code: 'ERR_SOCKET_DGRAM_IS_CONNECTED' });
  assert.throws(() => sender.connect(port), { code: 'ERR_SOCKET_DGRAM_IS_CONNECTED' });
  const arriving = once(receiver, 'message');
  await sent(sender, 'connected');
  assert.strictEqual((await arriving)[0].toString(), 'connected');
  sender.disconnect();
  assert.throws(() => sender.disconnect(), { code: 'ERR_SOCKET_DGRAM_NOT_CONNECTED' });
  assert.throws(() => sender.remoteAddress(), { code: 'ERR_SOCKET_DGRAM_NOT_CONNECTED' });
  const unheard = await bound();
  const nobody = unheard.address().port;
  unheard.close();
  const lonely = dgram.createSocket('udp4');
  lonely.connect(nobody, '127.0.0.1', () => lonely.send('x'));
  assert.strictEqual((await once(lonely, 'error'))[0].code, 'ECONNREFUSED');
  lonely.close();

  // At once.
  const direct = dgram.createSocket('udp4');
  assert.strictEqual(direct.bindSync({ address: '127.0.0.1' }).address, '127.0.0.1');
  direct.connectSync(port);
  assert.throws(() => direct.bindSync(), { code: 'ERR_SOCKET_ALREADY_BOUND' });
  assert.throws(() => dgram.createSocket('udp4').bindSync({ address: 'localhost' }), { code: 'ERR_INVALID_ARG_VALUE' });
  assert.throws(() => dgram.createSocket('udp4').bindSync({ port }), { code: 'EADDRINUSE', syscall: 'bind', port });
  direct.close();

  // Ports that are taken, and such as may be shared.
  const second = dgram.createSocket('udp4');
  second.bind(port, '127.0.0.1');
  const [taken] = await once(second, 'error');
  assert.deepStrictEqual([taken.code, taken.syscall, taken.address, taken.port], ['EADDRINUSE', 'bind', '127.0.0.1', port]);
  second.close();
  const shared = await bound({ type: 'udp4', reusePort: true });
  const sharing = dgram.createSocket({ type: 'udp4', reusePort: true }).bind(shared.address().port, '127.0.0.1');
  await once(sharing, 'listening');
  shared.close();
  sharing.close();

  // Block lists.
  const blockList = new net.BlockList();
  blockList.addAddress('127.0.0.1');
  const blocked = dgram.createSocket({ type: 'udp4', sendBlockList: blockList });
  await assert.rejects(sent(blocked, 'x', port, '127.0.0.1'), { code: 'ERR_IP_BLOCKED' });
  blocked.close();
  const deaf = await bound({ type: 'udp4', receiveBlockList: blockList });
  deaf.on('message', () => assert.fail('from a blocked address'));
  await sent(sender, 'x', deaf.address().port);
  const after = once(receiver, 'message');
  await sent(sender, 'y', port);
  await after;
  deaf.close();

  // Options.
  receiver.setBroadcast(true);
  assert.strictEqual(receiver.setTTL(16), 16);
  assert.throws(() => receiver.setTTL(1000), { code: 'EINVAL', syscall: 'setTTL' });
  assert.strictEqual(receiver.setMulticastTTL(16), 16);
  assert.strictEqual(receiver.setMulticastLoopback(true), true);
  receiver.setRecvBufferSize(10_000);
  receiver.setSendBufferSize(10_000);
  assert.ok(receiver.getRecvBufferSize() >= 10_000 && receiver.getSendBufferSize() >= 10_000);
  assert.throws(() => receiver.setRecvBufferSize(-1), { code: 'ERR_SOCKET_BAD_BUFFER_SIZE' });
  assert.throws(() => dgram.createSocket('udp4').getRecvBufferSize(), { code: 'ERR_SOCKET_BUFFER_SIZE' });

  // Multicast over the loopback interface.
  const group = await bound({ type: 'udp4', reuseAddr: true }, '0.0.0.0');
  group.addMembership('224.0.0.114', '127.0.0.1');
  assert.throws(() => group.addMembership('224.0.0.114', '127.0.0.1'), { code: 'EADDRINUSE', syscall: 'addMembership' });
  assert.throws(() => group.addMembership(), { code: 'ERR_MISSING_ARGS' });
  group.addSourceSpecificMembership('127.0.0.1', '232.0.0.1', '127.0.0.1');
  for (const target of ['224.0.0.114', '232.0.0.1']) {
    const caster = dgram.createSocket('udp4');
    await new Promise((done) => caster.bind(0, '127.0.0.1', done));
    caster.setMulticastInterface('127.0.0.1');
    const heard = once(group, 'message');
    await sent(caster, 'to all', group.address().port, target);
    assert.strictEqual((await heard)[0].toString(), 'to all');
    caster.close();
  }
  group.dropMembership('224.0.0.114', '127.0.0.1');
  group.dropSourceSpecificMembership('127.0.0.1', '232.0.0.1', '127.0.0.1');
  assert.throws(() => group.dropMembership('224.0.0.114', '127.0.0.1'), { code: 'EADDRNOTAVAIL' });
  group.close();

  // A descriptor that is no datagram socket; a signal; disposal; what a closed socket refuses.
  assert.throws(() => dgram.createSocket('udp4').bind({ fd: 1 }), { code: 'ERR_INVALID_FD_TYPE' });
  assert.throws(() => dgram.createSocket('udp5'), { code: 'ERR_SOCKET_BAD_TYPE' });
  const controller = new AbortController();
  const aborted = dgram.createSocket({ type: 'udp4', signal: controller.signal }).bind(0);
  controller.abort();
  await once(aborted, 'close');
  for (const call of ['address', 'close', 'bind']) assert.throws(() => aborted[call](), { code: 'ERR_SOCKET_DGRAM_NOT_RUNNING' });
  assert.throws(() => aborted.send('x', port), { code: 'ERR_SOCKET_DGRAM_NOT_RUNNING' });
  const disposed = await bound();
  await disposed[Symbol.asyncDispose]();
  await disposed[Symbol.asyncDispose]();
  const early = dgram.createSocket('udp4');
  early.send('x', port);
  early.close();
  await once(early, 'close');

  // The context of a message is the one in which the socket was made.
  const storage = new AsyncLocalStorage();
  const known = await storage.run('made', () => bound());
  const context = new Promise((done) => known.on('message', () => done(storage.getStore())));
  sender.send('x', known.address().port);
  assert.strictEqual(await context, 'made');
  known.close();
  receiver.close();
  sender.close();
  // Does not keep the program alive.
  dgram.createSocket('udp4').bind(0).unref();
  console.log('ok');
})();
