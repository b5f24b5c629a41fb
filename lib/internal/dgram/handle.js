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
const active = require('internal/async_hooks/active_resources');

const kNative = Symbol('native handle');
const kState = Symbol('state symbol'); // of a dgram.Socket: its handle is in there

const { kReuseAddress, kIpv6Only, kReusePort } = binding; // flags of bind()

function addressInto(out, found) {
  if (typeof found === 'number') return found;
  [out.address, out.port, out.family] = each(found);
  return 0;
}

class UDP {
  constructor() {
    this[kNative] = binding.newSocket();
    this.onmessage = undefined;
    active.add(this);
  }

  [active.kResourceName]() {
    return this.hasRef() ? 'UDPWrap' : undefined;
  }
  getAsyncId() {
    return binding.asyncRecord(this[kNative])?.asyncId ?? 0;
  }
  get fd() {
    return binding.descriptor(this[kNative]);
  }
  open(fd) {
    return binding.open(this[kNative], fd);
  }
  bind(address, port, flags) {
    return binding.bind(this[kNative], address, port, flags);
  }
  connect(address, port) {
    return binding.connect(this[kNative], address, port);
  }
  disconnect() {
    return binding.disconnect(this[kNative]);
  }
  recvStart() {
    return binding.receiveStart(this[kNative], (status, bytes, address, family, port) => {
      this.onmessage?.(status, bytes, address, family, port);
    });
  }
  // Another process receives from it, too.
  share() {
    binding.share(this[kNative]);
  }
  recvStop() {
    binding.receiveStop(this[kNative]);
    return 0;
  }
  // size + 1 when it is sent, 0 when done(status) follows, or an errno
  send(message, address, port, done) {
    return binding.send(this[kNative], message, address, port, done);
  }
  bufferSize(isReceive, size) {
    return binding.bufferSize(this[kNative], isReceive, size);
  }
  getSendQueueSize() {
    return binding.queued(this[kNative])[0];
  }
  getSendQueueCount() {
    return binding.queued(this[kNative])[1];
  }
  getsockname(out) {
    return addressInto(out, binding.localAddress(this[kNative]));
  }
  getpeername(out) {
    return addressInto(out, binding.remoteAddress(this[kNative]));
  }
  setBroadcast(on) {
    return binding.setBroadcast(this[kNative], on);
  }
  setTTL(hops) {
    return binding.setTtl(this[kNative], hops);
  }
  setMulticastTTL(hops) {
    return binding.setMulticastTtl(this[kNative], hops);
  }
  setMulticastLoopback(on) {
    return binding.setMulticastLoopback(this[kNative], on);
  }
  setMulticastInterface(address) {
    return binding.setMulticastInterface(this[kNative], address);
  }
  addMembership(group, from) {
    return binding.joinGroup(this[kNative], group, from);
  }
  dropMembership(group, from) {
    return binding.leaveGroup(this[kNative], group, from);
  }
  addSourceSpecificMembership(source, group, from) {
    return binding.joinSourceGroup(this[kNative], source, group, from);
  }
  dropSourceSpecificMembership(source, group, from) {
    return binding.leaveSourceGroup(this[kNative], source, group, from);
  }

  close(callback) {
    const handle = this[kNative];
    this[kNative] = undefined;
    this.onmessage = undefined;
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
