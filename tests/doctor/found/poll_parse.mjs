// expect poll-flood parseFile
// Four hundred files that were asked for at once come back in one visit of poll.
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
const here = fileURLToPath(import.meta.url); let n = 0;
const parseFile = (error, text) => { for (let i = 0; i < 600_000; i++) n += text.charCodeAt(i % text.length); };
function importAll() { for (let i = 0; i < 400; i++) fs.readFile(here, 'utf8', parseFile); }
setInterval(importAll, 900); setTimeout(() => process.exit(0), 60_000);
