// natives: structured_clone
// channel(name): BroadcastChannel's interface over the mesh. A message goes to every other channel of that name in all processes, at most
// once, in the order of its sender. A thread subscribes once for all its channels of a name; what it sent itself it gives to them without
// the broker.
'use strict';

const { decode, encode } = native('structured_clone');
const { EventTarget, defineEventHandler, kCreateEvent, kHybridDispatch } = require('internal/events/event_target');
const { enumerable } = require('internal/events/event');
const { messageEvent } = require('internal/messaging/message_channel');
const { MeshError } = require('internal/mesh/errors');
const { checkName } = require('internal/mesh/names');

// The channels of one thread in one mesh.
class Channels {
  #mesh;
  #names = new Map(); // name -> { members: [Channel], stop }

  constructor(mesh) {
    this.#mesh = mesh;
  }

  add(name, member) {
    const known = this.#names.get(name);
    if (known !== undefined) {
      arrayPush.call(known.members, member);
    } else {
      const entry = { members: [member], stop: undefined };
      this.#names.set(name, entry);
      this.#mesh.start((broker) => {
        if (entry.members.length === 0) return;
        entry.stop = broker.subscribe(`rondo.c.${name}`, undefined, (message) => this.#receive(entry, message));
        broker.hold();
      });
    }
  }

  remove(name, member) {
    const entry = this.#names.get(name);
    arraySplice.call(entry.members, arrayIndexOf.call(entry.members, member), 1);
    if (entry.members.length > 0) return;
    this.#names.delete(name);
    if (entry.stop === undefined) return;
    entry.stop();
    this.#mesh.broker?.release();
  }

  #receive(entry, message) {
    const { from } = message;
    if (from === this.#mesh.id) return;
    const { trace, chunk, bodyAt, end } = message;
    for (const member of each(arraySlice.call(entry.members))) this.#deliver(member, trace, chunk, bodyAt, end);
  }

  #deliver(member, trace, chunk, begin, end) {
    let data,
      type = 'message';
    try {
      data = decode(chunk, begin, end);
    } catch (error) {
      data = new MeshError('ERR_MESH_BAD_MESSAGE', `A message cannot be read: ${error.message}`, { cause: error });
      type = 'messageerror';
    }
    this.#mesh.tracing.run(trace, member, data, type);
  }

  post(name, member, value) {
    const trace = this.#mesh.tracing.current();
    const entry = this.#names.get(name);
    const { broker, id } = this.#mesh;
    if (broker !== undefined && entry.members.length === 1) {
      broker.publish(`rondo.c.${name}`, undefined, trace, value, id);
      return;
    }
    const bytes = encode(value);
    const others = arrayFilter.call(entry.members, (one) => one !== member);
    this.#mesh.start((started) => started.publishBytes(`rondo.c.${name}`, undefined, trace, bytes, id));
    if (others.length > 0) this.#postHere(others, trace, bytes);
  }

  #postHere(members, trace, bytes) {
    setImmediate(() => {
      for (const member of each(members)) if (!member.isClosed) this.#deliver(member, trace, bytes, 0, bytes.length);
    });
  }
}

let stateOf;

class Channel extends EventTarget {
  #state;

  constructor(channels, name) {
    super();
    checkName(name);
    const member = (data, type) => this[kHybridDispatch](data, type, undefined);
    member.isClosed = false;
    this.#state = { channels, name, member };
    channels.add(name, member);
  }

  static {
    stateOf = (channel) => channel.#state;
  }

  get name() {
    return stateOf(this).name;
  }
  postMessage(message) {
    const { channels, name, member } = stateOf(this);
    if (member.isClosed) {
      const { DOMException } = require('internal/errors/dom_exception');
      throw new DOMException('The channel is closed.', 'InvalidStateError');
    }
    channels.post(name, member, message);
  }
  close() {
    const { channels, name, member } = stateOf(this);
    if (member.isClosed) return;
    member.isClosed = true;
    channels.remove(name, member);
  }
  [kCreateEvent](data, type) {
    return messageEvent(type, data);
  }
}

enumerable(Channel.prototype, ['name', 'close', 'postMessage']);
defineEventHandler(Channel.prototype, 'message');
defineEventHandler(Channel.prototype, 'messageerror');

module.exports = { Channel, Channels };
