// natives: crypto_hash
//
// Digests of any length for crypto.subtle: cSHAKE, TurboSHAKE and KangarooTwelve.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const hashes = native('crypto_hash');
const { firstBits, notSupported, operation, operationError } = require('internal/webcrypto/support');

const kMostCustomization = 512;
const kMostBytes = 2 ** 28;
// Names that the Standard has given away; any other would make an own function of it.
const functionNames = ['', 'KMAC', 'TupleHash', 'ParallelHash'];

function argumentsFor({ name, functionName, customization, domainSeparation = 0x1f }) {
  const strength = Number(stringSlice.call(name, -3));
  if (stringStartsWith.call(name, 'TurboSHAKE')) {
    if (domainSeparation < 1 || domainSeparation > 0x7f)
      throw operationError('TurboShakeParams.domainSeparation must be in range 0x01-0x7f');
    return ['TurboSHAKE', strength, domainSeparation, undefined, undefined];
  }
  if (stringStartsWith.call(name, 'KT')) {
    if (customization?.byteLength > kMostCustomization) {
      throw operationError('KangarooTwelveParams.customization must be at most 512 bytes');
    }
    return ['KT', strength, 0, undefined, customization];
  }
  const wanted = functionName === undefined ? '' : textOf(functionName);
  if (!arrayIncludes.call(functionNames, wanted)) throw notSupported('Unsupported CShakeParams functionName');
  if (customization?.byteLength > kMostCustomization) throw operationError('CShakeParams.customization must be at most 512 bytes');
  return ['cSHAKE', strength, 0, functionName, customization];
}

function textOf(source) {
  const bytes = ArrayBuffer.isView(source) ? Buffer.from(source.buffer, source.byteOffset, source.byteLength) : Buffer.from(source);
  return bytes.toString('latin1');
}

const dictionaryOf = (name) =>
  stringStartsWith.call(name, 'c') ? 'CShakeParams' : stringStartsWith.call(name, 'T') ? 'TurboShakeParams' : 'KangarooTwelveParams';

// → the native's arguments; throws when the algorithm cannot be had as described
function check(algorithm) {
  const { name, outputLength } = algorithm;
  const args = argumentsFor(algorithm);
  // cSHAKE may give nothing, and cut its last byte; the others may not.
  const isStrict = !stringStartsWith.call(name, 'c');
  if (outputLength > 8 * kMostBytes || (isStrict && (outputLength === 0 || outputLength % 8 !== 0))) {
    throw operationError(`Invalid ${dictionaryOf(name)} outputLength`);
  }
  return args;
}

function digest(algorithm, data) {
  const { outputLength } = algorithm;
  const args = check(algorithm);
  const size = Math.ceil(outputLength / 8);
  return promiseThen(
    operation((done) => hashes.keccakLater(...each(args), data, size, done)),
    (made) => (outputLength % 8 === 0 ? made : firstBits(made, outputLength)),
  );
}

module.exports = { check, digest };
