// natives: none
// Tells whether the code that called into lib/ lies in a node_modules folder.
// Only for deprecations that spare packages (Buffer()); it walks a stack trace,
// so it is never on a hot path.
'use strict';

function userFrames(stack) {
  const frames = arraySlice.call(stringSplit.call(stack, '\n'), 1);
  const files = [];
  for (const frame of each(frames)) {
    const match = regexpExec.call(/(?:\(|at (?:async )?)(file:\/\/\/?[^)]*|\/[^)]*|[A-Za-z]:\\[^)]*?):\d+:\d+\)?$/, frame);
    if (match !== null) arrayPush.call(files, match[1]);
  }
  return files;
}

function isCalledFromNodeModules() {
  const holder = {};
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.prepareStackTrace = undefined;
  Error.stackTraceLimit = 30;
  captureStackTrace(holder, isCalledFromNodeModules);
  const { stack } = holder;
  Error.stackTraceLimit = stackTraceLimit;
  Error.prepareStackTrace = prepareStackTrace;
  const files = userFrames(String(stack));
  return files.length > 0 && regexpTest.call(/[\\/]node_modules[\\/]/, files[0]);
}

module.exports = { isCalledFromNodeModules };
