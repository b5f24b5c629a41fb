// The same work in parts, with setImmediate between them.
let left = 60; (function part() { const end = Date.now() + 15; while (Date.now() < end); if (--left > 0) setImmediate(part); })();
