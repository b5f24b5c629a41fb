'use strict';
// Turns NIST's ACVP vectors into lines for src/modules/crypto/pq/acvp_test.cpp: OPERATION PARAMETERS FIELD… EXPECTED, bytes in
// hexadecimal, `-` for none. Left out are forms that Rondo does not offer: signing of prehashed messages and the internal interfaces.
//
//   node tests/acvp/vectors.js FOLDER >LINES      FOLDER: gen-val/json-files of github.com/usnistgov/ACVP-Server
const fs = require('node:fs');
const path = require('node:path');

const folder = process.argv[2];
const read = (set, name) => {
  const file = path.join(folder, set, `${name}.json`);
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined;
};

// Each test with its group's and its expected result's fields.
function* testsOf(set) {
  const prompt = read(set, 'prompt');
  const results = read(set, 'expectedResults');
  if (prompt === undefined || results === undefined) {
    process.stderr.write(`${set}: not in ${folder}, left out\n`);
    return;
  }
  const expected = new Map(results.testGroups.flatMap((group) => group.tests).map((test) => [test.tcId, test]));
  for (const { tests, ...group } of prompt.testGroups) {
    for (const test of tests) yield { ...group, ...test, expected: expected.get(test.tcId) };
  }
}

const bytes = (hex) => (hex === undefined || hex === '' ? '-' : hex.toLowerCase());
const print = (operation, kind, ...fields) => console.log([operation, kind, ...fields].join(' '));
const isOffered = (test) => test.signatureInterface === 'external' && test.preHash === 'pure';

for (const test of testsOf('ML-KEM-keyGen-FIPS203')) {
  print('kem-keygen', test.parameterSet, bytes(test.d + test.z), bytes(test.expected.ek), bytes(test.expected.dk));
}
for (const test of testsOf('ML-KEM-encapDecap-FIPS203')) {
  const { parameterSet: kind, expected } = test;
  if (test.function === 'encapsulation') print('kem-seal', kind, bytes(test.ek), bytes(test.m), bytes(expected.c), bytes(expected.k));
  else if (test.function === 'decapsulation') print('kem-open', kind, bytes(test.dk), bytes(test.c), bytes(expected.k));
  else if (test.function === 'encapsulationKeyCheck') print('kem-check-public', kind, bytes(test.ek), Number(expected.testPassed));
  else print('kem-check-private', kind, bytes(test.dk), Number(expected.testPassed));
}
for (const test of testsOf('ML-DSA-keyGen-FIPS204')) {
  print('dsa-keygen', test.parameterSet, bytes(test.seed), bytes(test.expected.pk), bytes(test.expected.sk));
}
for (const test of testsOf('SLH-DSA-keyGen-FIPS205')) {
  print('slh-keygen', test.parameterSet, bytes(test.skSeed + test.skPrf + test.pkSeed), bytes(test.expected.sk));
}
for (const [name, set, random] of [
  ['dsa', 'ML-DSA-sigGen-FIPS204', 'rnd'],
  ['slh', 'SLH-DSA-sigGen-FIPS205', 'additionalRandomness'],
]) {
  for (const test of testsOf(set)) {
    if (!isOffered(test)) continue;
    print(`${name}-sign`, test.parameterSet, ...[test.sk, test.context, test.message, test[random], test.expected.signature].map(bytes));
  }
}
for (const [name, set] of [
  ['dsa', 'ML-DSA-sigVer-FIPS204'],
  ['slh', 'SLH-DSA-sigVer-FIPS205'],
]) {
  for (const test of testsOf(set)) {
    if (!isOffered(test)) continue;
    print(`${name}-verify`, test.parameterSet, ...[test.pk, test.context, test.message, test.signature].map(bytes), Number(test.expected.testPassed));
  }
}
