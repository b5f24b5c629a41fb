// natives: none
// One connection to a debugger's server: finds the target's WebSocket by /json, sends commands, and emits 'event' (name, params) for each
// event and 'close' when the target has gone.
'use strict';

const http = require('internal/http/http');
const { Buffer } = require('internal/buffer/buffer');
const { EventEmitter } = require('internal/events/events');
const { codes } = require('internal/errors/coded');
const { createHash, randomBytes } = require('internal/crypto/crypto');
const { URL } = require('internal/url/url');
const { FrameReader, encodeFrame, kClose, kPing, kPong, kText } = require('internal/debugger/frames');

const kHandshakeText = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'; // RFC 6455, 1.3

function getJson(options) {
  return new Promise((resolve, reject) => {
    const request = http.get(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('error', reject);
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        if (response.statusCode !== 200) {
          reject(new codes.ERR_DEBUGGER_ERROR(`Unexpected ${response.statusCode}: ${text}`));
          return;
        }
        try {
          resolve(JSON.parse(text));
        } catch {
          reject(new codes.ERR_DEBUGGER_ERROR(`Response didn't contain JSON: ${text}`));
        }
      });
    });
    request.on('error', reject);
  });
}

function checkHandshake(key, answer) {
  const wanted = createHash('sha1')
    .update(key + kHandshakeText)
    .digest('base64');
  if (wanted !== answer) throw new codes.ERR_DEBUGGER_ERROR(`WebSocket secret mismatch: ${key} did not match ${answer}`);
}

function failure({ code, message }) {
  const error = new codes.ERR_DEBUGGER_ERROR(`${message}`);
  error.code = code;
  return error;
}

class Client extends EventEmitter {
  #socket;
  #request;
  #pending = new Map(); // number of a command → { resolve, reject }
  #lastId = 0;
  #reader;

  constructor() {
    super();
  }

  async connect(host, port) {
    const targets = await getJson({ host, port, path: '/json' });
    const { pathname, search } = new URL(targets[0].webSocketDebuggerUrl);
    await this.#upgrade({ host, port, path: pathname + search });
  }

  #upgrade(place) {
    this.reset();
    const key = randomBytes(16).toString('base64');
    const headers = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Key': key, 'Sec-WebSocket-Version': '13' };
    return new Promise((resolve, reject) => {
      const request = http.request({ ...place, headers });
      this.#request = request;
      request.on('error', reject);
      request.on('response', (response) => {
        response.resume();
        reject(new codes.ERR_DEBUGGER_ERROR(`Unexpected HTTP code: ${response.statusCode}`));
      });
      request.on('upgrade', (response, socket, head) => {
        checkHandshake(key, response.headers['sec-websocket-accept']);
        this.#take(socket, head);
        resolve();
      });
      request.end();
    });
  }

  #take(socket, head) {
    this.#socket = socket;
    this.#reader = new FrameReader();
    socket.on('data', (chunk) => this.#onBytes(socket, chunk));
    socket.on('error', () => {}); // 'close' follows
    socket.on('close', () => {
      if (this.#socket === socket) this.reset();
      this.emit('close');
    });
    if (head.length > 0) this.#onBytes(socket, head);
  }

  #onBytes(socket, chunk) {
    if (this.#socket !== socket) return;
    this.#reader.add(chunk);
    for (;;) {
      const frame = this.#reader?.next();
      if (frame === undefined) return;
      if (frame.opcode === kText) this.#onMessage(frame.payload.toString());
      else if (frame.opcode === kPing) socket.write(encodeFrame(kPong, frame.payload));
      else if (frame.opcode === kClose) return this.reset();
    }
  }

  #onMessage(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      throw new codes.ERR_DEBUGGER_ERROR(`Payload does not look like JSON: ${text}`);
    }
    const { id, method, params, result, error } = message;
    if (id !== undefined) {
      const waiting = this.#pending.get(id);
      this.#pending.delete(id);
      if (error !== undefined) waiting?.reject(failure(error));
      else waiting?.resolve(result);
    } else if (method !== undefined) {
      this.emit('event', method, params);
    } else {
      throw new codes.ERR_DEBUGGER_ERROR(`Unsupported response: ${text}`);
    }
  }

  send(method, params) {
    return new Promise((resolve, reject) => {
      if (this.#socket === undefined) {
        reject(new codes.ERR_DEBUGGER_ERROR('Use `run` to start the app again.'));
        return;
      }
      const id = ++this.#lastId;
      this.#pending.set(id, { resolve, reject });
      this.#socket.write(encodeFrame(kText, Buffer.from(JSON.stringify({ id, method, params }))));
    });
  }

  // Ends the connection; commands without an answer are rejected.
  reset() {
    const pending = Array.from(this.#pending.values());
    this.#pending = new Map();
    this.#lastId = 0;
    this.#request?.destroy();
    this.#socket?.destroy();
    this.#request = undefined;
    this.#socket = undefined;
    this.#reader = undefined;
    for (const { reject } of each(pending)) reject(failure({ code: 'ERR_DEBUGGER_ERROR', message: 'Debugger session ended' }));
  }
}

module.exports = { Client };
