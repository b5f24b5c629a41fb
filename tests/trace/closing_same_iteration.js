// S47, S64, K19: sockets destroyed in every phase, with reads in flight; each close event belongs to the closing phase of the same iteration.
const fs = require('node:fs');
const net = require('node:net');

const names = ['timers', 'poll', 'check', 'closing', 'first', 'second', 'third', 'last'];
const sockets = {};
const server = net.createServer((socket) => socket.on('error', () => {}).resume());

// A tick tells the ledger where we are.
const mark = (name) => process.nextTick(Function(`return function ${name}() {}`)());
function destroy(name) {
  mark(`destroy_${name}`);
  sockets[name].destroy();
}

function begin() {
  for (const name of names) sockets[name].on('close', () => mark(`close_${name}`));
  setTimeout(() => {
    destroy('timers');
    fs.stat(__filename, () => {
      destroy('poll');
      setImmediate(() => setImmediate(() => {
        destroy('check');
        setImmediate(() => {
          sockets.last.on('close', () => destroy('closing'));
          destroy('last');
          sockets.closing.on('close', () => {
            for (const name of ['first', 'second', 'third']) destroy(name);
            server.close();
          });
        });
      }));
    });
  }, 1);
}

server.listen(0, '127.0.0.1', () => {
  let left = names.length;
  for (const name of names) {
    sockets[name] = net.connect(server.address().port, '127.0.0.1', () => {
      sockets[name].resume();
      if (--left === 0) setImmediate(begin);
    });
  }
});
