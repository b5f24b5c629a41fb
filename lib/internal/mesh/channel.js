// natives: ledger, messaging, structured_clone
// channel(name): BroadcastChannel's interface over the mesh. A message goes to every other channel of that name in all processes, at most
// once, in the order of its sender. A thread subscribes once for all its channels of a name; what it sent itself it gives to them without
// the broker. In the embedded mesh a channel is a member of a group of mailboxes, as a BroadcastChannel is.
'use strict';

const binding = native('messaging');
const ledger = native('ledger');
const { decode, encode } = native('structured_clone');
const { EventTarget, defineEventHandler, kCreateEvent, kHybridDispatch } = require('internal/events/event_target');
const { enumerable } = require('internal/events/event');
const { messageEvent, refPort, unrefPort } = require('internal/messaging/message_channel');
const { kClosed, kReceive } = require('internal/symbols/messaging');
const { MeshError, closedError } = require('internal/mesh/errors');
const { checkName } = require('internal/mesh/names');

function badMessage(error) {
  return new MeshError('ERR_MESH_BAD_MESSAGE', `A message cannot be read: ${error.message}`, { cause: error });
}

// A channel of the embedded mesh: messages are the value; [value], when that is an array; while tasks are recorded, [value, traceparent].
class GroupMember {
  #mesh;
  #receive;
  #handle;
  #isClosed = false;

  constructor(mesh, name, receive) {
    this.#mesh = mesh;
    this.#receive = receive;
    this.#handle = binding.meshGroup(name);
    this.#handle.setOwner(this);
    refPort(this.#handle);
    this.#handle.start();
    mesh.closing.add(this.close);
    mesh.start(() => {}); // so that others find this thread among the peers
  }
  post(value) {
    if (this.#mesh.isClosed) throw closedError();
    if (ledger.enabled) this.#handle.postPlain([value, this.#mesh.tracing.current()], 1);
    else if (Array.isArray(value)) this.#handle.postPlain([value], 1);
    else this.#handle.postPlain(value, 0);
  }
  [kReceive](message, type) {
    if (type === 'messageerror') this.#receive(badMessage(message), type);
    else if (!Array.isArray(message)) this.#callReceive(message, type);
    else if (message.length === 1) this.#callReceive(message[0], type);
    else this.#mesh.tracing.run(message[1], this.#receive, message[0], type);
  }
  #callReceive(value, type) {
    const receive = this.#receive;
    receive(value, type);
  }
  [kClosed]() {}
  ref() {
    if (!this.#isClosed) refPort(this.#handle);
  }
  unref() {
    unrefPort(this.#handle);
  }
  close = () => {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#mesh.closing.delete(this.close);
    this.#handle.stop();
    unrefPort(this.#handle);
    this.#handle.close();
  };
}

// The channels of one thread in one mesh.
class Channels {
  #mesh;
  #names = new Map(); // name -> { members: [Channel], stop }

  constructor(mesh) {
    this.#mesh = mesh;
  }

  // { post(value), close(), ref(), unref() }: receive(data, type) gets what others send.
  open(name, receive) {
    checkName(name);
    if (this.#mesh.kind === 'embedded') return new GroupMember(this.#mesh, name, receive);
    const member = { receive, isClosed: false, isRef: false };
    const entry = this.#names.get(name) ?? this.#subscribe(name);
    arrayPush.call(entry.members, member);
    this.#ref(member);
    return {
      post: (value) => this.#post(name, entry, member, value),
      close: () => this.#remove(name, entry, member),
      ref: () => this.#ref(member),
      unref: () => this.#unref(member),
    };
  }

  #subscribe(name) {
    const entry = { members: [], stop: undefined };
    this.#names.set(name, entry);
    this.#mesh.start((broker) => {
      if (this.#names.get(name) !== entry) return; // closed meanwhile
      entry.stop = broker.subscribe(`rondo.c.${name}`, undefined, (message) => this.#receive(entry, message));
    });
    return entry;
  }

  #ref(member) {
    if (member.isRef || member.isClosed) return;
    member.isRef = true;
    this.#mesh.start((broker) => broker.hold());
  }
  #unref(member) {
    if (!member.isRef) return;
    member.isRef = false;
    if (!this.#mesh.isClosed) this.#mesh.start((broker) => broker.release());
  }

  #remove(name, entry, member) {
    if (member.isClosed) return;
    this.#unref(member);
    member.isClosed = true;
    arraySplice.call(entry.members, arrayIndexOf.call(entry.members, member), 1);
    if (entry.members.length > 0) return;
    this.#names.delete(name);
    entry.stop?.();
  }

  #receive(entry, message) {
    const { from } = message;
    if (from === this.#mesh.id) return undefined;
    const { trace, chunk, bodyAt, end } = message;
    const { members } = entry;
    if (members.length === 1) return this.#deliver(members[0], trace, chunk, bodyAt, end);
    for (const member of each(arraySlice.call(members))) this.#deliver(member, trace, chunk, bodyAt, end);
    return undefined;
  }

  #deliver(member, trace, chunk, begin, end) {
    let data,
      type = 'message';
    try {
      data = decode(chunk, begin, end);
    } catch (error) {
      data = badMessage(error);
      type = 'messageerror';
    }
    this.#mesh.tracing.run(trace, member.receive, data, type);
  }

  #post(name, entry, member, value) {
    const trace = this.#mesh.tracing.current();
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

  constructor(mesh, name) {
    super();
    checkName(name);
    this.#state = { name, line: mesh.joinChannel(name, (data, type) => this[kHybridDispatch](data, type, undefined)), isClosed: false };
  }

  static {
    stateOf = (channel) => channel.#state;
  }

  get name() {
    return stateOf(this).name;
  }
  postMessage(message) {
    const { line, isClosed } = stateOf(this);
    if (isClosed) {
      const { DOMException } = require('internal/errors/dom_exception');
      throw new DOMException('The channel is closed.', 'InvalidStateError');
    }
    line.post(message);
  }
  close() {
    const state = stateOf(this);
    if (state.isClosed) return;
    state.isClosed = true;
    state.line.close();
  }
  // Whether it keeps the loop alive; at first it does.
  ref() {
    stateOf(this).line.ref();
    return this;
  }
  unref() {
    stateOf(this).line.unref();
    return this;
  }
  [kCreateEvent](data, type) {
    return messageEvent(type, data);
  }
}

enumerable(Channel.prototype, ['name', 'close', 'postMessage']);
defineEventHandler(Channel.prototype, 'message');
defineEventHandler(Channel.prototype, 'messageerror');

module.exports = { Channel, Channels };
