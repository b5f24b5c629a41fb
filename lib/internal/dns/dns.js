// natives: none
// node:dns: names and addresses, by the system's resolver (lookup) and by queries (resolve…).
'use strict';

const { errorCodes, hints } = require('internal/dns/codes');
const { getDefaultResultOrder, lookup, lookupService, setDefaultResultOrder } = require('internal/dns/lookup');
const { Resolver, moduleFunctions, setServers } = require('internal/dns/resolver');

module.exports = {
  lookup,
  lookupService,
  Resolver,
  getDefaultResultOrder,
  setDefaultResultOrder,
  setServers,
  ...hints,
  ...errorCodes,
  ...moduleFunctions('callbacks'),
};
Object.defineProperty(module.exports, 'promises', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get: () => require('internal/dns/promises'),
});
