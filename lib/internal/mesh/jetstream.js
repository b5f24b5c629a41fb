// natives: none
// JetStream over a NatsConnection: its API (JSON over subjects), publications that the server has stored when they resolve, and streams.
// https://docs.nats.io/reference/reference-protocols/nats_api_reference. Requests that a lost server or an election leaves unanswered are
// made again; publications have an id, so that the server stores each once.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { MeshError, kClosed } = require('internal/mesh/errors');
const { now } = require('internal/perf/clock');

const kNanoseconds = 1e6; // in a millisecond
const kApiTimeout = 5000;
const kFirstPause = 20,
  kLongestPause = 1000;
// nats-server 2.9.10 may never answer again when one stream is made twice at the same moment: peers of other processes are asked to be
// there first, for a random time up to this.
const kSpread = 50; // ms
const beingMade = new Map(); // stream => promise of the last of those that make it
const kSilence = 2000, // ms for which a server may refuse without a word
  kBetweenWords = 10_000;

// err_code of the server's answers
const kWrongLastSequence = 10071,
  kNoMessage = 10037,
  kStreamNotFound = 10059,
  kConsumerNotFound = 10014,
  kStreamInUse = 10058,
  kSubjectsOverlap = 10065,
  kTooManyMessages = 10077,
  kTooManyBytes = 10054,
  kNotEnabledForAccount = 10039,
  kNotEnabled = 10076;

// Elections, a server that starts or has gone, a publication with the same id that is not stored yet: the same request may succeed a
// moment later.
const kTemporary = new Set([10005, 10008, 10009, 10023, 10002, 10118, 10110, 10158]);

function apiError({ code, err_code: number, description }) {
  const error = new MeshError(number === kWrongLastSequence ? 'ERR_MESH_REVISION' : 'ERR_MESH_SERVER', `The server says: ${description}`);
  error.errCode = number;
  error.isTemporary = kTemporary.has(number) || (code === 503 && number !== kTooManyBytes);
  return error;
}

// nats-server 2.10 calls a publication a duplicate, with the number 0, of one that it has proposed to the others. They may never get it.
function notStored() {
  const error = new MeshError('ERR_MESH_SERVER', 'The server has not stored the message yet');
  error.isTemporary = true;
  return error;
}

// A peer that may publish to the inbox of this process can answer in the server's place.
function badAnswer(what) {
  return new MeshError('ERR_MESH_BAD_MESSAGE', `An answer of JetStream cannot be read: ${what}`);
}
function isObject(value) {
  return typeof value === 'object' && value !== null;
}
function readAnswer(message) {
  if (message.status === 503) return undefined;
  let answer;
  try {
    answer = message.json();
  } catch (error) {
    throw badAnswer(error.message);
  }
  if (!isObject(answer) || (answer.error !== undefined && !isObject(answer.error))) throw badAnswer('it is of another form');
  return answer;
}
// `object`, of which these fields are objects, and those counts, 0 to 2^53.
function checkFields(object, objects, counts) {
  for (const name of each(objects)) if (!isObject(object[name])) throw badAnswer(`it has no '${name}'`);
  for (const name of each(counts)) if (!Number.isSafeInteger(object[name]) || object[name] < 0) throw badAnswer(`it has no '${name}'`);
  return object;
}

function isTemporary(error) {
  if (error.isTemporary === true) return true;
  return error.code === 'ERR_MESH_TIMEOUT' || error.code === 'ERR_MESH_DISCONNECTED' || error.code === 'ERR_MESH_FULL';
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms * (0.5 + Math.random())));
}

class JetStream {
  #connection;
  #prefix = '$JS.API.';
  #warn;
  #lastWord = -Infinity;
  #hasAnswered = false;

  // warn(error): told now and then while a server refuses what is asked again
  constructor(connection, replicas, warn) {
    this.#connection = connection;
    this.#warn = warn;
    this.replicas = replicas;
  }

  get connection() {
    return this.#connection;
  }

  // Until it succeeds or fails for good; `patience` ms at most, without limit when undefined.
  async persist(attempt, patience, signal) {
    const began = now();
    const deadline = patience === undefined ? Infinity : began + patience;
    for (let wait = kFirstPause; ; wait = Math.min(wait * 2, kLongestPause)) {
      signal?.throwIfAborted();
      try {
        if (!this.#connection.isConnected) await this.#connection.connected();
        return await attempt();
      } catch (error) {
        if (error.code === kClosed || !isTemporary(error) || now() > deadline) throw error;
        if (error.code === 'ERR_MESH_SERVER' && now() - began > kSilence) this.#tell(error);
      }
      await pause(wait);
    }
  }

  // A full disk may stay full. A full queue, which has the same number, is what its program has asked for.
  #tell(error) {
    if (now() - this.#lastWord < kBetweenWords || stringIncludes.call(error.message, 'maximum messages')) return;
    this.#lastWord = now();
    this.#warn(error);
  }

  // One request to the API: the answer as an object.
  async ask(subject, body) {
    const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
    const answer = await this.#connection.request(`${this.#prefix}${subject}`, '', bytes, kApiTimeout, readAnswer);
    return this.#given(answer);
  }

  // The answer, if it is one.
  #given(answer) {
    const number = answer?.error?.err_code;
    if (answer === undefined || number === kNotEnabled || number === kNotEnabledForAccount) throw this.#noJetStream(answer !== undefined);
    this.#hasAnswered = true;
    if (answer.error !== undefined) throw apiError(answer.error);
    return answer;
  }

