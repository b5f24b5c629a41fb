// natives: net
//
// Messages between a process and the child it forked: send(), 'message', disconnect(). The same at both ends: `target` is the
// ChildProcess here, `process` there. Bytes are those Node writes, so either end may be Node. Descriptors of sockets and servers go
// along; the next messages wait until the other side has said that it has the last one.

'use strict';

const { kindOf } = native('net');
const { codes, ErrnoException } = require('internal/errors/coded');
const { validateObject, validateString } = require('internal/util/validators');
const { ChannelPipe, Listener, Pipe, PipeListener, TCP, TCPListener } = require('internal/net/handle');
const messageCount = require('internal/queues/message_count');
const EventEmitter = require('internal/events/events');

const kChannel = Symbol('channel');
const kQueueLimit = 2 * 65536;
const kRetries = 3;

// The class of process.channel and child.channel: they say whether the channel keeps the loop alive.
class Control extends EventEmitter {
  #handle;
  #refs = 0;
  #isExplicit = false;

  constructor(handle) {
    super();
    this.#handle = handle;
  }
  get fd() {
    return this.#handle.fd;
  }
  // Listeners count, under names that packages rely on; ref() and unref() outweigh them.
  refCounted() {
    this.#count(1);
  }
  unrefCounted() {
    this.#count(-1);
  }
  #count(change) {
    this.#refs += change;
    if (this.#isExplicit) return;
    if (this.#refs > 0) this.#handle.ref();
    else this.#handle.unref();
  }
  ref() {
    this.#isExplicit = true;
    this.#handle.ref();
  }
  unref() {
    this.#isExplicit = true;
    this.#handle.unref();
  }
  hasRef() {
    return this.#handle.hasRef();
  }
}

// How each kind of object is sent and made again.
const conversions = {
  'net.Native': {
    handleOf(handle) {
      handle.share?.();
      return handle;
    },
    revive: (fd, { isListener }) => (isListener ? openListener(fd) : openStream(fd)),
  },
  'net.Server': {
    handleOf(server) {
      server._handle?.share();
      return server._handle;
    },
    revive: (fd) => {
      const server = new (require('internal/net/net').Server)();
      return { server, handle: openListener(fd) };
    },
  },
  'net.Socket': {
    handleOf(socket, options) {
      const handle = socket._handle;
      if (!handle || options.keepOpen) return handle;
      if (socket._server) {
        socket._server._connections--;
        socket._server._emitCloseIfDrained();
        socket._server = null;
      }
      handle.readStop();
      handle.onread = undefined;
      socket._handle = null;
      socket.setTimeout(0);
      return handle;
    },
    revive: (fd) => new (require('internal/net/net').Socket)({ handle: openStream(fd), readable: true, writable: true }),
    closesAfterSend: true,
  },
  'dgram.Native': {
    handleOf: sharedDatagrams,
    revive: (fd) => openDatagrams(fd),
  },
  'dgram.Socket': {
    handleOf: (socket) => sharedDatagrams(socket[require('internal/dgram/handle').kState].handle),
    revive: (fd, { dgramType }) => ({ server: new (require('internal/dgram/dgram').Socket)(dgramType), handle: openDatagrams(fd) }),
  },
};

function openDatagrams(fd) {
  const handle = new (require('internal/dgram/handle').UDP)();
  handle.open(fd);
  return sharedDatagrams(handle);
}

// Two processes receive from it.
function sharedDatagrams(handle) {
  handle?.share();
  return handle;
}

function openStream(fd) {
  const handle = kindOf(fd) === 'tcp' ? new TCP() : new Pipe();
  handle.open(fd);
  return handle;
}

function openListener(fd) {
  const handle = kindOf(fd) === 'tcp' ? new TCPListener() : new PipeListener();
  handle.open(fd);
  return handle;
}

function kindOfObject(object) {
  const net = require('internal/net/net');
  if (object instanceof net.Socket) return 'net.Socket';
  if (object instanceof net.Server) return 'net.Server';
  if (object instanceof TCP || object instanceof Pipe || object instanceof Listener) return 'net.Native';
  if (object instanceof require('internal/dgram/handle').UDP) return 'dgram.Native';
  if (object instanceof require('internal/dgram/dgram').Socket) return 'dgram.Socket';
  throw new codes.ERR_INVALID_HANDLE_TYPE();
}

const isInternal = (message) =>
  message !== null &&
  typeof message === 'object' &&
  typeof message.cmd === 'string' &&
  message.cmd.length > 5 &&
  stringStartsWith.call(message.cmd, 'NODE_');

// A socket that only waits for its listen() looks like any other: the message says that it is one.
function wrapped({ type, handle, message, object, key }) {
  const isListener = type === 'net.Native' && handle instanceof Listener ? true : undefined;
  return { cmd: 'NODE_HANDLE', type, msg: message, key, isListener, dgramType: type === 'dgram.Socket' ? object.type : undefined };
}

class Channel {
  #target;
  #handle;
  #codec;
  #waiting = null; // { queue, entry } while the other side owes us an acknowledgement
  #isReading = false;
  #pendingDisconnect = false;
  #atEnd = () => {};
  #lists;

