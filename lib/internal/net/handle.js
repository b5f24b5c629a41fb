// natives: net
//
// Classes of socket._handle and server._handle: the loop's streams and listeners under the names that programs know from Node. A
// handle is open until close(); after that its functions answer EBADF.

'use strict';

const binding = native('net');
require('internal/buffer/buffer'); // bytes come as Buffers once it is there
const active = require('internal/async_hooks/active_resources');
const asyncContext = require('internal/async_hooks/context');

const kNative = Symbol('native handle');
const kOnRead = Symbol('function that the loop calls');
const ENOTCONN = -107;

function addressInto(out, found) {
  if (found === undefined || found[1] === undefined) return ENOTCONN;
  [out.address, out.port, out.family] = each(found);
  return 0;
}

class Handle {
  constructor() {
    active.add(this);
  }
  [active.kResourceName]() {
    return this.hasRef() ? this.resourceName : undefined;
  }
  getAsyncId() {
    return binding.asyncRecord(this[kNative])?.asyncId ?? 0;
  }
  getProviderType() {
    return 0;
  }
}

// The native half says 0 when all is done and 1 when the rest follows; Node's handles the other way round.
const shutdownStatus = (status) => (status < 0 ? status : 1 - status);

class Stream extends Handle {
  constructor(isPipe, withDescriptors = false, handle = binding.newStream(isPipe, withDescriptors)) {
    super();
    this[kNative] = handle;
    this.reading = false;
    this.onread = undefined;
    this[kOnRead] = undefined;
    this.consumer = undefined;
  }

  get fd() {
    return binding.descriptor(this[kNative]);
  }
  get bytesRead() {
    return binding.counts(this[kNative])?.[0] ?? 0;
  }
  // Handed over, whether the kernel has it already or not.
  get bytesWritten() {
    const counts = binding.counts(this[kNative]);
    return counts === undefined ? 0 : counts[1] + counts[2];
  }
  get writeQueueSize() {
    return binding.counts(this[kNative])?.[2] ?? 0;
  }

  open(fd) {
    return binding.open(this[kNative], fd);
  }
  readStart() {
    this.reading = true;
    if (this.consumer !== undefined) return this.consumer(this[kNative]);
    this[kOnRead] ??= (size, chunk) => this.onread?.(size, chunk);
    return binding.readStart(this[kNative], this[kOnRead]);
  }
  readStop() {
    this.reading = false;
    binding.readStop(this[kNative]);
    return 0;
  }
  // The reader in place of `onread`: a function that starts it on the native handle; undefined: nobody.
  setConsumer(consumer) {
    this.consumer = consumer;
    return this.reading ? this.readStart() : 0;
  }
  // The native handle, for natives that write to it.
  get native() {
    return this[kNative];
  }
  // How many bytes of `view` the kernel takes now, or an errno. While async hooks are told of resources each write is a request.
  tryBytes(view) {
    return asyncContext.tracker === null ? binding.tryBytes(this[kNative], view) : 0;
  }
  // Writes answer 0 when all is done, 1 when `done(status)` follows, or an errno.
  writeBytes(view, done) {
    return binding.writeBytes(this[kNative], view, done);
  }
  writeMany(views, done) {
    return binding.writeMany(this[kNative], views, done);
  }
  writeText(text, isLatin1, done) {
    return binding.writeText(this[kNative], text, isLatin1, done);
  }
  // 1: all is done; 0: request.oncomplete(status) follows.
  shutdown(request) {
    return shutdownStatus(binding.shutdown(this[kNative], (status) => request.oncomplete(status)));
  }
  setBlocking(on) {
    return binding.setBlocking(this[kNative], on);
  }

  close(callback) {
    const handle = this[kNative];
    this[kNative] = undefined;
    this.reading = false;
    this.onread = undefined;
    active.remove(this);
    if (handle !== undefined) binding.close(handle, callback);
  }
  ref() {
    binding.setRef(this[kNative], true);
  }
  unref() {
    binding.setRef(this[kNative], false);
  }
  hasRef() {
    return binding.hasRef(this[kNative]);
  }
}

// Requests are objects of the program's or of lib/; oncomplete(status, handle, request, readable, writable) hears of the end.
function connectTo(handle, request, address, port) {
  return binding.connect(handle[kNative], address, port, (status) => request.oncomplete(status, handle, request, true, true));
}

