// expect gc-pressure append
// A buffer that is copied for every piece.
function append(all, piece) { return Buffer.concat([all, piece]); }
const piece = Buffer.alloc(4096, 1); const end = Date.now() + 60_000;
(function fill() { let all = Buffer.alloc(0); for (let i = 0; i < 300; i++) all = append(all, piece); if (Date.now() < end) setImmediate(fill); })();
