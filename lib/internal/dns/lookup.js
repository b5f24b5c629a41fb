// natives: net, dns
//
// dns.lookup and dns.lookupService: the system's resolver (hosts file and all), on the loop's pool. Arguments are read here once for
// the callback and the promise form.

'use strict';

const { lookup: nativeLookup, isIP } = native('net');
const active = require('internal/async_hooks/active_resources');
const { codes, DNSException } = require('internal/errors/coded');
const {
  validateBoolean,
  validateFunction,
  validateNumber,
  validateOneOf,
  validatePort,
  validateString,
} = require('internal/util/validators');
const { hints: flags } = require('internal/dns/codes');
const { enqueue } = require('internal/queues/ticks');
const { beginEntry, endEntry } = require('internal/net/observers');

const families = [0, 4, 6];
const orders = ['verbatim', 'ipv4first', 'ipv6first'];
const ENOTFOUND = -3008;

let defaultOrder;
function getDefaultResultOrder() {
  return (defaultOrder ??= require('internal/process/options').getOptionValue('--dns-result-order') || 'verbatim');
}

function setDefaultResultOrder(order) {
  validateOneOf(order, 'dnsOrder', orders);
  defaultOrder = order;
}

function checkHints(hints) {
  if ((hints & ~(flags.ADDRCONFIG | flags.ALL | flags.V4MAPPED)) !== 0) throw new codes.ERR_INVALID_ARG_VALUE('hints', hints);
}

function orderFrom({ order, verbatim }) {
  if (order != null) {
    validateOneOf(order, 'options.order', orders);
    return order;
  }
  if (verbatim == null) return getDefaultResultOrder();
  validateBoolean(verbatim, 'options.verbatim');
  return verbatim ? 'verbatim' : 'ipv4first';
}

function familyFrom(family) {
  if (family === 'IPv4') return 4;
  if (family === 'IPv6') return 6;
  validateOneOf(family, 'options.family', families);
  return family;
}

// → { family, hints, all, order }
function readOptions(hostname, options) {
  if (hostname) {
    validateString(hostname, 'hostname');
    if (stringIncludes.call(hostname, '\u0000'))
      throw new codes.ERR_INVALID_ARG_VALUE('hostname', hostname, 'must be a string without null bytes');
  }
  if (typeof options === 'number') {
    validateOneOf(options, 'family', families);
    return { family: options, hints: 0, all: false, order: getDefaultResultOrder() };
  }
  if (options !== undefined && (typeof options !== 'object' || options === null)) {
    throw new codes.ERR_INVALID_ARG_TYPE('options', ['integer', 'object'], options);
  }
  const given = options ?? {};
  let hints = 0;
  if (given.hints != null) {
    validateNumber(given.hints, 'options.hints');
    hints = given.hints >>> 0;
    checkHints(hints);
  }
  const family = given.family != null ? familyFrom(given.family) : 0;
  if (given.all != null) validateBoolean(given.all, 'options.all');
  return { family, hints, all: Boolean(given.all), order: orderFrom(given) };
}

function ordered(found, order) {
  const list = arrayMap.call(found, (found) => ({ address: found[0], family: found[1] }));
  if (order === 'verbatim') return list;
  const first = order === 'ipv4first' ? 4 : 6;
  return [
    ...each(arrayFilter.call(list, ({ family }) => family === first)),
    ...each(arrayFilter.call(list, ({ family }) => family !== first)),
  ];
}

// In process.getActiveResourcesInfo() while the system's resolver is asked.
class GetAddrInfoReqWrap {}
class GetNameInfoReqWrap {}

// callback(error, [{ address, family }…])
function find(hostname, { family, hints, order }, callback) {
  if (!hostname) throw new codes.ERR_INVALID_ARG_VALUE('hostname', hostname, 'must be a non-empty string');
  const kind = isIP(hostname);
  if (kind !== 0) {
    enqueue(callback, [null, [{ address: hostname, family: kind }]]);
    return;
  }
  const begun = beginEntry('dns', 'lookup', { hostname, family, hints, verbatim: order === 'verbatim', order });
  const request = active.addRequest(new GetAddrInfoReqWrap());
  const refusal = nativeLookup(hostname, family, hints, (status, found) => {
    active.removeRequest(request);
    if (status !== 0 || found.length === 0) {
      callback(new DNSException(status || ENOTFOUND, 'getaddrinfo', hostname));
      return;
    }
    const addresses = ordered(found, order);
    callback(null, addresses);
    endEntry(begun, { addresses: arrayMap.call(addresses, ({ address }) => address) });
  });
  if (refusal === undefined) return;
  active.removeRequest(request);
  enqueue(callback, [new DNSException(refusal, 'getaddrinfo', hostname)]);
}

function lookup(hostname, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  if (hostname) validateString(hostname, 'hostname');
  validateFunction(callback, 'callback');
  const given = readOptions(hostname, options);
  find(hostname, given, (error, addresses) => {
    if (error) callback(error);
    else if (given.all) callback(null, addresses);
    else callback(null, addresses[0].address, addresses[0].family);
  });
  return {};
}
Object.defineProperty(lookup, require('internal/util/helpers').customPromisifyArgs, { value: ['address', 'family'], enumerable: false });

function lookupPromise(hostname, options) {
  const given = readOptions(hostname, options);
  return new Promise((resolve, reject) => {
    find(hostname, given, (error, addresses) => {
      if (error) reject(error);
      else resolve(given.all ? addresses : addresses[0]);
    });
  });
}

function findService(address, port, callback) {
  const failed = (status) => new DNSException(status, 'getnameinfo', address);
  const begun = beginEntry('dns', 'lookupService', { host: address, port });
  const request = active.addRequest(new GetNameInfoReqWrap());
  const status = native('dns').service(address, port, (result, hostname, service) => {
    active.removeRequest(request);
    if (result !== 0) {
      callback(failed(result));
      return;
    }
    callback(null, hostname, service);
    endEntry(begun, { hostname, service });
  });
  if (status === 0) return;
  active.removeRequest(request);
  if (typeof status === 'object') enqueue(callback, [failed(status)]);
  else throw failed(status);
}

function checkService(address, port) {
  if (isIP(`${address}`) === 0) throw new codes.ERR_INVALID_ARG_VALUE('address', address);
  validatePort(port);
}

function lookupService(address, port, callback) {
  if (arguments.length !== 3) throw new codes.ERR_MISSING_ARGS('address', 'port', 'callback');
  checkService(address, port);
  validateFunction(callback, 'callback');
  findService(address, +port, callback);
  return {};
}
Object.defineProperty(lookupService, require('internal/util/helpers').customPromisifyArgs, {
  value: ['hostname', 'service'],
  enumerable: false,
});

function lookupServicePromise(address, port) {
  if (arguments.length !== 2) throw new codes.ERR_MISSING_ARGS('address', 'port');
  checkService(address, port);
  return new Promise((resolve, reject) => {
    findService(address, +port, (error, hostname, service) => (error ? reject(error) : resolve({ hostname, service })));
  });
}

module.exports = { getDefaultResultOrder, lookup, lookupPromise, lookupService, lookupServicePromise, setDefaultResultOrder };
