// natives: none
// The setters of a dgram.Socket: hops, broadcast, multicast, buffers, ref.
'use strict';

const {
  codes: { ERR_MISSING_ARGS, ERR_SOCKET_BAD_BUFFER_SIZE, ERR_SOCKET_BUFFER_SIZE },
} = require('internal/errors/coded');
const { codeOf, messageOf } = require('internal/errors/errno');
const { validateNumber, validateString } = require('internal/util/validators');

// The size that the kernel has, after it has been given one (0: none).
function bufferSize(state, size, isReceive) {
  if (size >>> 0 !== size) throw new ERR_SOCKET_BAD_BUFFER_SIZE();
  const found = state.handle.bufferSize(isReceive, size > 0x7fffffff ? -1 : size);
  if (found >= 0) return found;
  const syscall = isReceive ? 'uv_recv_buffer_size' : 'uv_send_buffer_size';
  throw new ERR_SOCKET_BUFFER_SIZE({ errno: found, code: codeOf(found), message: messageOf(found), syscall });
}

function install(Socket, runningState, check, kState) {
  const { prototype } = Socket;
  const handleOf = (socket) => socket[kState].handle;

  prototype.setBroadcast = function (on) {
    check(handleOf(this).setBroadcast(Boolean(on)), 'setBroadcast');
  };
  prototype.setTTL = function (ttl) {
    validateNumber(ttl, 'ttl');
    check(handleOf(this).setTTL(ttl), 'setTTL');
    return ttl;
  };
  prototype.setMulticastTTL = function (ttl) {
    validateNumber(ttl, 'ttl');
    check(handleOf(this).setMulticastTTL(ttl), 'setMulticastTTL');
    return ttl;
  };
  prototype.setMulticastLoopback = function (on) {
    check(handleOf(this).setMulticastLoopback(Boolean(on)), 'setMulticastLoopback');
    return on;
  };
  prototype.setMulticastInterface = function (address) {
    const { handle } = runningState(this);
    validateString(address, 'interfaceAddress');
    check(handle.setMulticastInterface(address), 'setMulticastInterface');
  };
  for (const name of each(['addMembership', 'dropMembership'])) {
    prototype[name] = {
      [name](multicastAddress, interfaceAddress) {
        const { handle } = runningState(this);
        if (!multicastAddress) throw new ERR_MISSING_ARGS('multicastAddress');
        check(handle[name](multicastAddress, interfaceAddress), name);
      },
    }[name];
  }
  for (const name of each(['addSourceSpecificMembership', 'dropSourceSpecificMembership'])) {
    prototype[name] = {
      [name](sourceAddress, groupAddress, interfaceAddress) {
        const { handle } = runningState(this);
        validateString(sourceAddress, 'sourceAddress');
        validateString(groupAddress, 'groupAddress');
        check(handle[name](sourceAddress, groupAddress, interfaceAddress), name);
      },
    }[name];
  }

  prototype.setRecvBufferSize = function (size) {
    bufferSize(this[kState], size, true);
  };
  prototype.setSendBufferSize = function (size) {
    bufferSize(this[kState], size, false);
  };
  prototype.getRecvBufferSize = function () {
    return bufferSize(this[kState], 0, true);
  };
  prototype.getSendBufferSize = function () {
    return bufferSize(this[kState], 0, false);
  };
  prototype.getSendQueueSize = function () {
    return handleOf(this).getSendQueueSize();
  };
  prototype.getSendQueueCount = function () {
    return handleOf(this).getSendQueueCount();
  };

  prototype.ref = function () {
    handleOf(this)?.ref();
    return this;
  };
  prototype.unref = function () {
    handleOf(this)?.unref();
    return this;
  };
}

module.exports = { bufferSize, install };
