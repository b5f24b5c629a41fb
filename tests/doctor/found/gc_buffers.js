// expect gc-pressure transform|loop
function transform() { let b = Buffer.alloc(1 << 20); for (let i = 0; i < 40; i++) b = Buffer.from(b); return b.length; }
const end = Date.now() + 60_000; (function loop() { transform(); if (Date.now() < end) setImmediate(loop); })();