  // No server has JetStream, or it is away for the moment: it has no leader, or a server has switched it off because its disk is full (its
  // INFO says so, too).
  #noJetStream(isSaid) {
    if (!this.#hasAnswered && (isSaid || !this.#connection.info.jetstream)) {
      return new MeshError('ERR_MESH_NO_JETSTREAM', 'The NATS server has no JetStream: start it with --jetstream');
    }
    const error = new MeshError('ERR_MESH_SERVER', 'JetStream does not answer');
    error.isTemporary = true;
    return error;
  }

  api(subject, body, patience = 30_000) {
    return this.persist(() => this.ask(subject, body), patience);
  }

  get isCluster() {
    return this.#connection.info.cluster !== undefined;
  }

  // nats-server 2.9 in a cluster compares the revision that a write is to follow, other than 0, with what is stored, not with what is under
  // way: of two writes at the same moment it stores both (2.10.27 does not).
  get comparesTooEarly() {
    return this.isCluster && regexpTest.call(/^2\.\d\./, `${this.#connection.info.version}`);
  }

  // One message of a stream, as its leader has it: { seq, subject, header, bytes }; undefined when there is none.
  async message(stream, request) {
    let answer;
    try {
      answer = await this.api(`STREAM.MSG.GET.${stream}`, request);
    } catch (error) {
      if (error.errCode === kNoMessage) return undefined;
      throw error;
    }
    checkFields(answer, ['message'], []);
    const { seq, subject, hdrs, data } = checkFields(answer.message, [], ['seq']);
    for (const text of each([subject, hdrs ?? '', data ?? ''])) if (typeof text !== 'string') throw badAnswer('its message is none');
    const header = hdrs === undefined || hdrs === null ? '' : Buffer.from(hdrs, 'base64').latin1Slice();
    return { seq, subject, header, bytes: Buffer.from(data ?? '', 'base64') };
  }

  // A stream's info: { config, state, … }
  async streamInfo(name, patience) {
    return checkFields(await this.api(`STREAM.INFO.${name}`, undefined, patience), ['config', 'state'], []);
  }

  // The stream of that name, made when there is none: its info. Peers of a process make it one after the other.
  async stream(config) {
    const { name } = config;
    const known = await this.#knownStream(name);
    if (known !== undefined) return known;
    const turn = this.#makeStream(config, beingMade.get(name));
    beingMade.set(name, turn);
    try {
      return await turn;
    } finally {
      if (beingMade.get(name) === turn) beingMade.delete(name);
    }
  }

  async #knownStream(name) {
    try {
      return await this.streamInfo(name);
    } catch (error) {
      if (error.errCode !== kStreamNotFound) throw error;
      return undefined;
    }
  }

  async #makeStream(config, before) {
    try {
      await before;
    } catch {
      // it is told to the one that asked
    }
    await pause(Math.random() * kSpread);
    const known = await this.#knownStream(config.name);
    if (known !== undefined) return known;
    const replicas = this.replicas ?? (this.#connection.info.cluster === undefined ? 1 : 3);
    try {
      return checkFields(await this.api(`STREAM.CREATE.${config.name}`, { ...config, num_replicas: replicas }), ['config', 'state'], []);
    } catch (error) {
      // Another peer makes it at the same moment: a server tells so by the one number or the other.
      if (error.errCode !== kStreamInUse && error.errCode !== kSubjectsOverlap) throw error;
      const made = await this.#knownStream(config.name);
      if (made === undefined) throw error;
      return made;
    }
  }

  consumer(stream, config) {
    const name = config.durable_name;
    return this.api(`CONSUMER.DURABLE.CREATE.${stream}.${name}`, { stream_name: stream, config });
  }

  // Stores bytes: { seq, duplicate }. `header` has its lines without the first; `id` makes it safe to say it twice.
  async publish(subject, header, id, bytes) {
    const text = `NATS/1.0\r\n${header}Nats-Msg-Id: ${id}\r\n\r\n`;
    const answer = this.#given(await this.#connection.request(subject, text, bytes, kApiTimeout, readAnswer));
    if (checkFields(answer, [], ['seq']).seq === 0) throw notStored();
    return answer;
  }
}

module.exports = {
  JetStream,
  checkFields,
  kConsumerNotFound,
  kNanoseconds,
  kTooManyBytes,
  kTooManyMessages,
  isTemporary,
  pause,
};