class TCP extends Stream {
  constructor(connection) {
    super(false, false, connection);
  }
  bind(address, port) {
    return binding.bind(this[kNative], address, port);
  }
  connect(request, address, port) {
    return connectTo(this, request, address, port);
  }
  connect6(request, address, port) {
    return connectTo(this, request, address, port);
  }
  getsockname(out) {
    return addressInto(out, binding.localAddress(this[kNative]));
  }
  getpeername(out) {
    return addressInto(out, binding.remoteAddress(this[kNative]));
  }
  setNoDelay(on) {
    return binding.setNoDelay(this[kNative], on);
  }
  setKeepAlive(on, idle, interval, count) {
    return binding.setKeepAlive(this[kNative], on, idle, interval, count);
  }
  setTypeOfService(value) {
    return binding.setTypeOfService(this[kNative], value);
  }
  getTypeOfService() {
    return binding.typeOfService(this[kNative]);
  }
  // As close(), with RST.
  reset(callback) {
    const handle = this[kNative];
    this[kNative] = undefined;
    this.reading = false;
    this.onread = undefined;
    active.remove(this);
    return binding.reset(handle, callback);
  }
}

class Pipe extends Stream {
  constructor(connection) {
    super(true, false, connection);
  }
  connect(request, path) {
    return connectTo(this, request, path, 0);
  }
}

// The two ends of child.send and process.send: messages with a descriptor now and then.
class ChannelPipe extends Stream {
  constructor(connection) {
    super(true, true, connection);
  }
  writeDescriptor(view, fd, done) {
    return binding.writeDescriptor(this[kNative], view, fd, done);
  }
  takeDescriptor() {
    return binding.takeDescriptor(this[kNative]);
  }
}

// A terminal; `status` is 0, or why it could not be opened.
class TTY extends Stream {
  constructor(fd) {
    const handle = binding.newTerminal(fd);
    const failed = typeof handle === 'number';
    super(false, false, failed ? null : handle);
    this.status = failed ? handle : 0;
  }

  setRawMode(on) {
    return binding.setRawMode(this[kNative], on);
  }
}

// Calls onconnection(status, handle) with a TCP or Pipe for each connection.
class Listener extends Handle {
  constructor(isPipe) {
    super();
    this[kNative] = binding.newServer(isPipe);
    this.onconnection = undefined;
  }

  get fd() {
    return binding.serverDescriptor(this[kNative]);
  }
  // A descriptor from elsewhere: others may accept on it too.
  open(fd) {
    this.share();
    return binding.serverOpen(this[kNative], fd);
  }
  share() {
    binding.serverShare(this[kNative]);
  }
  listen(backlog) {
    return binding.serverListen(this[kNative], backlog, (status, connection) => {
      if (status < 0) {
        this.onconnection?.(status);
        return;
      }
      const client = this.makeClient(connection);
      if (this.onconnection) this.onconnection(0, client);
      else client.close();
    });
  }
  close(callback) {
    const handle = this[kNative];
    this[kNative] = undefined;
    active.remove(this);
    if (handle !== undefined) binding.serverClose(handle, callback);
  }
  ref() {
    binding.serverSetRef(this[kNative], true);
  }
  unref() {
    binding.serverSetRef(this[kNative], false);
  }
  hasRef() {
    return binding.serverHasRef(this[kNative]);
  }
}

class TCPListener extends Listener {
  constructor() {
    super(false);
  }
  makeClient(connection) {
    return new TCP(connection);
  }
  bind(address, port, ipv6Only, reusePort) {
    return binding.serverBind(this[kNative], address, port, Boolean(ipv6Only), Boolean(reusePort));
  }
  getsockname(out) {
    return addressInto(out, binding.serverAddress(this[kNative]));
  }
}

class PipeListener extends Listener {
  constructor() {
    super(true);
  }
  makeClient(connection) {
    return new Pipe(connection);
  }
  bind(path) {
    return binding.serverBind(this[kNative], path, 0);
  }
}
TCP.prototype.resourceName = 'TCPSocketWrap';
Pipe.prototype.resourceName = ChannelPipe.prototype.resourceName = 'PipeWrap';
TTY.prototype.resourceName = 'TTYWrap';
TCPListener.prototype.resourceName = 'TCPServerWrap';
PipeListener.prototype.resourceName = 'PipeServerWrap';
TCP.prototype.isStreamBase = Pipe.prototype.isStreamBase = true;

module.exports = { kNative, ChannelPipe, Listener, Pipe, PipeListener, TCP, TCPListener, TTY, shutdownStatus };
