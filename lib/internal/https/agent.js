// natives: none
// https.Agent: an http.Agent whose connections are encrypted, and which remembers a session for each place it has been to.
'use strict';

const tls = require('internal/tls/tls');
const { Agent: HttpAgent } = require('internal/http/agent');
const { kProxyConfig } = require('internal/http/symbols');
const { shouldUseProxy } = require('internal/http/proxy');

// A checkServerIdentity of one request: its connection is nobody else's.
const kOwnCheck = Symbol('checkServerIdentity of this request alone');
const kUsualSessions = 100;

// (port, host, options), (options), …, with or without a callback at the end.
function connectionOptions(args) {
  let options = {};
  for (let i = 0; i < 3; i++) {
    if (args[i] === null || typeof args[i] !== 'object') continue;
    options = i === 0 ? args[i] : { ...args[i] };
    break;
  }
  if (typeof args[0] === 'number') options.port = args[0];
  if (typeof args[1] === 'string') options.host = args[1];
  return options;
}

function createConnection(...args) {
  let options = connectionOptions(args);
  const last = args[args.length - 1];
  const key = options._agentKey;
  const isShared = Boolean(key) && !options[kOwnCheck];
  const session = isShared ? this._getSession(key) : undefined;
  if (session) options = { session, ...options };
  const throughProxy = (options.protocol || this.protocol) === 'https:' && shouldUseProxy(this[kProxyConfig], options);
  const socket = throughProxy
    ? require('internal/https/tunnel').connect(this, options, typeof last === 'function' ? last : undefined)
    : tls.connect(options);
  if (options[kOwnCheck]) socket[kOwnCheck] = true;
  if (isShared) {
    socket.on('session', (made) => this._cacheSession(key, made));
    socket.once('close', (hadError) => {
      if (hadError) this._evictSession(key);
    });
  }
  return socket;
}

function Agent(given) {
  if (!(this instanceof Agent)) return new Agent(given);
  const options = { __proto__: null, ...given };
  options.defaultPort ??= 443;
  options.protocol ??= 'https:';
  call1(HttpAgent, this, options);
  this.maxCachedSessions = this.options.maxCachedSessions ?? kUsualSessions;
  this._sessionCache = { map: {}, list: [] };
}
Object.setPrototypeOf(Agent.prototype, HttpAgent.prototype);
Object.setPrototypeOf(Agent, HttpAgent);

function bundleName({ pfx, passphrase }) {
  if (!Array.isArray(pfx)) return pfx || '';
  return arrayJoin.call(
    arrayMap.call(pfx, (item) => `:${item?.buf || item}:${item?.passphrase || passphrase}`),
    '',
  );
}

const ifTruthy = (value) => value || '';
const ifGiven = (value) => (value === undefined ? '' : value);

const methods = {
  createConnection,

  keepSocketAlive(socket) {
    return !socket[kOwnCheck] && call1(HttpAgent.prototype.keepSocketAlive, this, socket);
  },

  // Connections are alike only if everything is that decides about trust.
  getName(options = {}) {
    const { servername, host, sigalgs } = options;
    const parts = [
      call1(HttpAgent.prototype.getName, this, options),
      ifTruthy(options.ca),
      ifTruthy(options.cert),
      ifTruthy(options.clientCertEngine),
      ifTruthy(options.ciphers),
      ifTruthy(options.key),
      bundleName(options),
      ifGiven(options.rejectUnauthorized),
      servername && servername !== host ? servername : '',
      ifTruthy(options.minVersion),
      ifTruthy(options.maxVersion),
      ifTruthy(options.secureProtocol),
      ifTruthy(options.crl),
      ifGiven(options.honorCipherOrder),
      ifTruthy(options.ecdhCurve),
      ifTruthy(options.dhparam),
      ifGiven(options.secureOptions),
      ifTruthy(options.sessionIdContext),
      sigalgs ? JSON.stringify(sigalgs) : '',
      ifTruthy(options.privateKeyIdentifier),
      ifTruthy(options.privateKeyEngine),
    ];
    if (options[kOwnCheck]) arrayPush.call(parts, options[kOwnCheck]);
    return arrayJoin.call(arrayMap.call(parts, String), ':');
  },

  _getSession(key) {
    return this._sessionCache.map[key];
  },

  _cacheSession(key, session) {
    if (this.maxCachedSessions === 0) return;
    const { list, map } = this._sessionCache;
    if (!map[key]) {
      if (list.length >= this.maxCachedSessions) delete map[arrayShift.call(list)];
      arrayPush.call(list, key);
    }
    map[key] = session;
  },

  _evictSession(key) {
    const { list, map } = this._sessionCache;
    const at = arrayIndexOf.call(list, key);
    if (at === -1) return;
    arraySplice.call(list, at, 1);
    delete map[key];
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

module.exports = { Agent, kOwnCheck };
