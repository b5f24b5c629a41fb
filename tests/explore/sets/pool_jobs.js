// Two jobs of the pool end in any order.
// outcome: a b
// outcome: b a
const { pbkdf2 } = require('crypto');
for (const name of 'ab') pbkdf2('x', 'y', 1, 8, 'sha1', () => console.log(name));