  constructor(target, handle, codec, atEnd) {
    this.#target = target;
    this.#handle = handle;
    this.#codec = codec;
    this.#atEnd = atEnd;
    this.control = new Control(handle);
    handle.onread = (size, chunk) => this.#onRead(size, chunk);
    handle.readStart();
  }

  // ---- receiving ----

  #onRead(size, chunk) {
    if (size <= 0) {
      this.#ended();
      return;
    }
    this.#isReading = true;
    for (const message of each(this.#codec.read(chunk))) this.#received(message);
    this.#isReading = false;
  }

  #received(message) {
    if (!isInternal(message)) {
      messageCount.received++;
      this.#emit('message', message);
    } else if (message.cmd === 'NODE_HANDLE_ACK' || message.cmd === 'NODE_HANDLE_NACK') {
      this.#acknowledged(message.cmd === 'NODE_HANDLE_ACK');
    } else if (message.cmd === 'NODE_HANDLE') {
      this.#receivedObject(message);
    } else {
      this.#emit('internalMessage', message);
    }
  }

  #receivedObject(message) {
    const fd = this.#handle.takeDescriptor();
    // The answer goes out even when we have nothing: the other side waits for it.
    this.#write({ cmd: fd >= 0 ? 'NODE_HANDLE_ACK' : 'NODE_HANDLE_NACK' });
    const conversion = conversions[message.type];
    if (fd < 0 || conversion === undefined) return;
    const made = conversion.revive(fd, message);
    if (message.type === 'net.Socket' && message.key !== undefined) this.#socketLists().received(message.key, made);
    if (message.type === 'dgram.Socket') {
      made.server.bind(made.handle, () => this.#emit('message', message.msg, made.server));
      return;
    }
    if (message.type !== 'net.Server') {
      this.#emit(isInternal(message.msg) ? 'internalMessage' : 'message', message.msg, made);
      return;
    }
    made.server.listen(made.handle, () => this.#emit('message', message.msg, made.server));
  }

  #emit(event, message, object) {
    process.nextTick(() => {
      if (event === 'message' || this.#target[kChannel] === this) this.#target.emit(event, message, object);
    });
  }

  #socketLists() {
    const { SocketLists } = require('internal/child_process/socket_lists');
    return (this.#lists ??= new SocketLists(this.#target, (message) =>
      this.send(message, undefined, { keepOpen: false, swallowErrors: true }),
    ));
  }

  // ---- sending ----

  send(message, object, options, callback) {
    const entry = { message, object, options, callback, tries: 0 };
    if (object) {
      entry.type = kindOfObject(object);
      if (entry.type === 'net.Socket' && object._handle && object._server?._workers)
        entry.key = this.#socketLists().sending(object._server);
      entry.handle = conversions[entry.type].handleOf(object, options);
      if (!entry.handle) entry.type = undefined;
    }
    if (this.#waiting !== null) {
      arrayPush.call(this.#waiting.queue, entry);
      return this.#waiting.queue.length === 1;
    }
    return this.#sendEntry(entry);
  }

  #sendEntry(entry) {
    const { message, type, handle, callback } = entry;
    const finished = (status) => {
      if (status < 0) this.#failed(new ErrnoException(status, 'write'), callback, entry);
      else if (typeof callback === 'function') callback(null);
    };
    if (type === undefined) return this.#write(message, finished);
    this.#waiting = { queue: [], entry };
    return this.#write(wrapped(entry), finished, handle.fd);
  }

