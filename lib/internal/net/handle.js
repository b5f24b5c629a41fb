// natives: net
//
// Classes of socket._handle and server._handle: the loop's streams and listeners under the names that programs know from Node. A
// handle is open until close(); after that its functions answer EBADF.

'use strict';

const binding = native('net');
const { closedServer, closedStream } = binding; // in the place of a handle after close(): their methods answer EBADF
require('internal/buffer/buffer'); // bytes come as Buffers once it is there
const asyncContext = require('internal/async_hooks/context');
const { LoopHandle, kNative, replaceHandle } = require('internal/net/loop_handle');

const kOnRead = Symbol('function that the loop calls');
const ENOTCONN = -107;

function addressInto(out, found) {
  if (found === undefined || found[1] === undefined) return ENOTCONN;
  [out.address, out.port, out.family] = each(found);
  return 0;
}

// The native half says 0 when all is done and 1 when the rest follows; Node's handles the other way round.
const shutdownStatus = (status) => (status < 0 ? status : 1 - status);

class Stream extends LoopHandle {
  constructor(isPipe, withDescriptors = false, handle = binding.newStream(isPipe, withDescriptors)) {
    super();
    this[kNative] = handle;
    this.reading = false;
    this.onread = undefined;
    this[kOnRead] = undefined;
    this.consumer = undefined;
  }

  get bytesRead() {
    return this[kNative].counts()[0] ?? 0;
  }
  // Handed over, whether the kernel has it already or not.
  get bytesWritten() {
    const counts = this[kNative].counts();
    return typeof counts === 'number' ? 0 : counts[1] + counts[2];
  }
  get writeQueueSize() {
    return this[kNative].counts()[2] ?? 0;
  }

  open(fd) {
    return this[kNative].open(fd);
  }
  readStart() {
    this.reading = true;
    if (this.consumer !== undefined) return this.consumer(this[kNative]);
    this[kOnRead] ??= (size, chunk) => this.onread?.(size, chunk);
    return this[kNative].readStart(this[kOnRead]);
  }
  readStop() {
    this.reading = false;
    this[kNative].readStop();
    return 0;
  }
  // The reader in place of `onread`: a function that starts it on the native handle; undefined: nobody.
  setConsumer(consumer) {
    this.consumer = consumer;
    return this.reading ? this.readStart() : 0;
  }
  // The native handle, for natives that write to it; undefined after close().
  get native() {
    const handle = this[kNative];
    return handle === closedStream ? undefined : handle;
  }
  // How many bytes of `view` the kernel takes now, or an errno. While async hooks are told of resources each write is a request.
  tryBytes(view) {
    return asyncContext.tracker === null ? this[kNative].tryBytes(view) : 0;
  }
  // Writes answer 0 when all is done, 1 when `done(status)` follows, or an errno.
  writeBytes(view, done) {
    return this[kNative].writeBytes(view, done);
  }
  writeMany(views, done) {
    return this[kNative].writeMany(views, done);
  }
  writeText(text, isLatin1, done) {
    return this[kNative].writeText(text, isLatin1, done);
  }
  // 1: all is done; 0: request.oncomplete(status) follows.
  shutdown(request) {
    return shutdownStatus(this[kNative].shutdown((status) => request.oncomplete(status)));
  }
  setBlocking(on) {
    return this[kNative].setBlocking(on);
  }

  close(callback) {
    this.reading = false;
    this.onread = undefined;
    replaceHandle(this, closedStream).close(callback);
  }
}

// Requests are objects of the program's or of lib/; oncomplete(status, handle, request, readable, writable) hears of the end.
function connectTo(handle, request, address, port) {
  return handle[kNative].connect(address, port, (status) => request.oncomplete(status, handle, request, true, true));
}

class TCP extends Stream {
  constructor(connection) {
    super(false, false, connection);
  }
  bind(address, port) {
    return this[kNative].bindTo(address, port);
  }
  connect(request, address, port) {
    return connectTo(this, request, address, port);
  }
  connect6(request, address, port) {
    return connectTo(this, request, address, port);
  }
  getsockname(out) {
    return addressInto(out, this[kNative].localAddress());
  }
  getpeername(out) {
    return addressInto(out, this[kNative].remoteAddress());
  }
  setNoDelay(on) {
    return this[kNative].setNoDelay(on);
  }
  setKeepAlive(on, idle, interval, count) {
    return this[kNative].setKeepAlive(on, idle, interval, count);
  }
  setTypeOfService(value) {
    return this[kNative].setTypeOfService(value);
  }
  getTypeOfService() {
    return this[kNative].typeOfService();
  }
  // As close(), with RST.
  reset(callback) {
    this.reading = false;
    this.onread = undefined;
    return replaceHandle(this, closedStream).reset(callback);
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
    return this[kNative].writeDescriptor(view, fd, done);
  }
  takeDescriptor() {
    return this[kNative].takeDescriptor();
  }
}

// A terminal; `status` is 0, or why it could not be opened.
class TTY extends Stream {
  constructor(fd) {
    const handle = binding.newTerminal(fd);
    const failed = typeof handle === 'number';
    super(false, false, failed ? closedStream : handle);
    this.status = failed ? handle : 0;
  }

  setRawMode(on) {
    return this[kNative].setRawMode(on);
  }
}

// Calls onconnection(status, handle) with a TCP or Pipe for each connection.
class Listener extends LoopHandle {
  constructor(native) {
    super();
    this[kNative] = native;
    this.onconnection = undefined;
  }

  // A descriptor from elsewhere: others may accept on it too.
  open(fd) {
    this.share();
    return this[kNative].open(fd);
  }
  share() {
    this[kNative].share();
  }
  listen(backlog) {
    return this[kNative].listen(backlog, (status, connection) => {
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
    replaceHandle(this, closedServer).close(callback);
  }
}

class TCPListener extends Listener {
  constructor() {
    super(binding.newServer(false));
  }
  makeClient(connection) {
    return new TCP(connection);
  }
  bind(address, port, ipv6Only, reusePort) {
    return this[kNative].bindTo(address, port, Boolean(ipv6Only), Boolean(reusePort));
  }
  getsockname(out) {
    return addressInto(out, this[kNative].address());
  }
}

class PipeListener extends Listener {
  constructor() {
    super(binding.newServer(true));
  }
  makeClient(connection) {
    return new Pipe(connection);
  }
  bind(path) {
    return this[kNative].bindTo(path, 0);
  }
}
TCP.prototype.resourceName = 'TCPSocketWrap';
Pipe.prototype.resourceName = ChannelPipe.prototype.resourceName = 'PipeWrap';
TTY.prototype.resourceName = 'TTYWrap';
TCPListener.prototype.resourceName = 'TCPServerWrap';
PipeListener.prototype.resourceName = 'PipeServerWrap';
TCP.prototype.isStreamBase = Pipe.prototype.isStreamBase = true;

module.exports = { kNative, ChannelPipe, Listener, Pipe, PipeListener, TCP, TCPListener, TTY, shutdownStatus };
