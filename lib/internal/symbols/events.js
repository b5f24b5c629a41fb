// natives: none
// Symbols that EventEmitter, EventTarget and their helpers share.
'use strict';

module.exports = {
  kCapture: Symbol('kCapture'),
  // An error may carry a function that knows a longer story of its stack: internal/errors/coded, enhanceFatalStack.
  kEnhanceStackBeforeInspector: Symbol('kEnhanceStackBeforeInspector'),
  kFirstEventParam: Symbol('nodejs.kFirstEventParam'),
  kMaxEventTargetListeners: Symbol('events.maxEventTargetListeners'),
  kMaxEventTargetListenersWarned: Symbol('events.maxEventTargetListenersWarned'),
  kResistStopPropagation: Symbol('kResistStopPropagation'),
  kWatermarkData: Symbol.for('nodejs.watermarkData'),
};
