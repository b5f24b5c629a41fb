// natives: dns, net
//
// dns.Resolver: queries to name servers, in callback and in promise form. One native resolver each; records come as the loop reads
// them and leave as Node shows them.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const binding = native('dns');
const { isIP } = native('net');
const { enqueue } = require('internal/queues/ticks');
const { beginEntry, endEntry } = require('internal/net/observers');
const { codes, DNSException } = require('internal/errors/coded');
const {
  validateArray,
  validateFunction,
  validateInt32,
  validatePort,
  validateString,
  validateUint32,
} = require('internal/util/validators');

const value = (record) => record.value;
const soa = (r) => ({
  nsname: r.value,
  hostmaster: r.hostmaster,
  serial: r.serial,
  refresh: r.refresh,
  retry: r.retry,
  expire: r.expire,
  minttl: r.minimum,
});
const naptr = (r) => ({
  flags: r.flags,
  service: r.service,
  regexp: r.regexp,
  replacement: r.value,
  order: r.priority,
  preference: r.weight,
});
const caa = (r) => ({ critical: r.priority, [r.flags]: r.value, type: 'CAA' });
const tlsa = (r) => {
  const data = Buffer.from(r.value, 'latin1');
  const own = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
  return { certUsage: r.priority, selector: r.weight, match: r.port, data: own };
};
const mx = (r) => ({ exchange: r.value, priority: r.priority });
const srv = (r) => ({ name: r.value, port: r.port, priority: r.priority, weight: r.weight });

// name of the function, number in DNS, one record as Node shows it, name of the query in errors
const kinds = {
  A: ['resolve4', 1, value, 'queryA'],
  AAAA: ['resolve6', 28, value, 'queryAaaa'],
  ANY: ['resolveAny', 255, null, 'queryAny'],
  CAA: ['resolveCaa', 257, caa, 'queryCaa'],
  CNAME: ['resolveCname', 5, value, 'queryCname'],
  MX: ['resolveMx', 15, mx, 'queryMx'],
  NAPTR: ['resolveNaptr', 35, naptr, 'queryNaptr'],
  NS: ['resolveNs', 2, value, 'queryNs'],
  PTR: ['resolvePtr', 12, value, 'queryPtr'],
  SOA: ['resolveSoa', 6, soa, 'querySoa'],
  SRV: ['resolveSrv', 33, srv, 'querySrv'],
  TLSA: ['resolveTlsa', 52, tlsa, 'queryTlsa'],
  TXT: ['resolveTxt', 16, (r) => r.texts, 'queryTxt'],
};
const typeNames = new Map(arrayMap.call(Object.entries(kinds), (kind) => [kind[1][1], kind[0]]));

function anyRecord(record) {
  const type = typeNames.get(record.type);
  switch (type) {
    case 'A':
    case 'AAAA':
      return { address: record.value, ttl: record.ttl, type };
    case 'TXT':
      return { entries: record.texts, type };
    case 'CNAME':
    case 'NS':
    case 'PTR':
      return { value: record.value, type };
    case undefined:
      return undefined;
    default:
      return { ...kinds[type][2](record), type };
  }
}

function shown(type, records, withTtl) {
  if (type === 'ANY') return arrayFilter.call(arrayMap.call(records, anyRecord), (one) => one !== undefined);
  if (type === 'SOA') return soa(records[0]);
  if (withTtl) return arrayMap.call(records, (one) => ({ address: one.value, ttl: one.ttl }));
  return arrayMap.call(records, kinds[type][2]);
}

const kNative = Symbol('native resolver');

function query(resolver, type, name, options, callback) {
  const [, number, , syscall] = each(kinds[type]);
  const ttl = Boolean(options?.ttl);
  const begun = beginEntry('dns', syscall, { host: name, ttl });
  const refusal = resolver[kNative].resolve(name, number, (error, records) => {
    if (error !== null) {
      callback(new DNSException(error, syscall, name));
      return;
    }
    const result = shown(type, records, ttl);
    callback(null, result);
    endEntry(begun, { result });
  });
  if (refusal !== undefined) enqueue(callback, [new DNSException(refusal, syscall, name)]);
}

function reverse(resolver, address, callback) {
  if (isIP(address) === 0) throw new DNSException('EINVAL', 'getHostByAddr', address);
  const refusal = resolver[kNative].reverseLookup(address, (error, records) => {
    if (error !== null) callback(new DNSException(error, 'getHostByAddr', address));
    else callback(null, arrayMap.call(records, value));
  });
  if (refusal !== undefined) enqueue(callback, [new DNSException(refusal, 'getHostByAddr', address)]);
}

// "1.1.1.1", "1.1.1.1:53", "::1", "[::1]:53" → what the native half takes
function serverText(server, index) {
  validateString(server, `servers[${index}]`);
  if (isIP(server) === 6) return `[${server}]`;
  if (isIP(server) === 4) return server;
  const [, inner, innerPort] = each(regexpExec.call(/^\[([^[\]]*)\](?::(.+))?$/, server) ?? []);
  if (inner !== undefined && isIP(inner) !== 0) return withPort(`[${inner}]`, innerPort);
  const [, host, port] = each(regexpExec.call(/^(.*?)(?::(\d+))?$/, server) ?? []);
  if (isIP(host) !== 0) return withPort(host, port);
  throw new codes.ERR_INVALID_IP_ADDRESS(server);
}

