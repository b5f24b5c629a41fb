// natives: none
// Shared by the controllers of both kinds of readable stream: the source's algorithms, and when to pull. One pull
// at a time; a wish for another meanwhile is remembered. Used by default_controller.js and byte_controller.js.
'use strict';

const { kUndefinedPromise, upon, resolvedWith } = require('internal/webstreams/shared');

const kNoAlgorithm = () => kUndefinedPromise;

// A subclass says when a pull is due (shouldCallPull) and what an error of the source does (fail).
class PullingRecord {
  highWaterMark = 0; // defined, not set: Object.prototype may have a setter

  constructor(stream, pull, cancel, highWaterMark) {
    this.object = null;
    this.stream = stream;
    this.started = false;
    this.closeRequested = false;
    this.pulling = false;
    this.pullAgain = false;
    this.pull = pull;
    this.cancel = cancel;
    this.highWaterMark = highWaterMark;
    this.onPulled = () => {
      this.pulled();
    };
    this.onPullFailed = (error) => {
      this.fail(error);
    };
  }

  callPullIfNeeded() {
    if (!this.shouldCallPull()) return;
    if (this.pulling) {
      this.pullAgain = true;
      return;
    }
    this.pulling = true;
    upon(this.pull(), this.onPulled, this.onPullFailed);
  }

  pulled() {
    this.pulling = false;
    if (!this.pullAgain) return;
    this.pullAgain = false;
    this.callPullIfNeeded();
  }

  // `result` is what the source's start() gave.
  startAfter(result) {
    upon(
      resolvedWith(result),
      () => {
        this.started = true;
        this.callPullIfNeeded();
      },
      this.onPullFailed,
    );
  }

  clearAlgorithms() {
    this.pull = kNoAlgorithm;
    this.cancel = kNoAlgorithm;
  }
}

module.exports = { PullingRecord, kNoAlgorithm };
