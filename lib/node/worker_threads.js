// natives: none
// node:worker_threads, as far as the main thread goes: channels and ports within the thread, structured-clone marks,
// environment data. There is no Worker class yet.
'use strict';

function lazy(name, id, exported = name) {
  Object.defineProperty(exports, name, {
    configurable: true,
    enumerable: true,
    get() { return require(id)[exported]; },
  });
}

const environmentData = new Map();

exports.isInternalThread = false;
exports.isMainThread = true;
lazy('MessagePort', 'web/message_channel');
lazy('MessageChannel', 'web/message_channel');
lazy('markAsUncloneable', 'web/structured_clone');
lazy('markAsUntransferable', 'web/structured_clone');
lazy('isMarkedAsUntransferable', 'web/structured_clone');
lazy('receiveMessageOnPort', 'web/message_channel');
exports.resourceLimits = {};
exports.threadId = 0;
exports.threadName = '';
exports.SHARE_ENV = Symbol.for('nodejs.worker_threads.SHARE_ENV');
exports.parentPort = null;
exports.workerData = null;
lazy('BroadcastChannel', 'web/broadcast_channel');

exports.setEnvironmentData = function setEnvironmentData(key, value) {
  if (value === undefined) environmentData.delete(key);
  else environmentData.set(key, value);
};

exports.getEnvironmentData = function getEnvironmentData(key) {
  return environmentData.get(key);
};