  #write(message, finished, fd) {
    const bytes = this.#codec.encode(message);
    const done = (status) => finished?.(status);
    const status = fd === undefined ? this.#handle.writeBytes(bytes, done) : this.#handle.writeDescriptor(bytes, fd, done);
    if (status <= 0) process.nextTick(done, status);
    return this.#handle.writeQueueSize < kQueueLimit;
  }

  #failed(error, callback, entry) {
    if (typeof callback === 'function') callback(error);
    else if (!entry.options.swallowErrors) this.#target.emit('error', error);
  }

  #acknowledged(received) {
    if (this.#waiting === null) return;
    const { queue, entry } = this.#waiting;
    if (!received && entry.tries++ < kRetries) {
      this.#write(wrapped(entry), undefined, entry.handle.fd);
      return;
    }
    this.#release(entry);
    this.#waiting = null;
    while (queue.length > 0 && this.#waiting === null) {
      this.#sendEntry(arrayShift.call(queue));
      if (this.#waiting !== null) arrayPush.call(this.#waiting.queue, ...each(arraySplice.call(queue, 0)));
    }
    if (this.#waiting === null && this.#pendingDisconnect) this.disconnect();
  }

  #release(entry) {
    if (conversions[entry.type].closesAfterSend && !entry.options.keepOpen) entry.handle.close();
  }

  // ---- the end ----

  disconnect() {
    if (this.#waiting !== null) {
      this.#pendingDisconnect = true;
      return;
    }
    // Messages read together with this go out first.
    if (this.#isReading) setImmediate(() => this.#finish());
    else process.nextTick(() => this.#finish());
  }

  #ended() {
    const { connected } = this.#target;
    this.#target.connected = false;
    if (connected) process.nextTick(() => this.#finish());
    else this.#finish();
  }

  #finish() {
    if (this.#target[kChannel] !== this) return;
    this.#target[kChannel] = null;
    this.#target.channel = null;
    this.#target._channel = null;
    if (this.#waiting) this.#release(this.#waiting.entry);
    this.#handle.close();
    this.#target.emit('disconnect');
    this.#atEnd();
  }
}

function checkMessage(message) {
  if (message === undefined) throw new codes.ERR_MISSING_ARGS('message');
  if (arrayIncludes.call(['string', 'object', 'number', 'boolean'], typeof message)) return;
  throw new codes.ERR_INVALID_ARG_TYPE('message', ['string', 'object', 'number', 'boolean'], message);
}

// Gives `target` its messages. atEnd is called once, when the channel is gone.
function setUpChannel(target, handle, mode, atEnd = () => {}) {
  const codec = require('internal/child_process/codecs').codecOf(mode);
  const channel = new Channel(target, handle, codec, atEnd);
  target[kChannel] = channel;
  target.connected = true;
  target.channel = target._channel = channel.control;

  target.send = function send(message, object, options, callback) {
    if (typeof object === 'function') (callback = object), (object = undefined), (options = undefined);
    else if (typeof options === 'function') (callback = options), (options = undefined);
    else if (options !== undefined) validateObject(options, 'options');
    checkMessage(message);
    if (this.connected) return channel.send(message, object, { keepOpen: false, swallowErrors: false, ...options }, callback);
    const error = new codes.ERR_IPC_CHANNEL_CLOSED();
    if (typeof callback === 'function') process.nextTick(callback, error);
    else process.nextTick(() => this.emit('error', error));
    return false;
  };
  target.disconnect = function disconnect() {
    if (!this.connected) {
      this.emit('error', new codes.ERR_IPC_DISCONNECTED());
      return;
    }
    this.connected = false;
    this._disconnect();
  };
  target._disconnect = () => channel.disconnect();
  return channel.control;
}

// The child's side, at start: the channel keeps it alive only while somebody listens.
function setUpChildChannel() {
  const { NODE_CHANNEL_FD: fd, NODE_CHANNEL_SERIALIZATION_MODE: mode } = process.env;
  delete process.env.NODE_CHANNEL_FD;
  delete process.env.NODE_CHANNEL_SERIALIZATION_MODE;
  validateString(fd, 'NODE_CHANNEL_FD');
  const number = Number.parseInt(fd, 10);
  if (!(number >= 0) || kindOf(number) !== 'pipe') return;
  const handle = new ChannelPipe();
  handle.open(number);
  const control = setUpChannel(process, handle, mode ?? 'json');
  handle.unref();
  const counts = (name) => name === 'message' || name === 'disconnect';
  process.on('newListener', (name) => {
    if (counts(name)) control.refCounted();
  });
  process.on('removeListener', (name) => {
    if (counts(name)) control.unrefCounted();
  });
}

module.exports = { setUpChannel, setUpChildChannel };
