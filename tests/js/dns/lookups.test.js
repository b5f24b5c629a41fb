// dns without a network: literals, the hosts file, refused queries, cancelling, wrong arguments. Nothing calls back synchronously (S85).
'use strict';
const assert = require('node:assert');
const dns = require('node:dns');

const heard = [];
let synchronous = true;
const note = (name, check) => (...args) => {
  assert(!synchronous);
  check(...args);
  heard.push(name);
};
dns.lookup('127.0.0.1', note('literal', (error, address, family) => assert.deepStrictEqual([error, address, family], [null, '127.0.0.1', 4])));
dns.lookup('::1', { all: true }, note('all', (error, list) => assert.deepStrictEqual(list, [{ address: '::1', family: 6 }])));
dns.lookup('localhost', 4, note('localhost', (error, address) => assert(error?.syscall === 'getaddrinfo' || address.startsWith('127.'))));

const resolver = new dns.Resolver({ timeout: 50, tries: 1 });
resolver.setServers(['127.0.0.1:9', '[::1]:5353', '8.8.8.8:53']);
assert.deepStrictEqual(resolver.getServers(), ['127.0.0.1:9', '[::1]:5353', '8.8.8.8']);
resolver.setServers(['2001:db8::1', '[2001:db8::2]', '[2001:db8::3]:54']);
assert.deepStrictEqual(resolver.getServers(), ['2001:db8::1', '2001:db8::2', '[2001:db8::3]:54']);
dns.reverse('127.0.0.1', note('reverse', (error, names) => assert.deepStrictEqual([error, names.includes('localhost')], [null, true])));
resolver.setServers(['127.0.0.1:9']);
resolver.resolve4('example.org', note('refused', (error) => {
  assert(['ECONNREFUSED', 'ETIMEOUT'].includes(error.code));
  assert.deepStrictEqual([error.syscall, error.hostname, error.message, error.errno], ['queryA', 'example.org', `queryA ${error.code} example.org`, undefined]);
}));
const cancelled = new dns.promises.Resolver();
cancelled.setServers(['127.0.0.1:9']);
cancelled.resolveMx('example.org').then(() => assert.fail(), note('cancelled', (error) => assert.match(error.code, /^(ECANCELLED|ECONNREFUSED)$/)));
cancelled.cancel();
synchronous = false;

assert.throws(() => dns.lookup('x'), { code: 'ERR_INVALID_ARG_TYPE', message: 'The "callback" argument must be of type function. Received undefined' });
assert.throws(() => dns.lookup('x', { family: 7 }, () => {}), { message: "The property 'options.family' must be one of: 0, 4, 6. Received 7" });
assert.throws(() => dns.lookup('x', { hints: 999 }, () => {}), { code: 'ERR_INVALID_ARG_VALUE' });
assert.throws(() => dns.lookup('', () => {}), { code: 'ERR_INVALID_ARG_VALUE' });
assert.throws(() => dns.promises.lookup('x', { family: 7 }), { code: 'ERR_INVALID_ARG_VALUE' });
assert.throws(() => dns.lookupService('x', 80, () => {}), { code: 'ERR_INVALID_ARG_VALUE' });
assert.throws(() => dns.lookupService('127.0.0.1'), { code: 'ERR_MISSING_ARGS' });
assert.throws(() => dns.resolve('x', 'NOPE', () => {}), { code: 'ERR_INVALID_ARG_VALUE', message: "The argument 'rrtype' is invalid. Received 'NOPE'" });
assert.throws(() => dns.reverse('nope', () => {}), { code: 'EINVAL', syscall: 'getHostByAddr', message: 'getHostByAddr EINVAL nope' });
assert.throws(() => dns.lookup('x', { family: 'x' }), { code: 'ERR_INVALID_ARG_TYPE', message: /"callback"/ });
assert.throws(() => dns.promises.resolve(), { code: 'ERR_INVALID_ARG_TYPE', message: /"name"/ });
assert.throws(() => dns.setServers(['x']), { code: 'ERR_INVALID_IP_ADDRESS' });
assert.throws(() => new dns.Resolver({ tries: 0 }), { code: 'ERR_OUT_OF_RANGE' });
assert.throws(() => resolver.setLocalAddress('x'), { code: 'ERR_INVALID_ARG_VALUE', message: 'Invalid IP address.' });
assert.strictEqual(dns.getDefaultResultOrder(), 'verbatim');
assert.strictEqual(dns.NOTFOUND, 'ENOTFOUND');
assert.strictEqual(dns.promises, require('node:dns/promises'));
process.on('exit', () => assert.deepStrictEqual(heard.sort(), ['all', 'cancelled', 'literal', 'localhost', 'refused', 'reverse']));
