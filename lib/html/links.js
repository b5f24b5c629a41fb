// natives: none
// A link joins two agents (threads) of a page: an owner, and the worker or frame that it started. Everything that passes between them goes
// over it, in order: posted messages, messages of ports whose other half is there, broadcasts, reports. While something is under way the
// virtual clock stands.
//
// A port that is transferred over a link keeps its number there: what arrives for the number goes to the port's other half, or onward over
// another link if that half has been transferred, too.
'use strict';

const { loop } = require('html/agent');

const links = new Set();

class Link {
  #post;
  #sides = new Map(); // number of a port → what takes its messages
  #next;
  sent = 0;

  // `post(message, transfer list)` brings a message to the other side and answers false when that has ended; `first` tells the numbers of
  // the two sides' ports apart.
  constructor(post, first) {
    this.#post = post;
    this.#next = first;
    links.add(this);
  }

  send(message, transfer) {
    require('internal/process/object').output.flush(); // what was printed before comes before what the other side prints
    loop.hold(true);
    try {
      if (this.#post(message, transfer)) this.sent++;
      else loop.hold(false);
    } catch (error) {
      loop.hold(false);
      throw error;
    }
  }

  // To be called with everything that arrives; answers whether it was a matter of the link itself.
  receive(message) {
    switch (message.type) {
      case 'port':
        this.#sides.get(message.number)?.(message.wire);
        return true;
      case 'closed port':
        this.#sides.get(message.number)?.(null);
        this.#sides.delete(message.number);
        return true;
      case 'broadcast':
        broadcast(message, this);
        return true;
      default:
        return false;
    }
  }
  // After the tasks that a message brings have been queued.
  arrived() {
    loop.hold(false);
  }

  // A new number, for a port that goes over.
  number(take) {
    const number = this.#next;
    this.#next += 2;
    this.#sides.set(number, take);
    return number;
  }
  // A number that came from the other side.
  take(number, take) {
    this.#sides.set(number, take);
  }
  sendToPort(number, wire, transfer) {
    if (wire === null) this.#sides.delete(number);
    this.send(wire === null ? { type: 'closed port', number } : { type: 'port', number, wire }, transfer);
  }

  // The other side has ended: what it never read is not under way any more.
  end(unread) {
    links.delete(this);
    for (let i = 0; i < unread; i++) loop.hold(false);
    for (const take of each([...each(this.#sides.values())])) take(null);
    this.#sides.clear();
  }
}

let deliverLocally = () => {};

// To all agents but the one that it came from.
function broadcast(message, from) {
  for (const link of each(links)) if (link !== from) link.send(message);
  if (from !== undefined) deliverLocally(message);
}

module.exports = {
  Link,
  broadcast,
  onBroadcast(deliver) {
    deliverLocally = deliver;
  },
};
