// natives: none
// The error codes of dns, and the flags of getaddrinfo.
'use strict';

const names = [
  'NODATA',
  'FORMERR',
  'SERVFAIL',
  'NOTFOUND',
  'NOTIMP',
  'REFUSED',
  'BADQUERY',
  'BADNAME',
  'BADFAMILY',
  'BADRESP',
  'CONNREFUSED',
  'TIMEOUT',
  'EOF',
  'FILE',
  'NOMEM',
  'DESTRUCTION',
  'BADSTR',
  'BADFLAGS',
  'NONAME',
  'BADHINTS',
  'NOTINITIALIZED',
  'LOADIPHLPAPI',
  'ADDRGETNETWORKPARAMS',
  'CANCELLED',
];

module.exports = {
  errorCodes: Object.fromEntries(each(arrayMap.call(names, (name) => [name, name === 'EOF' ? name : `E${name}`]))),
  hints: { ADDRCONFIG: 0x20, ALL: 0x10, V4MAPPED: 0x08 },
};
