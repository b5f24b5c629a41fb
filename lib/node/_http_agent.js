// natives: none
// node:_http_agent, an old name for http.Agent.
'use strict';

const agents = require('internal/http/agent');

module.exports = { Agent: agents.Agent };
Object.defineProperty(module.exports, 'globalAgent', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get: () => agents.globalAgent,
  set(value) {
    agents.globalAgent = value;
  },
});
