// natives: none
// Base of the classes of socket._handle and server._handle (internal/net/handle, internal/dgram/handle): the native half under
// kNative, whose place a closed one takes, and a name among the active resources.
'use strict';

const active = require('internal/async_hooks/active_resources');

const kNative = Symbol('native handle');

class LoopHandle {
  constructor() {
    active.add(this);
  }
  [active.kResourceName]() {
    return this.hasRef() ? this.resourceName : undefined;
  }
  getAsyncId() {
    return this[kNative].asyncRecord?.()?.asyncId ?? 0;
  }
  getProviderType() {
    return 0;
  }
  get fd() {
    return Math.max(this[kNative].descriptor(), -1);
  }
  ref() {
    this[kNative].setRef(true);
  }
  unref() {
    this[kNative].setRef(false);
  }
  hasRef() {
    return this[kNative].hasRef() === true;
  }
}

// The native half, in whose place is `closed` from now on: its methods answer EBADF.
function replaceHandle(handle, closed) {
  const open = handle[kNative];
  handle[kNative] = closed;
  active.remove(handle);
  return open;
}

module.exports = { LoopHandle, kNative, replaceHandle };
