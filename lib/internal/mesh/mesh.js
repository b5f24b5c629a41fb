// natives: none
// class Mesh: one connection to a broker, embedded (embedded_broker.js) or on NATS (nats_broker.js), and the features on it. The module
// rondo:mesh has a mesh of its own for each thread, made when first used, as RONDO_MESH says; connect() makes others.
'use strict';

const { EventEmitter } = require('internal/events/events');
const { validateBoolean, validateInteger, validateObject, validateString } = require('internal/util/validators');
const { MeshError, closedError } = require('internal/mesh/errors');
const { Tracing } = require('internal/mesh/trace');

function later(file) {
  return require(`internal/mesh/${file}`);
}

function serversOf(value) {
  if (value === undefined) return undefined;
  const list = Array.isArray(value) ? value : [value];
  const servers = [];
  for (const item of each(list)) {
    validateString(item, 'options.servers');
    for (const one of each(stringSplit.call(item, ','))) if (stringTrim.call(one) !== '') arrayPush.call(servers, stringTrim.call(one));
  }
  if (servers.length === 0) throw new MeshError('ERR_MESH_CONNECT', 'The list of servers is empty');
  return servers;
}

const kTexts = ['user', 'password', 'token', 'nkey', 'credentials', 'storage', 'name'];

function checkOptions(given) {
  validateObject(given, 'options');
  const options = { ...given, servers: serversOf(given.servers) };
  for (const key of each(kTexts)) if (options[key] !== undefined) validateString(options[key], `options.${key}`);
  options.timeout ??= 5000;
  validateInteger(options.timeout, 'options.timeout', 1);
  if (options.replicas !== undefined) validateInteger(options.replicas, 'options.replicas', 1, 5);
  if (options.lease !== undefined) validateInteger(options.lease, 'options.lease', 300);
  if (options.tls === true) options.tls = {};
  if (options.tls === false) options.tls = undefined;
  if (options.tls !== undefined) validateObject(options.tls, 'options.tls');
  if (options.servers !== undefined && options.storage !== undefined) {
    throw new MeshError('ERR_MESH_STORAGE', 'options.storage is for the embedded mesh: NATS servers have a storage of their own');
  }
  if (options.embedded !== undefined) validateBoolean(options.embedded, 'options.embedded');
  return options;
}

// RONDO_MESH: addresses of NATS servers, or file:path, the journal of an embedded mesh.
function optionsOfEnvironment() {
  const { RONDO_MESH: where, RONDO_MESH_CREDENTIALS: credentials, RONDO_MESH_CA: ca } = process.env;
  if (where === undefined || where === '') return {};
  if (stringStartsWith.call(where, 'file:')) return { storage: stringSlice.call(where, 5) };
  const options = { servers: where };
  if (credentials) options.credentials = credentials;
  if (ca) options.tls = { ca: require('internal/fs/fs').readFileSync(ca) };
  return options;
}

// Functions to call when the mesh is closed; soon, when it is closed already: what is begun before a close may get here behind it.
class Closing {
  #ends = new Set();
  #isOver = false;