function withPort(host, port) {
  if (port === undefined) return host;
  const number = validatePort(Number.parseInt(port, 10), 'Port');
  return number === 53 || number === 0 ? host : `${host}:${number}`;
}

function plainServer(text) {
  const [, inner] = each(regexpExec.call(/^\[(.*)\]$/, text) ?? []);
  return inner ?? replaceMatches(text, /:53$/, (tail) => (isIP(text) === 6 ? tail : ''));
}

class ResolverBase {
  constructor(options) {
    const { timeout = -1, tries = 4, maxTimeout = 0 } = options ?? {};
    validateInt32(timeout, 'options.timeout', -1);
    validateInt32(tries, 'options.tries', 1);
    validateUint32(maxTimeout, 'options.maxTimeout');
    this[kNative] = binding.newResolver(timeout, tries);
  }

  cancel() {
    this[kNative].cancel();
  }

  getServers() {
    return arrayMap.call(this[kNative].servers(), (one) => plainServer(replaceMatches(one, /^(\[.*\]|[^:]*):53$/, '$1')));
  }

  setServers(servers) {
    validateArray(servers, 'servers');
    const status = this[kNative].setServers(arrayMap.call(servers, serverText));
    if (status === 0) return;
    throw new codes.ERR_DNS_SET_SERVERS_FAILED(status === 'ENOTIMP' ? 'There are pending queries.' : status, servers);
  }

  setLocalAddress(first, second) {
    validateString(first, 'ipv4');
    if (second !== undefined) validateString(second, 'ipv6');
    const given = { 4: '', 6: '' };
    for (const address of each(second === undefined ? [first] : [first, second])) {
      const kind = isIP(address);
      if (kind === 0) throw invalidLocal('Invalid IP address.');
      if (given[kind] !== '') throw invalidLocal(`Cannot specify two IPv${kind} addresses.`);
      given[kind] = address;
    }
    this[kNative].setLocalAddress(given[4], given[6]);
  }
}

function invalidLocal(message) {
  return Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_VALUE' });
}

class Resolver extends ResolverBase {
  constructor(...args) {
    super(...each(args));
  }

  resolve(hostname, rrtype, callback) {
    let type = rrtype;
    if (typeof rrtype === 'function') {
      callback = rrtype;
      type = 'A';
    } else if (typeof rrtype !== 'string') {
      throw new codes.ERR_INVALID_ARG_TYPE('rrtype', 'string', rrtype);
    }
    if (!Object.hasOwn(kinds, type)) throw new codes.ERR_INVALID_ARG_VALUE('rrtype', type);
    return this[kinds[type][0]](hostname, callback);
  }

  reverse(address, callback) {
    validateString(address, 'name');
    validateFunction(callback, 'callback');
    reverse(this, address, callback);
    return {};
  }
}

class PromiseResolver extends ResolverBase {
  constructor(...args) {
    super(...each(args));
  }

  resolve(hostname, rrtype = 'A') {
    validateString(hostname, 'name');
    validateString(rrtype, 'rrtype');
    if (!Object.hasOwn(kinds, rrtype)) throw new codes.ERR_INVALID_ARG_VALUE('rrtype', rrtype);
    return this[kinds[rrtype][0]](hostname);
  }

  reverse(address) {
    validateString(address, 'name');
    return new Promise((resolve, reject) => {
      reverse(this, address, (error, names) => (error ? reject(error) : resolve(names)));
    });
  }
}

for (const type of each(Object.keys(kinds))) {
  const [name, , , syscall] = each(kinds[type]);
  // The functions are known by the query they make.
  const withCallback = {
    [syscall](hostname, options, callback) {
      if (typeof options === 'function') {
        callback = options;
        options = undefined;
      }
      validateString(hostname, 'name');
      validateFunction(callback, 'callback');
      query(this, type, hostname, options, callback);
      return {};
    },
  }[syscall];
  const withPromise = {
    [syscall](hostname, options) {
      validateString(hostname, 'name');
      return new Promise((resolve, reject) => {
        query(this, type, hostname, options, (error, records) => (error ? reject(error) : resolve(records)));
      });
    },
  }[syscall];
  Object.defineProperty(Resolver.prototype, name, { configurable: true, enumerable: true, writable: true, value: withCallback });
  Object.defineProperty(PromiseResolver.prototype, name, { configurable: true, enumerable: true, writable: true, value: withPromise });
}

const functionNames = ['getServers', 'resolve', ...each(arrayMap.call(Object.values(kinds), (kind) => kind[0])), 'reverse'];

// The functions of the modules are those of a resolver that all share, until setServers makes another: queries under way keep theirs.
let shared;

function sharedResolvers() {
  return (shared ??= { callbacks: new Resolver(), promises: new PromiseResolver() });
}

function setServers(servers) {
  const fresh = { callbacks: new Resolver(), promises: new PromiseResolver() };
  fresh.callbacks.setServers(servers);
  fresh.promises.setServers(servers);
  shared = fresh;
}

// form: 'callbacks' or 'promises'
function moduleFunctions(form) {
  const functions = {};
  for (const name of each(functionNames)) {
    functions[name] = {
      [name](...args) {
        return sharedResolvers()[form][name](...each(args));
      },
    }[name];
  }
  return functions;
}

module.exports = { PromiseResolver, Resolver, moduleFunctions, setServers };
