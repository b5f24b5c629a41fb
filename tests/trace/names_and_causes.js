// The program judged by names_and_causes.check.js.
const http = require('node:http');
const path = require('node:path');

function onRequest(request, response) {
  response.end('answer');
}
const server = http.createServer(onRequest);
server.listen(0, '127.0.0.1', function listening() {
  http.get({ port: server.address().port, path: '/hello', agent: false }, function onResponse(response) {
    response.resume().on('end', function onEnd() {
      server.close(afterServer);
    });
  });
});

function afterServer() {
  import(path.join(__dirname, 'support', 'awaiting.mjs'));
  Promise.resolve().finally(function fin() {});
  clearTimeout(setTimeout(function neverRuns() {}, 10_000));
  clearImmediate(setImmediate(function neverEither() {}));
  process.on('unhandledRejection', function onUnhandled() {});
  Promise.reject(new Error('on purpose'));
  console.log('printed here');
}

let rounds = 0;
process.on('beforeExit', function onBeforeExit() {
  if (rounds++ === 0) setTimeout(function fromBeforeExit() {}, 1);
});
process.on('exit', function onExit() {});
