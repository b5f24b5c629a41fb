// A hundred files, eight at a time.
const fs = require('node:fs/promises'); let left = 400;
async function lane() { while (left-- > 0) await fs.readFile(__filename); }
for (let i = 0; i < 8; i++) lane();
