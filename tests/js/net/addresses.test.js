// isIP, SocketAddress, BlockList.
'use strict';
const assert = require('node:assert');
const net = require('node:net');

for (const [text, kind] of [['127.0.0.1', 4], ['::1', 6], ['::ffff:1.2.3.4', 6], ['fe80::1%eth9', 6], ['01.2.3.4', 0], ['1.2.3', 0], ['fe80::1%', 0], ['', 0]]) {
  assert.strictEqual(net.isIP(text), kind, text);
}
assert(!net.isIPv4(undefined) && net.isIPv6('::'));

const address = new net.SocketAddress({ address: '0:0::1', family: 'IPv6', port: 80, flowlabel: 3 });
assert.deepStrictEqual(address.toJSON(), { address: '::1', port: 80, family: 'ipv6', flowlabel: 3 });
assert.deepStrictEqual(net.SocketAddress.parse('[::1]:8').toJSON(), { address: '::1', port: 8, family: 'ipv6', flowlabel: 0 });
assert.strictEqual(net.SocketAddress.parse('nonsense'), undefined);
assert.throws(() => new net.SocketAddress({ address: 'x' }), { code: 'ERR_INVALID_ADDRESS', message: 'Invalid socket address' });
assert.throws(() => new net.SocketAddress({ family: 'ipv5' }), { code: 'ERR_INVALID_ARG_VALUE' });
assert.throws(() => new net.SocketAddress({ port: -1 }), { code: 'ERR_SOCKET_BAD_PORT' });

const list = new net.BlockList();
list.addAddress('1.1.1.1');
list.addRange('10.0.0.1', '10.0.0.10');
list.addSubnet('8592:757c:efae:4e45::', 51, 'ipv6');
assert.deepStrictEqual(list.rules, ['Subnet: IPv6 8592:757c:efae:4e45::/51', 'Range: IPv4 10.0.0.1-10.0.0.10', 'Address: IPv4 1.1.1.1']);
assert(list.check('1.1.1.1') && list.check('::ffff:1.1.1.1', 'ipv6') && list.check(new net.SocketAddress({ address: '10.0.0.9' })));
assert(!list.check('10.0.0.11') && !list.check('nonsense') && !list.check('::1', 'ipv6'));
assert(list.check('8592:757c:efae:5fff::1', 'ipv6') && !list.check('8592:757c:efae:6000::1', 'ipv6'));
const copy = new net.BlockList();
copy.fromJSON(JSON.stringify(list));
assert.deepStrictEqual(copy.rules.sort(), list.rules.sort());
assert.throws(() => list.addRange('1.1.1.2', '1.1.1.1'), { code: 'ERR_INVALID_ARG_VALUE' });
assert.throws(() => list.addSubnet('1.1.1.1', 33), { code: 'ERR_OUT_OF_RANGE' });
assert(net.BlockList.isBlockList(list) && !net.BlockList.isBlockList({}));

// In use: a blocked peer is turned away, a blocked target is not called.
const server = net.createServer({ blockList: list }, () => assert.fail('a blocked peer was let in'));
list.addAddress('127.0.0.1');
const heard = [];
server.on('drop', () => heard.push('drop'));
server.listen(0, '127.0.0.1', () => {
  const blocked = net.connect({ port: server.address().port, host: '127.0.0.1', blockList: list });
  blocked.on('error', (error) => {
    heard.push(error.code);
    const client = net.connect(server.address().port, '127.0.0.1');
    client.on('error', () => {});
    client.on('close', () => server.close());
  });
});
process.on('exit', () => assert.deepStrictEqual(heard, ['ERR_IP_BLOCKED', 'drop']));
