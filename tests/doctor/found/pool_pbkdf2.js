// expect pool-saturation hashAll
const crypto = require('crypto');
function hashAll() { for (let i = 0; i < 20; i++) crypto.pbkdf2('pw' + i, 'salt', 200000, 64, 'sha512', () => {}); }
setTimeout(hashAll, 20);
