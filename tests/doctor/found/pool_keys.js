// expect pool-saturation makeKeys
const { generateKeyPair } = require('node:crypto');
function makeKeys(done) { generateKeyPair('rsa', { modulusLength: 3072 }, done); }
let left = 24; for (let i = 0; i < 24; i++) makeKeys(() => { left--; });
