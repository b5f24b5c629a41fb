// natives: none
// node:dns/promises.
'use strict';

const { errorCodes } = require('internal/dns/codes');
const { getDefaultResultOrder, lookupPromise, lookupServicePromise, setDefaultResultOrder } = require('internal/dns/lookup');
const { PromiseResolver, moduleFunctions, setServers } = require('internal/dns/resolver');

const named = (name, value) => Object.defineProperty(value, 'name', { value: name });

module.exports = {
  lookup: named('lookup', lookupPromise),
  lookupService: named('lookupService', lookupServicePromise),
  Resolver: named('Resolver', PromiseResolver),
  getDefaultResultOrder,
  setDefaultResultOrder,
  setServers,
  ...errorCodes,
  ...moduleFunctions('promises'),
};
