// natives: none
// http.Agent: the connections of a client, by where they go. Kept open and used again if keepAlive says so; requests beyond
// maxSockets wait in a queue.
'use strict';

const EventEmitter = require('internal/events/events');
const net = require('internal/net/net');
const { validateNumber, validateOneOf, validateString } = require('internal/util/validators');
const { AsyncResource } = require('internal/async_hooks/async_hooks');
const { makeWithoutNew } = require('internal/http/validate');
const { shouldUseProxy, proxyConfigFrom } = require('internal/http/proxy');
const { kProxyConfig, kWaitForProxyTunnel } = require('internal/http/symbols');

const kOnKeylog = Symbol('onkeylog');
const kOptions = Symbol('requestOptions');
const kResource = Symbol('requestAsyncResource');
const kGuard = Symbol('freeSocketDataGuard');
const kEmpty = Object.freeze({ __proto__: null });

function Agent(options) {
  if (!(this instanceof Agent)) return makeWithoutNew(Agent, options);
  call0(EventEmitter, this);
  this.options = { __proto__: null, ...options };
  this.defaultPort = this.options.defaultPort || 80;
  this.protocol = this.options.protocol || 'http:';
  if (this.options.noDelay === undefined) this.options.noDelay = true;
  this.options.path = null; // net would take it for that of a Unix socket
  this.requests = { __proto__: null };
  this.sockets = { __proto__: null };
  this.freeSockets = { __proto__: null };
  this.keepAliveMsecs = this.options.keepAliveMsecs || 1000;
  this.keepAlive = this.options.keepAlive || false;
  this.maxSockets = this.options.maxSockets || Agent.defaultMaxSockets;
  this.maxFreeSockets = this.options.maxFreeSockets || 256;
  this.scheduling = this.options.scheduling || 'lifo';
  this.maxTotalSockets = this.options.maxTotalSockets;
  this.totalSocketCount = 0;
  const buffer = this.options.agentKeepAliveTimeoutBuffer;
  this.agentKeepAliveTimeoutBuffer = typeof buffer === 'number' && buffer >= 0 && Number.isFinite(buffer) ? buffer : 1000;
  const { proxyEnv } = this.options;
  if (typeof proxyEnv === 'object' && proxyEnv !== null) this[kProxyConfig] = proxyConfigFrom(proxyEnv, this.protocol, this.keepAlive);
  validateOneOf(this.scheduling, 'scheduling', ['fifo', 'lifo']);
  if (this.maxTotalSockets === undefined) this.maxTotalSockets = Infinity;
  else validateNumber(this.maxTotalSockets, 'maxTotalSockets', 1);
  this.on('free', (socket, options) => onFree(this, socket, options));
  this.on('newListener', enableKeylog);
}
Object.setPrototypeOf(Agent.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Agent, EventEmitter);
Agent.defaultMaxSockets = Infinity;

function enableKeylog(event) {
  if (event !== 'keylog') return;
  this.removeListener('newListener', enableKeylog);
  const agent = this;
  this[kOnKeylog] = function onKeylog(line) {
    agent.emit('keylog', line, this);
  };
  for (const set of each([this.freeSockets, this.sockets])) {
    for (const list of each(Object.values(set))) for (const socket of each(list)) socket.on('keylog', this[kOnKeylog]);
  }
}

// A socket's request is over: the next one gets it, or it waits, or it is closed.
function onFree(agent, socket, options) {
  const name = agent.getName(options);
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const waiting = agent.requests[name];
  if (waiting?.length) {
    const request = arrayShift.call(waiting);
    if (waiting.length === 0) delete agent.requests[name];
    const resource = request[kResource];
    request[kResource] = null;
    if (resource) resource.runInAsyncScope(() => giveSocket(agent, request, socket));
    else giveSocket(agent, request, socket);
    return;
  }
  const request = socket._httpMessage;
  const free = agent.freeSockets[name] || [];
  const count = free.length + (agent.sockets[name]?.length ?? 0);
  if (
    !request?.shouldKeepAlive ||
    !agent.keepAlive ||
    agent.totalSocketCount > agent.maxTotalSockets ||
    count > agent.maxSockets ||
    free.length >= agent.maxFreeSockets ||
    !agent.keepSocketAlive(socket)
  ) {
    socket.destroy();
    return;
  }
  agent.freeSockets[name] = free;
  socket._httpMessage = null;
  agent.removeSocket(socket, options);
  socket.once('error', onFreeError);
  guard(socket);
  arrayPush.call(free, socket);
}

function onFreeError() {
  this.destroy();
  this.emit('agentRemove');
}

