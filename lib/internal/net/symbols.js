// natives: none
// Private symbols of internal/net on a Socket.
'use strict';

module.exports = {
  kAdoptListener: Symbol('the listening handle of a bound socket'),
  kAdoptStream: Symbol('the connecting handle of a bound socket'),
  kBuffer: Symbol('options.onread.buffer'),
  kBufferCallback: Symbol('options.onread.callback'),
  kBytesRead: Symbol('bytes read by a closed handle'),
  kBytesWritten: Symbol('bytes written by a closed handle'),
  // Programs look for the next four, and for kNoDelay, by their descriptions.
  kKeepAlive: Symbol('kSetKeepAlive'),
  kKeepAliveDelay: Symbol('kSetKeepAliveInitialDelay'),
  kKeepAliveInterval: Symbol('kSetKeepAliveInterval'),
  kKeepAliveCount: Symbol('kSetKeepAliveCount'),
  kLastQueueSize: Symbol('bytes queued when the write began'),
  kRenewHandle: Symbol('the next attempt to connect has a handle of its own'),
  kNextBuffer: Symbol('what options.onread.buffer() has answered for the next piece'),
  kNoDelay: Symbol('kSetNoDelay'),
  kTimeout: Symbol('timeout'),
  kTypeOfService: Symbol('type of service as last set'),
  kUndelivered: Symbol('bytes that wait while options.onread is paused'),
  kWriting: Symbol('callback of the write under way'),
};
