// natives: dgram, net
// The loop's datagram socket under the names that programs know from Node's handles.
'use strict';

const binding = native('dgram');
const { isIP } = native('net');
require('internal/buffer/buffer'); // bytes come as Buffers once it is there
const { validateFunction } = require('internal/util/validators');
const {
  codes: { ERR_SOCKET_BAD_TYPE },
} = require('internal/errors/coded');
const { LoopHandle, kNative, replaceHandle } = require('internal/net/loop_handle');

const kState = Symbol('state symbol'); // of a dgram.Socket: its handle is in there

const { kReuseAddress, kIpv6Only, kReusePort } = binding; // flags of bind()

function addressInto(out, found) {
  if (typeof found === 'number') return found;
  [out.address, out.port, out.family] = each(found);
  return 0;
}

class UDP extends LoopHandle {
  constructor() {
    super();
    this[kNative] = binding.newSocket();
    this.onmessage = undefined;
  }

  get resourceName() {
    return 'UDPWrap';
  }
  open(fd) {
    return this[kNative].open(fd);
  }
  bind(address, port, flags) {
    return this[kNative].bindTo(address, port, flags);
  }
  connect(address, port) {
    return this[kNative].connect(address, port);
  }
  disconnect() {
    return this[kNative].disconnect();
  }
  recvStart() {
    return this[kNative].receiveStart((status, bytes, address, family, port) => {
      this.onmessage?.(status, bytes, address, family, port);
    });
  }
  // Another process receives from it, too.
  share() {
    this[kNative].share();
  }
  recvStop() {
    this[kNative].receiveStop();
    return 0;
  }
  // size + 1 when it is sent, 0 when done(status) follows, or an errno
  send(message, address, port, done) {
    return this[kNative].send(message, address, port, done);
  }
  bufferSize(isReceive, size) {
    return this[kNative].bufferSize(isReceive, size);
  }
  getSendQueueSize() {
    return this[kNative].queued()[0] ?? 0;
  }
  getSendQueueCount() {
    return this[kNative].queued()[1] ?? 0;
  }
  getsockname(out) {
    return addressInto(out, this[kNative].localAddress());
  }
  getpeername(out) {
    return addressInto(out, this[kNative].remoteAddress());
  }
  setBroadcast(on) {
    return this[kNative].setBroadcast(on);
  }
  setTTL(hops) {
    return this[kNative].setTtl(hops);
  }
  setMulticastTTL(hops) {
    return this[kNative].setMulticastTtl(hops);
  }
  setMulticastLoopback(on) {
    return this[kNative].setMulticastLoopback(on);
  }
  setMulticastInterface(address) {
    return this[kNative].setMulticastInterface(address);
  }
  addMembership(group, from) {
    return this[kNative].joinGroup(group, from);
  }
  dropMembership(group, from) {
    return this[kNative].leaveGroup(group, from);
  }
  addSourceSpecificMembership(source, group, from) {
    return this[kNative].joinSourceGroup(source, group, from);
  }
  dropSourceSpecificMembership(source, group, from) {
    return this[kNative].leaveSourceGroup(source, group, from);
  }

  close(callback) {
    this.onmessage = undefined;
    replaceHandle(this, binding.closedSocket).close(callback);
  }
}

// An address is its own answer, a tick later.
function defaultLookup(address, family, callback) {
  if (isIP(address) === family) process.nextTick(callback, null, address, family);
  else require('internal/dns/dns').lookup(address, family, callback);
}

// A handle that knows how names of its family are looked up.
function newHandle(type, lookup = defaultLookup) {
  validateFunction(lookup, 'lookup');
  if (type !== 'udp4' && type !== 'udp6') throw new ERR_SOCKET_BAD_TYPE();
  const handle = new UDP();
  const family = type === 'udp4' ? 4 : 6;
  const itself = family === 4 ? '127.0.0.1' : '::1';
  handle.lookup = (address, callback) => lookup(address || itself, family, callback);
  return handle;
}

// For node:cluster: a bound handle, or an errno.
function createBound(address, port, type, fd, flags) {
  const handle = newHandle(type);
  let status = 0;
  if (Number.isInteger(fd) && fd >= 0) status = handle.open(fd);
  else if (port || address) status = handle.bind(address || (type === 'udp6' ? '::' : '0.0.0.0'), port || 0, flags);
  if (status === 0) return handle;
  handle.close();
  return status;
}

module.exports = { UDP, createBound, kIpv6Only, kReuseAddress, kReusePort, kState, newHandle };
