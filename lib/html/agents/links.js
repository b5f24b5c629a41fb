// natives: none
// A link joins two agents (threads) of a page: an owner, and the worker or frame that it started. Messages on it are between the
// two halves of the library: errors, the end of loading, messages to a window of another origin. Ports have channels of their own
// (html/agents/ports).
'use strict';

let count = 0;

class Link {
  #post;

  // `post(message, transfer list)` brings a message to the other side, if that is there.
  constructor(post) {
    this.#post = post;
    count++;
  }

  send(message, transfer) {
    flushOutput();
    this.#post(message, transfer);
  }

  // The other side has ended.
  end() {
    count--;
  }
}

// Output of this agent comes before what the receiver of a message prints.
function flushOutput() {
  if (count > 0) require('internal/process/object').output.flush();
}

module.exports = { Link, flushOutput };
