// natives: permission, process
//
// node:inspector: sessions of the protocol inside the process, and the server for those outside.

'use strict';

const EventEmitter = require('internal/events/events');
const {
  codes: {
    ERR_INSPECTOR_ALREADY_ACTIVATED,
    ERR_INSPECTOR_ALREADY_CONNECTED,
    ERR_INSPECTOR_CLOSED,
    ERR_INSPECTOR_COMMAND,
    ERR_INSPECTOR_NOT_ACTIVE,
    ERR_INSPECTOR_NOT_AVAILABLE,
    ERR_INSPECTOR_NOT_CONNECTED,
    ERR_INSPECTOR_NOT_WORKER,
  },
} = require('internal/errors/coded');
const { validateFunction, validateInt32, validateObject, validateString } = require('internal/util/validators');

const { isWorker } = native('process');
const server = () => require('internal/inspector/server');

class Session extends EventEmitter {
  #connection = null;
  #lastId = 0;
  #callbacks = new Map();

  constructor(options) {
    super(options);
  }

  connect() {
    if (this.#connection !== null) throw new ERR_INSPECTOR_ALREADY_CONNECTED('The inspector session');
    native('permission').check('inspector');
    const { ProtocolSession } = require('internal/inspector/session');
    require('internal/inspector/console_messages').wrap();
    this.#connection = new ProtocolSession((text) => this.#onMessage(text), false);
  }

  connectToMainThread() {
    if (!isWorker) throw new ERR_INSPECTOR_NOT_WORKER();
    if (this.#connection !== null) throw new ERR_INSPECTOR_ALREADY_CONNECTED('The inspector session');
    native('permission').check('inspector');
    const take = (text) => queueMicrotask(() => this.#onMessage(text));
    this.#connection = require('internal/inspector/threads').connect(0, take) ?? null;
    if (this.#connection === null) throw new ERR_INSPECTOR_NOT_AVAILABLE();
  }

  // An exception of a listener would end whatever the program was doing when the message came.
  #onMessage(text) {
    const message = JSON.parse(text);
    try {
      if (message.id === undefined) {
        this.emit(message.method, message);
        this.emit('inspectorNotification', message);
        return;
      }
      const callback = this.#callbacks.get(message.id);
      this.#callbacks.delete(message.id);
      if (callback === undefined) return;
      if (message.error !== undefined) callback(new ERR_INSPECTOR_COMMAND(message.error.code, message.error.message));
      else callback(null, message.result);
    } catch (error) {
      process.emitWarning(error);
    }
  }

  post(method, params, callback) {
    validateString(method, 'method');
    if (!callback && typeof params === 'function') {
      callback = params;
      params = null;
    }
    if (params) validateObject(params, 'params');
    if (callback) validateFunction(callback, 'callback');
    if (this.#connection === null) throw new ERR_INSPECTOR_NOT_CONNECTED();
    const id = ++this.#lastId;
    if (callback) this.#callbacks.set(id, callback);
    this.#connection.dispatch(JSON.stringify({ id, method, ...(params && { params }) }));
  }

  disconnect() {
    if (this.#connection === null) return;
    this.#connection.close();
    this.#connection = null;
    for (const callback of each(Array.from(this.#callbacks.values()))) process.nextTick(callback, new ERR_INSPECTOR_CLOSED());
    this.#callbacks.clear();
    this.#lastId = 0;
  }
}

const kInsecure =
  'Binding the inspector to a public IP with an open port is insecure, as it allows external hosts to connect to the inspector ' +
  'and perform a remote code execution attack. Documentation can be found at https://nodejs.org/api/cli.html#--inspecthostport';
const kDefaultPort = 9229,
  kDefaultHost = '127.0.0.1';

function open(port, host, wait) {
  native('permission').check('inspector');
  if (server().address !== undefined) throw new ERR_INSPECTOR_ALREADY_ACTIVATED();
  if (typeof port === 'number' && port === port >>> 0) validateInt32(port, 'port', 0, 65535);
  if (host && !server().isLoopback(host)) process.emitWarning(kInsecure, 'SecurityWarning');
  const address = host || kDefaultHost,
    number = typeof port === 'number' ? port : kDefaultPort;
  const failed = server().listen(address, number);
  if (failed !== undefined) server().printFailure(address, number, failed);
  else if (wait) waitForDebugger();
  return {
    __proto__: null,
    [Symbol.dispose]() {
      close();
    },
  };
}

function close() {
  server().close();
}

function url() {
  return server().webSocketUrl();
}

function waitForDebugger() {
  if (server().address === undefined) throw new ERR_INSPECTOR_NOT_ACTIVE();
  require('internal/inspector/waiting').wait();
}

function broadcast(eventName, params = {}) {
  validateString(eventName, 'eventName');
  validateObject(params, 'params');
  require('internal/inspector/network_domain').broadcast(eventName, params);
}

function events(domain, names) {
  const methods = {};
  for (const name of each(names)) methods[name] = { [name]: (params) => broadcast(`${domain}.${name}`, params) }[name];
  return methods;
}

const Network = events('Network', [
  'requestWillBeSent',
  'responseReceived',
  'loadingFinished',
  'loadingFailed',
  'dataSent',
  'dataReceived',
  'webSocketCreated',
  'webSocketClosed',
  'webSocketHandshakeResponseReceived',
]);

module.exports = {
  open,
  close,
  url,
  waitForDebugger,
  console: require('internal/inspector/inspector_console').console,
  Session,
  Network,
  NetworkResources: { put: (address, text) => require('internal/inspector/network_domain').putResource(address, text) },
};
