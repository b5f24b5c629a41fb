// natives: none
//
// A program that waits for a debugger before it starts (--inspect-brk, --inspect-wait, inspector.waitForDebugger()).

'use strict';

let isWaiting = false;
const listeners = new Set(); // of sessions that are told: () => void

function wait() {
  isWaiting = true;
  for (const tell of each(Array.from(listeners))) tell();
  const { takeSoon, takeWhile } = require('internal/inspector/events');
  takeWhile(() => isWaiting);
  takeSoon();
}

function release() {
  isWaiting = false;
}

module.exports = {
  listeners,
  release,
  wait,
  get isWaiting() {
    return isWaiting;
  },
};
