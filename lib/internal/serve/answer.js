// natives: serve
// Sending a Response. One with a body that is known goes out in one write (the lean ones without being laid out); a stream goes out
// in chunks, as fast as the client takes them.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const statusNames = require('internal/http/status');

const { kClose, kNoBody, kKeepAlive: kOldKeepAlive } = native('serve'); // flags of respond()

const lines = [];
function lineOf(status, text) {
  if (text) return `HTTP/1.1 ${status} ${text}\r\n`;
  return (lines[status] ??= `HTTP/1.1 ${status} ${statusNames[status] ?? 'Unknown'}\r\n`);
}

function connectionFlags(incoming) {
  if (!incoming.connection.keepsAlive(incoming)) return kClose;
  return incoming.isOld ? kOldKeepAlive : 0;
}

// A head for what respond() does not send, or where it cannot. `length` undefined: none is said.
function assemble(line, block, type, length, flags, more = '') {
  let text = line;
  if (block !== undefined) text += stringSlice.call(block, 1);
  if (type !== undefined && (block === undefined || (stringCharCodeAt.call(block, 0) & 1) === 0)) text += `Content-Type: ${type}\r\n`;
  if (block === undefined || (stringCharCodeAt.call(block, 0) & 2) === 0) text += `Date: ${dateToUTCString.call(new Date())}\r\n`;
  if ((flags & kClose) !== 0) text += 'Connection: close\r\n';
  if ((flags & kOldKeepAlive) !== 0) text += 'Connection: keep-alive\r\n';
  if (length !== undefined) text += `Content-Length: ${length}\r\n`;
  return `${text}${more}\r\n`;
}

// `done(status)`: the answer is out, or (negative) nothing more can be sent.
function answerLean(incoming, lean, done) {
  const {
    connection: { link },
  } = incoming;
  const flags = connectionFlags(incoming) | (incoming.isHead ? kNoBody : 0);
  const line = lines[lean.status] ?? lineOf(lean.status);
  const sent =
    lean.status === 204 || lean.status === 304
      ? link.send(assemble(line, lean.block, undefined, undefined, flags), undefined, done)
      : link.respond(line, lean.block, lean.type, lean.body ?? '', flags, done);
  if (sent !== 1) done(sent);
}

const framing = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding', 'upgrade', 'trailer']);

// The fields of a Response as text behind its marks, and those that say how it is sent.
function fieldsOf(response) {
  const said = {};
  let marks = 0x30;
  let text = '';
  const entries = response.headers.entries();
  for (let step = entries.next(); !step.done; step = entries.next()) {
    const { 0: name, 1: value } = step.value;
    if (framing.has(name)) {
      said[name] = value;
      continue;
    }
    if (name === 'content-type') marks |= 1;
    if (name === 'date') marks |= 2;
    text += `${name}: ${value}\r\n`;
  }
  return { block: String.fromCharCode(marks) + text, said };
}

function knownBody(body) {
  if (body === null || body === undefined) return '';
  if (typeof body.source === 'string') return body.source;
  return body.source instanceof Uint8Array ? body.source : undefined;
}

function answer(incoming, response, done) {
  const { getResponseState } = require('undici/lib/web/fetch/response');
  const state = getResponseState(response);
  const {
    connection: { link },
  } = incoming;
  const { block, said } = fieldsOf(response);
  if (said.connection !== undefined && stringIncludes.call(stringToLowerCase.call(said.connection), 'close'))
    incoming.connection.closing = true;
  let flags = connectionFlags(incoming);
  const { status } = state;
  const line = lineOf(status, state.statusText);
  const body = response.bodyUsed ? undefined : state.body;
  if (response.bodyUsed || body?.stream.locked) return done(new TypeError('Body is unusable: Body has already been read'));
  const known = knownBody(body);
  const isBodiless = incoming.isHead || status === 204 || status === 304;
  if (isBodiless || known !== undefined) {
    if (known === undefined) body.stream.cancel();
    let length = isBodiless ? said['content-length'] : undefined;
    if (incoming.isHead && known !== undefined) length ??= known === '' ? '0' : String(Buffer.byteLength(known));
    const sent = isBodiless
      ? link.send(assemble(line, block, undefined, length, flags), undefined, done)
      : link.respond(line, block, undefined, known, flags, done);
    return sent === 1 ? undefined : done(sent);
  }
  const isChunked = !incoming.isOld && body.length === null;
  if (body.length === null && !isChunked) {
    incoming.connection.closing = true;
    flags = kClose;
  }
  const head = assemble(line, block, undefined, body.length ?? undefined, flags, isChunked ? 'Transfer-Encoding: chunked\r\n' : '');
  return new Pump(incoming, body, isChunked, done).start(head);
}

// Carries a stream to the client, a piece at a time.
class Pump {
  constructor(incoming, body, isChunked, done) {
    this.incoming = incoming;
    this.reader = body.stream.getReader();
    this.left = body.length; // null: until the stream ends
    this.isChunked = isChunked;
    this.done = done;
    this.before = ''; // what ends the chunk before
    this.step = () => promiseThen(this.reader.read(), this.onRead, this.onFailure);
    this.onRead = (result) => this.give(result);
    this.onFailure = (error) => this.finish(error);
    this.onSent = (status) => (status < 0 ? this.finish(status) : this.step());
  }

  start(head) {
    this.incoming.pump = this;
    this.send(head, undefined);
  }

  send(text, bytes) {
    const sent = this.incoming.connection.link.send(text, bytes, this.onSent);
    if (sent !== 1) this.onSent(sent);
  }

  give({ done, value }) {
    if (this.done === undefined) return;
    if (done) {
      if (!this.isChunked) {
        this.finish(this.left ? new TypeError('The body of the Response is shorter than its length') : 0);
        return;
      }
      const sent = this.incoming.connection.link.send(`${this.before}0\r\n\r\n`, undefined, this.done);
      if (sent !== 1) this.finish(sent);
      return;
    }
    if (!(value instanceof Uint8Array)) {
      this.cancel();
      this.finish(new TypeError("A Response's body has a chunk that is no Uint8Array"));
      return;
    }
    if (value.length === 0) {
      this.step();
      return;
    }
    if (this.left !== null) this.left -= value.length;
    const text = this.isChunked ? `${this.before}${numberToString.call(value.length, 16)}\r\n` : '';
    if (this.isChunked) this.before = '\r\n';
    this.send(text, value);
  }

  finish(status) {
    const { done } = this;
    this.done = undefined;
    done?.(status);
  }

  // The client has gone.
  cancel(reason) {
    this.done = undefined;
    promiseThen(this.reader.cancel(reason), undefined, () => {});
  }
}

module.exports = { answer, answerLean, assemble, lineOf };
