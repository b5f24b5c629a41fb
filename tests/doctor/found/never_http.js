// expect unsettled-promise onRequest
const http = require('http');
async function onRequest(req, res) { const user = await new Promise((resolve, reject) => { if (req.url === '/ok') resolve({}); }); res.end(JSON.stringify(user)); }
const s = http.createServer(onRequest).listen(0, () => { for (let i = 0; i < 5; i++) http.get({ port: s.address().port, path: '/bad' }).on('error', () => {}); setTimeout(() => process.exit(0), 1500); });
