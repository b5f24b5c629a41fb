// natives: none
// An https request through a proxy: CONNECT to the proxy, its 200, then TLS with the server over the same socket.
'use strict';

const net = require('internal/net/net');
const tls = require('internal/tls/tls');
const {
  codes: { ERR_PROXY_TUNNEL },
} = require('internal/errors/coded');
const { kProxyConfig, kWaitForProxyTunnel } = require('internal/http/symbols');

function request(agent, options) {
  const { host, port } = options;
  const target = `${net.isIP(host) === 6 ? `[${host}]` : host}:${port || agent.defaultPort}`;
  const { auth } = agent[kProxyConfig];
  const lines = [`CONNECT ${target} HTTP/1.1`];
  if (auth) arrayPush.call(lines, `proxy-authorization: ${auth}`);
  if (agent.keepAlive || agent.maxSockets !== Infinity) arrayPush.call(lines, 'proxy-connection: keep-alive');
  arrayPush.call(lines, `host: ${target}`);
  return { target, text: `${arrayJoin.call(lines, '\r\n')}\r\n\r\n` };
}

class Tunnel {
  #agent;
  #options;
  #socket;
  #done;
  #target;
  #answer = '';
  #listeners;

  constructor(agent, options, done) {
    this.#agent = agent;
    this.#options = options;
    this.#done = done;
    const { protocol, proxyConnectionOptions } = agent[kProxyConfig];
    const open = protocol === 'http:' ? net.connect : tls.connect;
    this.#socket = open({ ...proxyConnectionOptions }, () => this.#ask());
    this.#listeners = [
      ['error', (error) => this.#finish(error)],
      ['end', () => this.#fail('Connection to establish proxy tunnel ended unexpectedly')],
      ['readable', () => this.#read()],
    ];
    this.#socket.on('error', this.#listeners[0][1]);
    if (options.timeout > 0) {
      arrayPush.call(this.#listeners, [
        'timeout',
        () => {
          const error = new ERR_PROXY_TUNNEL(`Connection to establish proxy tunnel timed out after ${options.timeout}ms`);
          error.proxyTunnelTimeout = options.timeout;
          this.#finish(error);
        },
      ]);
      this.#socket.setTimeout(options.timeout);
      this.#socket.on('timeout', this.#listeners[3][1]);
    }
    this.#socket[kWaitForProxyTunnel] = true;
  }

  get socket() {
    return this.#socket;
  }

  #ask() {
    const { target, text } = request(this.#agent, this.#options);
    this.#target = target;
    for (const [event, listener] of eachEntry(arraySlice.call(this.#listeners, 1, 3))) this.#socket.on(event, listener);
    this.#socket.write(text);
  }

  #read() {
    for (let chunk = this.#socket.read(); chunk !== null; chunk = this.#socket.read()) {
      this.#answer += chunk.toString('latin1');
      if (!stringIncludes.call(this.#answer, '\r\n\r\n')) continue;
      this.#judge();
      return;
    }
  }

  #judge() {
    const line = stringSlice.call(this.#answer, 0, stringIndexOf.call(this.#answer, '\r\n'));
    const status = stringSplit.call(line, ' ')[1];
    if (status !== '200') {
      const error = new ERR_PROXY_TUNNEL(`Failed to establish tunnel to ${this.#target} via ${this.#agent[kProxyConfig].href}: ${line}`);
      error.statusCode = Number.parseInt(status, 10);
      this.#finish(error);
      return;
    }
    this.#release();
    const servername = this.#options.servername || net.isIP(this.#options.host) ? undefined : this.#options.host;
    const onError = (error) => this.#done?.(error, secure);
    const secure = tls.connect({ servername, ...this.#options, socket: this.#socket }, () => {
      secure.removeListener('error', onError);
      this.#done?.(null, secure);
    });
    secure.on('error', onError);
    secure.on('free', () => this.#socket.emit('free'));
  }

  #fail(message) {
    this.#finish(new ERR_PROXY_TUNNEL(message));
  }

  #release() {
    for (const [event, listener] of eachEntry(this.#listeners)) this.#socket.removeListener(event, listener);
    this.#socket.setTimeout(0);
  }

  #finish(error) {
    this.#release();
    this.#socket.on('error', () => {});
    // A proxy that answered is closed by the request.
    if (error.code !== 'ERR_PROXY_TUNNEL' || !error.statusCode) this.#socket.destroy();
    this.#done?.(error, this.#socket);
  }
}

function connect(agent, options, callback) {
  return new Tunnel(agent, options, callback).socket;
}

module.exports = { connect };