  add(end) {
    if (this.#isOver) promiseThen(Promise.resolve(), end);
    else this.#ends.add(end);
  }
  delete(end) {
    this.#ends.delete(end);
  }
  end() {
    this.#isOver = true;
    for (const end of each([...each(this.#ends)])) end();
    this.#ends.clear();
  }
}

class Mesh extends EventEmitter {
  #options;
  #opening;
  #broker;
  #starts = []; // what waits for the broker, in order
  #isClosed = false;
  #caller;
  #channels;
  #queues = new Map();
  #stores = new Map();
  #locks;
  #peers;
  #joining;

  constructor(options) {
    super();
    this.#options = options;
    const random = require('internal/crypto/crypto').randomBytes(26).toString('hex');
    this.id = stringSlice.call(random, 0, 12);
    this.closing = new Closing();
    this.tracing = new Tracing(stringSlice.call(random, 12, 20), stringSlice.call(random, 20, 52));
    this.tracing.introduce();
  }

  get broker() {
    return this.#broker;
  }
  get options() {
    return this.#options;
  }
  get isClosed() {
    return this.#isClosed;
  }
  // 'embedded' or 'nats'
  get kind() {
    return this.#options.servers === undefined ? 'embedded' : 'nats';
  }

  // The broker, when it is there.
  ready() {
    if (this.#isClosed) return Promise.reject(closedError());
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open() {
    const options = { ...this.#options, name: this.#options.name ?? `rondo ${process.pid}` };
    const broker =
      this.kind === 'nats'
        ? new (later('nats_broker').NatsBroker)(options, this.id, {
            lost: (error) => this.emit('disconnected', error),
            found: () => this.emit('connected'),
            failed: (error) => this.warn(error),
            recovered: (jobs) => this.emit('recovered', jobs),
          })
        : new (later('embedded_broker').EmbeddedBroker)(options);
    try {
      await broker.open();
    } catch (error) {
      this.#opening = undefined; // the next use tries again
      this.#starts = [];
      throw error;
    }
    if (this.#isClosed) {
      await broker.close();
      throw closedError();
    }
    this.#broker = broker;
    const starts = this.#starts;
    this.#starts = [];
    for (const run of each(starts)) run(broker);
    if (broker.canKeep) promiseThen(this.#join(), undefined, () => {}); // peers() says what is wrong
    return broker;
  }

  // Now, or when there is a broker. That none can be reached is an 'error' of the mesh.
  start(run) {
    if (this.#broker !== undefined) return run(this.#broker);
    if (this.#isClosed) throw closedError();
    arrayPush.call(this.#starts, run);
    if (this.#starts.length === 1) promiseThen(this.ready(), undefined, (error) => this.failed(error));
    return undefined;
  }

  // A failure that no call of the program can be told of.
  failed(error) {
    if (this.#isClosed) return;
    this.emit('error', error);
  }
  // One that needs nobody: of a server while others are tried, or of what a peer wrote.
  warn(error) {
    if (this.listenerCount('warning') > 0) this.emit('warning', error);
  }

  // `promise`, or the error of a mesh that is closed meanwhile.
  untilClosed(promise) {
    return new Promise((resolve, reject) => {
      const onClose = () => reject(closedError());
      this.closing.add(onClose);
      const settle = (end) => (value) => {
        this.closing.delete(onClose);
        end(value);
      };
      promiseThen(promise, settle(resolve), settle(reject));
    });
  }

  // --- features

  channel(name) {
    return new (later('channel').Channel)(this, name);
  }
  joinChannel(name, receive) {
    this.#channels ??= new (later('channel').Channels)(this);
    return this.#channels.open(name, receive);
  }
  call(name, args, options) {
    return this.ask(name, args, options);
  }
  // The same under a name that lib/ may call.
  ask(name, args, options) {
    this.#caller ??= new (later('call').Caller)(this);
    return this.#caller.ask(name, args, options);
  }
  serve(name, handler, options) {
    return later('call').Service.open(this, name, handler, options);
  }
  queue(name, options) {
    const known = this.#queues.get(name);
    if (known !== undefined && options === undefined) return known;
    const queue = new (later('queue').Queue)(this, name, options);
    this.#queues.set(name, queue);
    return queue;
  }

  store(name, options) {
    const known = this.#stores.get(name);
    if (known !== undefined && options === undefined) return known;
    const store = new (later('store').Store)(this, name, options);
    this.#stores.set(name, store);
    return store;
  }
  get #lockManager() {
    return (this.#locks ??= new (later('lock').Locks)(this));
  }
  lock(name, options, callback) {
    return this.#lockManager.request(name, options, callback);
  }
  timer(name, when, handler) {
    return new (later('timer').MeshTimer)(this, this.#lockManager, name, when, handler).start();
  }
  leader(name, options) {
    return later('peers').lead(this.#lockManager, name, options);
  }
  // Those that live: [{ id, host, pid, thread, name, since, isSelf }]
  async peers() {
    await this.ready();
    await this.#join();
    return this.#peers.list();
  }
  #join() {
    if (this.#joining !== undefined) return this.#joining;
    this.#peers = new (later('peers').Peers)(this);
    this.#joining = this.#peers.enter(this.#broker);
    promiseThen(this.#joining, undefined, () => (this.#joining = undefined));
    return this.#joining;
  }

  // Resolves when the broker has everything that was sent before.
  async flush() {
    await (this.#broker ?? (await this.ready())).flush();
  }

  async close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.closing.end();
    await this.#peers?.leave();
    const broker = this.#broker;
    this.#broker = undefined;
    await broker?.close();
  }
  async [Symbol.asyncDispose]() {
    await this.close();
  }
}

// A mesh that is connected.
async function connect(options = {}) {
  const mesh = new Mesh(checkOptions(options));
  await mesh.ready();
  return mesh;
}

// A channel of this thread's mesh for an object that has no need of class Channel: new BroadcastChannel(name, { mesh: true }).
function joinChannel(name, receive) {
  return defaultMesh().joinChannel(name, receive);
}

let ownMesh;
function defaultMesh() {
  return (ownMesh ??= new Mesh(checkOptions(optionsOfEnvironment())));
}

module.exports = { connect, defaultMesh, joinChannel, Mesh, MeshError };
