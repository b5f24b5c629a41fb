// natives: net
//
// What socket._handle and server._handle are: the loop's streams and listeners under the names that programs know from Node. A
// handle is open until close(); after that its functions answer EBADF.

'use strict';

const binding = native('net');
require('buffer');  // bytes come as Buffers once it is there
const active = require('internal/process/active_resources');

const kId = Symbol('number of the native handle');
const kOnRead = Symbol('function that the loop calls');
const EBADF = -9;
const ENOTCONN = -107;

let lastAsyncId = 1000;

function addressInto(out, found) {
  if (found === undefined || found[1] === undefined) return ENOTCONN;
  [out.address, out.port, out.family] = found;
  return 0;
}

class Handle {
  #asyncId = ++lastAsyncId;
  constructor() { active.add(this); }
  [active.kResourceName]() { return this.hasRef() ? this.resourceName : undefined; }
  getAsyncId() { return this.#asyncId; }
  getProviderType() { return 0; }
}

class Stream extends Handle {
  constructor(isPipe, withDescriptors = false, id = binding.newStream(isPipe, withDescriptors)) {
    super();
    this[kId] = id;
    this.reading = false;
    this.onread = undefined;
    this[kOnRead] = undefined;
  }

  get fd() { return binding.descriptor(this[kId]); }
  get bytesRead() { return binding.counts(this[kId])?.[0] ?? 0; }
  // Handed over, whether the kernel has it already or not.
  get bytesWritten() {
    const counts = binding.counts(this[kId]);
    return counts === undefined ? 0 : counts[1] + counts[2];
  }
  get writeQueueSize() { return binding.counts(this[kId])?.[2] ?? 0; }

  open(fd) { return binding.open(this[kId], fd); }
  readStart() {
    this.reading = true;
    this[kOnRead] ??= (size, chunk) => this.onread?.(size, chunk);
    return binding.readStart(this[kId], this[kOnRead]);
  }
  readStop() {
    this.reading = false;
    binding.readStop(this[kId]);
    return 0;
  }
  // How many bytes of `view` the kernel takes now, or an errno.
  tryBytes(view) { return binding.tryBytes(this[kId], view); }
  // Writes answer 0 when all is done, 1 when `done(status)` follows, or an errno.
  writeBytes(view, done) { return binding.writeBytes(this[kId], view, done); }
  writeMany(views, done) { return binding.writeMany(this[kId], views, done); }
  writeText(text, isLatin1, done) { return binding.writeText(this[kId], text, isLatin1, done); }
  shutdown(done) { return binding.shutdown(this[kId], done); }
  setBlocking(on) { return binding.setBlocking(this[kId], on); }

  close(callback) {
    const id = this[kId];
    this[kId] = EBADF;
    this.reading = false;
    this.onread = undefined;
    active.remove(this);
    if (id !== EBADF) binding.close(id, callback);
  }
  ref() { binding.setRef(this[kId], true); }
  unref() { binding.setRef(this[kId], false); }
  hasRef() { return binding.hasRef(this[kId]); }
}

class TCP extends Stream {
  constructor() { super(false); }
  bind(address, port) { return binding.bind(this[kId], address, port); }
  connect(address, port, done) { return binding.connect(this[kId], address, port, done); }
  getsockname(out) { return addressInto(out, binding.localAddress(this[kId])); }
  getpeername(out) { return addressInto(out, binding.remoteAddress(this[kId])); }
  setNoDelay(on) { return binding.setNoDelay(this[kId], on); }
  setKeepAlive(on, idle, interval, count) { return binding.setKeepAlive(this[kId], on, idle, interval, count); }
  setTypeOfService(value) { return binding.setTypeOfService(this[kId], value); }
  getTypeOfService() { return binding.typeOfService(this[kId]); }
  // As close(), with RST.
  reset(callback) {
    const id = this[kId];
    this[kId] = EBADF;
    this.reading = false;
    this.onread = undefined;
    active.remove(this);
    return binding.reset(id, callback);
  }
}

class Pipe extends Stream {
  constructor() { super(true); }
  connect(path, port, done) { return binding.connect(this[kId], path, 0, done); }
}

// The two ends of child.send and process.send: messages with a descriptor now and then.
class ChannelPipe extends Stream {
  constructor() { super(true, true); }
  writeDescriptor(view, fd, done) { return binding.writeDescriptor(this[kId], view, fd, done); }
  takeDescriptor() { return binding.takeDescriptor(this[kId]); }
}

// A terminal; `status` is 0, or why it could not be opened.
class TTY extends Stream {
  constructor(fd) {
    const id = binding.newTerminal(fd);
    super(false, false, id < 0 ? EBADF : id);
    this.status = id < 0 ? id : 0;
  }

  setRawMode(on) { return binding.setRawMode(this[kId], on); }
}

// Calls onconnection(status, handle) with a TCP or Pipe for each connection.
class Listener extends Handle {
  constructor(isPipe) {
    super();
    this[kId] = binding.newServer(isPipe);
    this.onconnection = undefined;
  }

  get fd() { return binding.serverDescriptor(this[kId]); }
  // A descriptor from elsewhere: others may accept on it too.
  open(fd) {
    this.share();
    return binding.serverOpen(this[kId], fd);
  }
  share() { binding.serverShare(this[kId]); }
  listen(backlog) {
    return binding.serverListen(this[kId], backlog, (status, fd) => {
      if (status < 0) {
        this.onconnection?.(status);
        return;
      }
      const client = this.makeClient();
      client.open(fd);
      if (this.onconnection) this.onconnection(0, client);
      else client.close();
    });
  }
  close(callback) {
    const id = this[kId];
    this[kId] = EBADF;
    active.remove(this);
    if (id !== EBADF) binding.serverClose(id, callback);
  }
  ref() { binding.serverSetRef(this[kId], true); }
  unref() { binding.serverSetRef(this[kId], false); }
  hasRef() { return binding.serverHasRef(this[kId]); }
}

class TCPListener extends Listener {
  constructor() { super(false); }
  makeClient() { return new TCP(); }
  bind(address, port, ipv6Only, reusePort) { return binding.serverBind(this[kId], address, port, Boolean(ipv6Only), Boolean(reusePort)); }
  getsockname(out) { return addressInto(out, binding.serverAddress(this[kId])); }
}

class PipeListener extends Listener {
  constructor() { super(true); }
  makeClient() { return new Pipe(); }
  bind(path) { return binding.serverBind(this[kId], path, 0); }
}
TCP.prototype.resourceName = 'TCPSocketWrap';
Pipe.prototype.resourceName = ChannelPipe.prototype.resourceName = 'PipeWrap';
TTY.prototype.resourceName = 'TTYWrap';
TCPListener.prototype.resourceName = 'TCPServerWrap';
PipeListener.prototype.resourceName = 'PipeServerWrap';
TCP.prototype.isStreamBase = Pipe.prototype.isStreamBase = true;

module.exports = { ChannelPipe, Listener, Pipe, PipeListener, Stream, TCP, TCPListener, TTY };