// Data on a connection that waits answers nothing that was asked: the next request must not get it.
function guard(socket) {
  if (socket.readableLength > 0) {
    socket.destroy();
    return;
  }
  if (socket.connecting) {
    socket[kGuard] = () => {
      socket[kGuard] = null;
      guard(socket);
    };
    socket.once('connect', socket[kGuard]);
    return;
  }
  const handle = socket._handle;
  if (!handle) return;
  const plain = handle.onread;
  handle.onread = (size) => (size > 0 ? socket.destroy() : plain?.(size));
  socket[kGuard] = { handle, plain };
  if (!handle.reading && handle.readStart() < 0) socket.destroy();
}

function unguard(socket) {
  const kept = socket[kGuard];
  socket[kGuard] = null;
  if (typeof kept === 'function') socket.removeListener('connect', kept);
  else if (kept && socket._handle === kept.handle) kept.handle.onread = kept.plain;
}

function giveSocket(agent, request, socket) {
  request.onSocket(socket);
  const usual = agent.options.timeout || 0;
  if (request.timeout !== undefined && request.timeout !== usual) socket.setTimeout(request.timeout);
}

// The name that TLS asks for: that of the Host header, unless it is an address.
function nameServer(options, request) {
  if (options.servername || options.servername === '') return;
  let name = options.host;
  const host = request.getHeader('host');
  if (host) {
    validateString(host, 'options.headers.host');
    if (host[0] !== '[') name = stringSplit.call(host, ':', 1)[0];
    else name = stringIncludes.call(host, ']') ? stringSlice.call(host, 1, stringIndexOf.call(host, ']')) : host;
  }
  options.servername = net.isIP(name) ? '' : name;
}

function tellProxyFailure(error, request) {
  if (error.code !== 'ERR_PROXY_TUNNEL') return;
  if (error.proxyTunnelTimeout) request.emit('timeout');
  request.emit('error', error);
}

function withAgentOptions(agent, given, request) {
  const options = { __proto__: null, ...given, ...agent.options };
  if (options.socketPath) options.path = options.socketPath;
  nameServer(options, request);
  return options;
}

// A free socket of this name, the newest or the oldest.
function takeFree(agent, name) {
  const free = agent.freeSockets[name];
  if (!free) return undefined;
  while (free.length > 0 && free[0].destroyed) arrayShift.call(free);
  const socket = agent.scheduling === 'fifo' ? arrayShift.call(free) : arrayPop.call(free);
  if (free.length === 0) delete agent.freeSockets[name];
  return socket;
}

function listen(agent, socket, options) {
  const onFreeSocket = () => agent.emit('free', socket, options);
  const onClose = () => {
    agent.totalSocketCount--;
    agent.removeSocket(socket, options);
  };
  const onTimeout = () => {
    const { freeSockets } = agent;
    if (arraySome.call(Object.keys(freeSockets), (name) => arrayIncludes.call(freeSockets[name], socket))) socket.destroy();
  };
  const listeners = [
    ['free', onFreeSocket],
    ['close', onClose],
    ['timeout', onTimeout],
  ];
  for (const [event, listener] of eachEntry(listeners)) socket.on(event, listener);
  // An upgraded socket is nobody's to use again.
  socket.on('agentRemove', function onRemove() {
    agent.totalSocketCount--;
    agent.removeSocket(socket, options);
    for (const [event, listener] of eachEntry(listeners)) socket.removeListener(event, listener);
    socket.removeListener('agentRemove', onRemove);
  });
  if (agent[kOnKeylog]) socket.on('keylog', agent[kOnKeylog]);
}

// The first request that waits for a place: of this name, or else of one that has no socket at all.
function nextWaiting(agent, name, options) {
  if (agent.requests[name]?.length) return { request: agent.requests[name][0], options };
  for (const other of each(Object.keys(agent.requests))) {
    if (agent.sockets[other]?.length) break;
    const request = agent.requests[other][0];
    return { request, options: request[kOptions] };
  }
  return {};
}

