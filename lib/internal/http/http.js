// natives: none
// node:http: servers and clients of HTTP/1.1. The parts are in internal/http; the client's are loaded when first asked for.
'use strict';

const { addLazy } = require('internal/util/lazy_property');
const { validateInteger, validateObject } = require('internal/util/validators');
const { parsers, methods } = require('internal/http/parser');
const { IncomingMessage } = require('internal/http/incoming');
const { OutgoingMessage } = require('internal/http/outgoing');
const { ServerResponse } = require('internal/http/response');
const { Server } = require('internal/http/server');
const { connectionListener } = require('internal/http/connection');
const { maxHeaderSize, validateHeaderName, validateHeaderValue } = require('internal/http/validate');

const agents = () => require('internal/http/agent');
const ClientRequest = () => require('internal/http/client').ClientRequest;

function createServer(options, requestListener) {
  return new Server(options, requestListener);
}

function request(url, options, callback) {
  return new (ClientRequest())(url, options, callback);
}

function get(url, options, callback) {
  const made = request(url, options, callback);
  made.end();
  return made;
}

function setMaxIdleHTTPParsers(max) {
  validateInteger(max, 'max', 1);
  parsers.max = max;
}

// Requests without an agent of their own go through the proxies that `env` names, until the function that is returned is called.
function setGlobalProxyFromEnv(env = process.env) {
  validateObject(env, 'proxyEnv');
  const { proxyUrl } = require('internal/http/proxy');
  const {
    codes: { ERR_PROXY_INVALID_CONFIG },
  } = require('internal/errors/coded');
  const { URL } = require('internal/url/url_class');
  const ofHttp = proxyUrl(env, 'http:');
  const ofHttps = proxyUrl(env, 'https:');
  for (const url of each([ofHttp, ofHttps])) if (url && !URL.canParse(url)) throw new ERR_PROXY_INVALID_CONFIG(url);
  const restore = [];
  if (ofHttp) {
    const before = module.exports.globalAgent;
    module.exports.globalAgent = agents().makeGlobalAgent(env, agents().Agent);
    arrayPush.call(restore, () => {
      module.exports.globalAgent = before;
    });
  }
  const { isBuiltin, loadBuiltin } = requireLater('internal/modules/builtins');
  if (ofHttps && isBuiltin('https')) {
    const https = loadBuiltin('https');
    const before = https.globalAgent;
    https.globalAgent = agents().makeGlobalAgent(env, https.Agent);
    arrayPush.call(restore, () => {
      https.globalAgent = before;
    });
  }
  if (ofHttp || ofHttps) {
    const noProxy = env.no_proxy ?? env.NO_PROXY;
    arrayPush.call(
      restore,
      requireLater('internal/fetch/fetch').useEnvironmentProxies({ httpProxy: ofHttp, httpsProxy: ofHttps, noProxy }),
    );
  }
  return () => {
    for (const undo of each(arraySplice.call(restore, 0))) undo();
  };
}

module.exports = {
  _connectionListener: connectionListener,
  METHODS: arraySort.call([...each(methods)]),
  STATUS_CODES: require('internal/http/status'),
  IncomingMessage,
  OutgoingMessage,
  Server,
  ServerResponse,
  createServer,
  validateHeaderName,
  validateHeaderValue,
  get,
  request,
  setMaxIdleHTTPParsers,
  setGlobalProxyFromEnv,
};

function lazy(name, read, set) {
  Object.defineProperty(module.exports, name, { __proto__: null, configurable: true, enumerable: true, get: read, set });
}
addLazy(module.exports, ['Agent'], () => agents().Agent, true);
addLazy(module.exports, ['ClientRequest'], ClientRequest, true);
lazy('maxHeaderSize', maxHeaderSize);
addLazy(module.exports, ['WebSocket'], () => require('undici/lib/web/websocket/websocket').WebSocket, true);
addLazy(module.exports, ['CloseEvent'], () => require('undici/lib/web/websocket/events').CloseEvent, true);
addLazy(module.exports, ['MessageEvent'], () => require('internal/messaging/message_event').MessageEvent, true);
lazy(
  'globalAgent',
  () => agents().globalAgent,
  (value) => {
    agents().globalAgent = value;
  },
);
