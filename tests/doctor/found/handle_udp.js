// expect handle-leak lookup
const dgram = require('dgram');
function lookup() { const s = dgram.createSocket('udp4'); s.bind(0); s.unref(); }
setInterval(lookup, 30); setTimeout(() => process.exit(0), 60_000);
