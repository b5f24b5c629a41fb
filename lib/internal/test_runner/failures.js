// natives: none
// The failure types of ERR_TEST_FAILURE, and which errors are of the test runner's own making.
'use strict';

const {
  codes: { ERR_TEST_FAILURE },
} = require('internal/errors/coded');

const types = {
  __proto__: null,
  aborted: 'testAborted',
  callbackAndPromise: 'callbackAndPromisePresent',
  cancelledByParent: 'cancelledByParent',
  expectedFailure: 'expectedFailure',
  hook: 'hookFailed',
  multipleCallbacks: 'multipleCallbackInvocations',
  parentFinished: 'parentAlreadyFinished',
  subtests: 'subtestsFailed',
  testCode: 'testCodeFailure',
  timeout: 'testTimeoutFailure',
};

// The types behind which reporters show the program's own error.
const kUnwrapped = ['testCodeFailure', 'hookFailed', 'uncaughtException', 'unhandledRejection'];
const kCancelling = ['cancelledByParent', 'testAborted', 'testTimeoutFailure'];

const made = new WeakSet();

// Frames of the runner itself say nothing about the test.
const isOurs = (line) => regexpTest.call(/^ {4}at (?:.*\()?node:internal\//, line);

function failure(error, type) {
  const result = new ERR_TEST_FAILURE(error, type);
  const lines = stringSplit.call(result.stack, '\n');
  result.stack = arrayJoin.call(
    arrayFilter.call(lines, (line) => !isOurs(line)),
    '\n',
  );
  made.add(result);
  return result;
}

const isFailure = (error) => typeof error === 'object' && error !== null && made.has(error);
const isUnwrapped = (error) => error?.code === 'ERR_TEST_FAILURE' && arrayIncludes.call(kUnwrapped, error.failureType);
const isCancelling = (type) => arrayIncludes.call(kCancelling, type);

module.exports = { failure, isCancelling, isFailure, isUnwrapped, types };
