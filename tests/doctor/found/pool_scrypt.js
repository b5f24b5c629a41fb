// expect pool-saturation login
const { promisify } = require('util'); const scrypt = promisify(require('crypto').scrypt);
async function login(user) { const key = await scrypt(user, 'salt', 64, { N: 32768, maxmem: 1e9 }); return key.toString('hex'); }
Promise.all(Array.from({ length: 24 }, (_, i) => login('user' + i))).then(() => console.log('ok'));
