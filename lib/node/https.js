// natives: none
// node:https: node:http over node:tls.
'use strict';

const { addLazy } = require('internal/util/lazy_property');
const tls = require('internal/tls/tls');
const { Server, createServer } = require('internal/https/server');
const { Agent, kOwnCheck } = require('internal/https/agent');

let ownChecks = 0;

// Whether the agent checks by itself, so that the request's function is no exception.
function agentChecks({ agent, createConnection }) {
  if (agent === false) return false;
  if (agent === null || agent === undefined) {
    if (typeof createConnection === 'function') return false;
    agent = module.exports.globalAgent;
  }
  return agent?.options?.checkServerIdentity !== undefined;
}

function request(...args) {
  const { isURL } = require('internal/url/url_class');
  let options = {};
  if (typeof args[0] === 'string' || isURL(args[0])) {
    const { URL, urlToHttpOptions } = require('internal/url/url');
    const input = arrayShift.call(args);
    options = urlToHttpOptions(typeof input === 'string' ? new URL(input) : input);
  }
  if (args[0] && typeof args[0] !== 'function') Object.assign(options, arrayShift.call(args));
  const { checkServerIdentity } = options;
  if (checkServerIdentity !== undefined && checkServerIdentity !== tls.checkServerIdentity && !agentChecks(options))
    options[kOwnCheck] = ++ownChecks;
  options._defaultAgent = module.exports.globalAgent;
  const { ClientRequest } = require('internal/http/client');
  return new ClientRequest(options, ...each(args));
}

function get(input, options, callback) {
  const made = request(input, options, callback);
  made.end();
  return made;
}

module.exports = { Agent, Server, createServer, get, request };
addLazy(
  module.exports,
  ['globalAgent'],
  () => {
    const { getOptionValue } = require('internal/process/options');
    const usesProxy = getOptionValue('--use-env-proxy') || process.env.NODE_USE_ENV_PROXY === '1';
    return require('internal/http/agent').makeGlobalAgent(usesProxy ? process.env : undefined, Agent);
  },
  true,
);
