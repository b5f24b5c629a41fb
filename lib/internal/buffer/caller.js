// natives: none
// Tells whether the code that called into lib/ lies in a node_modules folder.
// Only for deprecations that spare packages (Buffer()); it walks a stack trace,
// so it is never on a hot path.
'use strict';

function userFrames(stack) {
  const frames = stack.split('\n').slice(1);
  const files = [];
  for (const frame of each(frames)) {
    const match = /(?:\(|at (?:async )?)(file:\/\/\/?[^)]*|\/[^)]*|[A-Za-z]:\\[^)]*?):\d+:\d+\)?$/.exec(frame);
    if (match !== null) files.push(match[1]);
  }
  return files;
}

function isCalledFromNodeModules() {
  const holder = {};
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.prepareStackTrace = undefined;
  Error.stackTraceLimit = 30;
  Error.captureStackTrace(holder, isCalledFromNodeModules);
  const { stack } = holder;
  Error.stackTraceLimit = stackTraceLimit;
  Error.prepareStackTrace = prepareStackTrace;
  const files = userFrames(String(stack));
  return files.length > 0 && /[\\/]node_modules[\\/]/.test(files[0]);
}

module.exports = { isCalledFromNodeModules };
