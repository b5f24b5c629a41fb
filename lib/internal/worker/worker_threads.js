// natives: worker
// node:worker_threads: what each part is made of loads when it is first used.
'use strict';

const { isWorker, limits, threadId, threadName } = native('worker');
const { lazyValuesOn } = require('internal/util/lazy_property');

const lazyValue = lazyValuesOn(exports);
const lazy = (name, id) => lazyValue(name, () => require(id)[name], true);

exports.isInternalThread = false;
exports.isMainThread = !isWorker;
lazy('MessagePort', 'internal/messaging/message_channel');
lazy('MessageChannel', 'internal/messaging/message_channel');
lazy('markAsUncloneable', 'internal/messaging/structured_clone');
lazy('markAsUntransferable', 'internal/messaging/structured_clone');
lazy('isMarkedAsUntransferable', 'internal/messaging/structured_clone');
lazy('moveMessagePortToContext', 'internal/messaging/message_channel');
lazy('receiveMessageOnPort', 'internal/messaging/message_channel');
lazy('postMessageToThread', 'internal/worker/threads');
lazyValue('resourceLimits', () => (isWorker ? require('internal/worker/worker').limitsObject(limits) : {}), true);
exports.threadId = threadId;
exports.threadName = threadName;
exports.SHARE_ENV = Symbol.for('nodejs.worker_threads.SHARE_ENV');
lazy('Worker', 'internal/worker/worker');
lazy('parentPort', 'internal/worker/state');
lazy('workerData', 'internal/worker/state');
lazy('BroadcastChannel', 'internal/messaging/broadcast_channel');
lazy('setEnvironmentData', 'internal/worker/environment_data');
lazy('getEnvironmentData', 'internal/worker/environment_data');
lazy('locks', 'internal/worker/locks');
