// expect message-flood onUpdate
const end = Date.now() + 60_000; let n = 0;
const sender = new BroadcastChannel('updates'), receiver = new BroadcastChannel('updates');
receiver.onmessage = function onUpdate() { n++; for (let i = 0; i < 500; i++) n += i & 1; };
(function publish() { for (let i = 0; i < 500; i++) sender.postMessage({ i }); if (Date.now() < end) setImmediate(publish); else { sender.close(); receiver.close(); } })();
