// natives: none
// Symbols that EventEmitter, EventTarget and their helpers share.
'use strict';

module.exports = {
  kCapture: Symbol('kCapture'),
  kFirstEventParam: Symbol('nodejs.kFirstEventParam'),
  kMaxEventTargetListeners: Symbol('events.maxEventTargetListeners'),
  kMaxEventTargetListenersWarned: Symbol('events.maxEventTargetListenersWarned'),
  kResistStopPropagation: Symbol('kResistStopPropagation'),
  kWatermarkData: Symbol.for('nodejs.watermarkData'),
};
