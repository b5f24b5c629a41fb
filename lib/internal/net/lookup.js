// natives: net
// Names to addresses for net.connect and server.listen, in the shape of dns.lookup's answer.
'use strict';

const { lookup: nativeLookup, isIP } = native('net');
const { codes: { ERR_INVALID_ARG_VALUE }, DNSException } = require('internal/errors');
const { enqueue } = require('internal/ticks');

// callback(error, address, family), or with `all` callback(error, [{ address, family }…])
function lookup(hostname, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = {};
  }
  const { family = 0, all = false, hints = 0 } = typeof options === 'number' ? { family: options } : options ?? {};
  if (![0, 4, 6, 'IPv4', 'IPv6'].includes(family)) throw new ERR_INVALID_ARG_VALUE('family', family, 'must be one of: 0, 4, 6');
  const wanted = family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : family;
  const known = isIP(hostname);
  if (known !== 0) {
    const args = all ? [null, [{ address: hostname, family: known }]] : [null, hostname, known];
    enqueue(callback, args);
    return;
  }
  nativeLookup(hostname, wanted, hints, (status, found) => {
    if (status !== 0 || found.length === 0) {
      callback(new DNSException(status || -3008, 'getaddrinfo', hostname));
      return;
    }
    const addresses = found.map(([address, itsFamily]) => ({ address, family: itsFamily }));
    if (all) callback(null, addresses);
    else callback(null, addresses[0].address, addresses[0].family);
  });
}

module.exports = { lookup, isIP };
