const crypto = require('crypto'), fs = require('fs'); let n = 0;
(function go() { if (++n > 30) return; crypto.pbkdf2('a', 'b', 10000, 64, 'sha512', () => fs.readFile(__filename, () => setTimeout(go, 10))); })();
