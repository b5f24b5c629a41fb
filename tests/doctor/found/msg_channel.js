// expect message-flood onPing|onPong
const { port1, port2 } = new MessageChannel(); const end = Date.now() + 60_000;
port1.onmessage = function onPing(e) { if (Date.now() > end) return port1.close(); port1.postMessage(e.data + 1); };
port2.onmessage = function onPong(e) { port2.postMessage(e.data + 1); };
port1.postMessage(0); for (let i = 0; i < 50; i++) port2.postMessage(i);