const methods = {
  createConnection(...args) {
    const [options, callback] = each(net._normalizeArgs(args));
    if (!shouldUseProxy(this[kProxyConfig], options)) return net.createConnection(...each(args));
    const target = { ...this[kProxyConfig].proxyConnectionOptions };
    if (this[kProxyConfig].protocol === 'https:')
      return requireLater('internal/modules/builtins').loadBuiltin('tls').connect(target, callback);
    return net.connect(target, callback);
  },

  getName(options = kEmpty) {
    let name = `${options.host || 'localhost'}:${options.port || ''}:${options.localAddress || ''}`;
    if (options.family === 4 || options.family === 6) name += `:${options.family}`;
    if (options.socketPath) name += `:${options.socketPath}`;
    return name;
  },

  addRequest(request, given, port, localAddress) {
    if (typeof given === 'string') given = { __proto__: null, host: given, port, localAddress };
    const options = withAgentOptions(this, given, request);
    const name = this.getName(options);
    const sockets = (this.sockets[name] ||= []);
    const socket = takeFree(this, name);
    const count = (this.freeSockets[name]?.length ?? 0) + sockets.length;
    if (socket) {
      if (options.highWaterMark != null && socket.writableHighWaterMark !== options.highWaterMark) {
        socket._writableState.highWaterMark = options.highWaterMark;
      }
      this.reuseSocket(socket, request);
      giveSocket(this, request, socket);
      arrayPush.call(sockets, socket);
    } else if (count < this.maxSockets && this.totalSocketCount < this.maxTotalSockets) {
      this.createSocket(request, options, (error, made) => {
        if (!error) {
          giveSocket(this, request, made);
          return;
        }
        tellProxyFailure(error, request);
        request.onSocket(made, error);
      });
    } else {
      request[kOptions] = options;
      request[kResource] = new AsyncResource('QueuedRequest');
      arrayPush.call((this.requests[name] ||= []), request);
    }
  },

  createSocket(request, given, callback) {
    const options = withAgentOptions(this, given, request);
    const timeout = request.timeout || this.options.timeout || undefined;
    if (timeout) options.timeout = timeout;
    const name = this.getName(options);
    options._agentKey = name;
    options.encoding = null;
    let called = false;
    const onCreate = (error, socket) => {
      if (called) return;
      called = true;
      if (error) {
        callback(error);
        return;
      }
      arrayPush.call((this.sockets[name] ||= []), socket);
      this.totalSocketCount++;
      listen(this, socket, options);
      callback(null, socket);
    };
    if (this.keepAlive) {
      options.keepAlive = this.keepAlive;
      options.keepAliveInitialDelay = this.keepAliveMsecs;
    }
    const socket = this.createConnection(options, onCreate);
    if (socket && !socket[kWaitForProxyTunnel]) onCreate(null, socket);
  },

  removeSocket(socket, options) {
    const name = this.getName(options);
    for (const set of each(socket.writable ? [this.sockets] : [this.sockets, this.freeSockets])) {
      const at = set[name] === undefined ? -1 : arrayIndexOf.call(set[name], socket);
      if (at < 0) continue;
      arraySplice.call(set[name], at, 1);
      if (set[name].length === 0) delete set[name];
    }
    const { request, options: its } = nextWaiting(this, name, options);
    if (!request || !its) return;
    request[kOptions] = undefined;
    this.createSocket(request, its, (error, made) => {
      if (!error) {
        made.emit('free');
        return;
      }
      tellProxyFailure(error, request);
      request.onSocket(null, error);
    });
  },

  // False when the server will close before anybody could use it again.
  keepSocketAlive(socket) {
    socket.setKeepAlive(true, this.keepAliveMsecs);
    socket.unref();
    let timeout = this.options.timeout || 0;
    let canStay = true;
    const hint = socket._httpMessage?.res?.headers['keep-alive'];
    const seconds = hint ? regexpExec.call(/^timeout=(\d+)/, hint)?.[1] : undefined;
    if (seconds) {
      const announced = Math.max(0, Number.parseInt(seconds, 10) * 1000 - this.agentKeepAliveTimeoutBuffer);
      if (announced === 0) canStay = false;
      else if (announced < timeout) timeout = announced;
    }
    if (socket.timeout !== timeout) socket.setTimeout(timeout);
    return canStay;
  },

  reuseSocket(socket, request) {
    socket.removeListener('error', onFreeError);
    unguard(socket);
    request.reusedSocket = true;
    socket.ref();
  },

  destroy() {
    for (const set of each([this.freeSockets, this.sockets])) {
      for (const list of each(Object.values(set))) for (const socket of each([...each(list)])) socket.destroy();
    }
  },
};
for (const name of each(Object.keys(methods))) {
  Object.defineProperty(Agent.prototype, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    writable: true,
    value: methods[name],
  });
}

// The agent of requests that name none.
function makeGlobalAgent(proxyEnv, Class) {
  return new Class({ keepAlive: true, scheduling: 'lifo', timeout: 5000, proxyEnv });
}

let globalAgent;
module.exports = {
  Agent,
  makeGlobalAgent,
  get globalAgent() {
    if (globalAgent === undefined) {
      const { getOptionValue } = require('internal/process/options');
      globalAgent = makeGlobalAgent(
        getOptionValue('--use-env-proxy') || process.env.NODE_USE_ENV_PROXY === '1' ? process.env : undefined,
        Agent,
      );
    }
    return globalAgent;
  },
  set globalAgent(value) {
    globalAgent = value;
  },
};
