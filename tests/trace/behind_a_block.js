// A pipe has bytes while a callback blocks the loop: they have waited for as long.
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-block-'));
const name = path.join(folder, 'pipe');
execFileSync('mkfifo', [name]);
const fd = fs.openSync(name, fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
const socket = new net.Socket({ fd, readable: true, writable: false });
socket.on('data', function onBytes() {
  socket.destroy();
  fs.rmSync(folder, { recursive: true });
});
setTimeout(function blocker() {
  fs.writeSync(fd, 'x');
  const end = Date.now() + 200;
  while (Date.now() < end);
  setImmediate(() => {}); // poll does not sleep
}, 20);
