// expect poll-flood onChunk
const { spawn } = require('node:child_process');
const child = spawn('yes'); let lines = 0;
function onChunk(chunk) { for (let i = 0; i < chunk.length; i++) if (chunk[i] === 10) lines++; }
child.stdout.on('data', onChunk);
setTimeout(() => child.kill(), 60_000);
