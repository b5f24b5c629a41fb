// expect pool-saturation checkPassword
const http = require('http'), crypto = require('crypto');
function checkPassword(p, cb) { crypto.pbkdf2(p, 'salt', 150000, 64, 'sha512', cb); }
const s = http.createServer((req, res) => checkPassword(req.url, () => res.end('ok')));
s.listen(0, () => { let left = 24; for (let i = 0; i < 24; i++) http.get({ port: s.address().port, path: '/' + i, agent: false }, (r) => r.resume().on('end', () => { if (--left === 0) s.close(); })); });
