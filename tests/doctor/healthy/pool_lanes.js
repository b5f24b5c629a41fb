// Hashes, three at a time.
const { pbkdf2 } = require('node:crypto'); let left = 40;
function lane() { if (left-- > 0) pbkdf2('password', 'salt', 20000, 64, 'sha512', lane); }
for (let i = 0; i < 3; i++) lane();
