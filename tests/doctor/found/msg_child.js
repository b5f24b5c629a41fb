// expect message-flood onReport
if (process.argv[2] === 'child') { const end = Date.now() + 60_000; const go = () => { if (Date.now() > end) return process.disconnect(); for (let i = 0; i < 99; i++) process.send({ i, pad: 'x'.repeat(20) }); process.send({ last: 1 }, go); }; go(); }
else { const c = require('child_process').fork(__filename, ['child']); let n = 0; c.on('message', function onReport(m) { n++; for (let i = 0; i < 3000; i++) n += i % 3; }); }
