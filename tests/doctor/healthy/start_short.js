// Files, a table and some modules: a start of a tenth of a second.
const fs = require('node:fs'); for (const name of ['http', 'https', 'zlib', 'crypto', 'tls', 'dns', 'vm', 'v8', 'worker_threads']) require(`node:${name}`);
const table = new Map(); for (let i = 0; i < 50000; i++) table.set(`k${i}`, i); for (let i = 0; i < 50; i++) fs.readFileSync(__filename); setTimeout(() => {}, 50);
