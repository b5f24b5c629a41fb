// expect slow-start scan
import fs from 'node:fs';
function scan(folder, end) { let n = 0; while (process.threadCpuUsage().user < end) for (const name of fs.readdirSync(folder)) { try { n += fs.statSync(`${folder}/${name}`).size; } catch { /* it has gone */ } } return n; }
console.log(scan('/usr/bin', process.threadCpuUsage().user + 1200_000) > 0); setTimeout(() => {}, 10);
