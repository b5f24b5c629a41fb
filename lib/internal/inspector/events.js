// natives: inspector
//
// Events of the server, as this thread takes them: when the loop wakes, when the program's JavaScript is interrupted, or while the program
// is stopped or waits for a debugger. internal/inspector/server takes those of connections, internal/inspector/threads those of threads.

'use strict';

const binding = native('inspector');

let onServer, onThread;
let isTaking = false;

function startServer(handler) {
  onServer = handler;
  binding.onEvents(takeAll);
}

function startThreads(handler) {
  onThread = handler;
  binding.onEvents(takeAll);
}

function handle(kind, number, text) {
  if (kind <= binding.kDisconnect) onServer?.(kind, number, text);
  else onThread?.(kind, number, text);
}

// An interrupt that comes while messages are being handled already does nothing: messages that wait are taken when that is done.
function takeAll() {
  if (isTaking) return;
  do {
    isTaking = true;
    try {
      for (let event = binding.takeEvent(); event !== undefined; event = binding.takeEvent()) handle(event[0], event[1], event[2]);
    } finally {
      isTaking = false;
    }
  } while (binding.hasEvents());
}

// Waits for events and handles them as long as `goesOn()`. An interrupt in between takes none, or the event that ends this might be gone;
// the caller asks for another when it is done (takeSoon).
function takeWhile(goesOn) {
  const before = isTaking;
  isTaking = true;
  try {
    while (goesOn()) {
      const event = binding.waitEvent();
      if (event === undefined) return; // the thread is to end
      handle(event[0], event[1], event[2]);
    }
  } finally {
    isTaking = before;
  }
}

// Events that came at the end of takeWhile() are taken by the next interrupt, since the program may run for long before its loop wakes.
function takeSoon() {
  if (binding.hasEvents()) binding.interrupt();
}

module.exports = { startServer, startThreads, takeSoon, takeWhile };
