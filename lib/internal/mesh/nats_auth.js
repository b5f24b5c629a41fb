// natives: none
// How a client proves itself to a NATS server: user and password, a token, an NKey seed, or a credentials file (a JWT and a seed).
// https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { MeshError } = require('internal/mesh/errors');

const kAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const kSeedPrefix = 18 << 3,
  kUserPrefix = 20 << 3;

function badKey(why) {
  return new MeshError('ERR_MESH_CREDENTIALS', `The NKey seed cannot be used: ${why}`);
}

function fromBase32(text) {
  const bytes = [];
  let bits = 0,
    value = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = stringIndexOf.call(kAlphabet, text[i]);
    if (digit < 0) throw badKey('it is not base32');
    value = ((value << 5) | digit) & 0xffff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      arrayPush.call(bytes, (value >> bits) & 0xff);
    }
  }
  return Buffer.from(bytes);
}

function toBase32(bytes) {
  let text = '',
    bits = 0,
    value = 0;
  for (let i = 0; i < bytes.length; i++) {
    value = ((value << 8) | bytes[i]) & 0xffff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += kAlphabet[(value >> bits) & 31];
    }
  }
  return bits > 0 ? text + kAlphabet[(value << (5 - bits)) & 31] : text;
}

// CRC-16/XMODEM
function crc16(bytes) {
  let crc = 0;
  for (let i = 0; i < bytes.length; i++) {
    crc ^= bytes[i] << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}

class UserKey {
  #key;

  constructor(seed) {
    const raw = fromBase32(stringTrim.call(`${seed}`));
    if (raw.length !== 36 || (raw[0] & 0xf8) !== kSeedPrefix) throw badKey('it is no seed (one begins with "SU")');
    const body = raw.subarray(0, 34);
    if (raw.readUInt16LE(34) !== crc16(body)) throw badKey('its checksum is wrong');
    const prefix = ((raw[0] & 7) << 5) | ((raw[1] & 0xf8) >> 3);
    if (prefix !== kUserPrefix) throw badKey('it is not of a user');
    const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), raw.subarray(2, 34)]);
    this.#key = require('internal/crypto/crypto').createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  }

  get name() {
    const { createPublicKey } = require('internal/crypto/crypto');
    const der = createPublicKey(this.#key).export({ format: 'der', type: 'spki' });
    const body = Buffer.concat([Buffer.from([kUserPrefix]), der.subarray(der.length - 32)]);
    const sum = Buffer.alloc(2);
    sum.writeUInt16LE(crc16(body), 0);
    return toBase32(Buffer.concat([body, sum]));
  }

  sign(nonce) {
    return require('internal/crypto/crypto').sign(null, Buffer.from(nonce), this.#key).toString('base64url');
  }
}

function section(text, title) {
  const found = regexpExec.call(new RegExp(`-{3,}BEGIN ${title}-{3,}\\s*([A-Za-z0-9._=-]+?)\\s*-{3,}END`), text);
  return found === null ? undefined : found[1];
}

function readCredentials(path) {
  let text;
  try {
    text = require('internal/fs/fs').readFileSync(path, 'utf8');
  } catch (cause) {
    throw new MeshError('ERR_MESH_CREDENTIALS', `The credentials file cannot be read: ${cause.message}`, { cause });
  }
  const jwt = section(text, 'NATS USER JWT');
  const seed = section(text, 'USER NKEY SEED');
  if (jwt === undefined || seed === undefined) {
    throw new MeshError('ERR_MESH_CREDENTIALS', `'${path}' is no credentials file: it needs a JWT and an NKey seed`);
  }
  return { jwt, key: new UserKey(seed) };
}

// A function that gives the fields of CONNECT, for the server's nonce and the server's entry in the list of URLs.
function authenticator(options) {
  const credentials = options.credentials === undefined ? undefined : readCredentials(options.credentials);
  const key = options.nkey === undefined ? undefined : new UserKey(options.nkey);
  return (nonce, server) => {
    const fields = {};
    if (credentials !== undefined) {
      fields.jwt = credentials.jwt;
      fields.sig = credentials.key.sign(nonce ?? '');
    } else if (key !== undefined) {
      fields.nkey = key.name;
      fields.sig = key.sign(nonce ?? '');
    }
    const user = server.user ?? options.user;
    const password = server.password ?? options.password;
    const token = server.token ?? options.token;
    if (user !== undefined) fields.user = user;
    if (password !== undefined) fields.pass = password;
    if (token !== undefined) fields.auth_token = token;
    return fields;
  };
}

module.exports = { authenticator, UserKey };
