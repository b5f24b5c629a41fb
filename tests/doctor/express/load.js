// Requests to an express app, a few at a time, for some seconds.
'use strict';
const http = require('node:http');
module.exports = function load(app, path, { seconds = 60, at_once = 8 } = {}) {
  const server = app.listen(0, '127.0.0.1', () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: at_once });
    const end = Date.now() + seconds * 1000;
    const ask = () => {
      if (Date.now() > end) return;
      http.get({ port: server.address().port, path, agent }, (response) => response.resume().on('end', ask)).on('error', () => {});
    };
    for (let i = 0; i < at_once; i++) ask();
    setTimeout(() => process.exit(0), (seconds + 0.5) * 1000);
  });
};
