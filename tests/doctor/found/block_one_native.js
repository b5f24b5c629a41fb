// expect synchronous-block hashPassword
const crypto = require('crypto');
function hashPassword(p) { return crypto.pbkdf2Sync(p, 'salt', 1500000, 64, 'sha512').toString('hex'); }
setTimeout(() => { hashPassword('hunter2'); }, 20);
