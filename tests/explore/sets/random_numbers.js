// Random numbers follow from the seed: one outcome.
// outcomes: 1
const { randomBytes, randomUUID } = require('crypto');
console.log(Math.random(), randomBytes(8).toString('hex'), randomUUID(), process.pid);
