// expect gc-pressure decode
const text = JSON.stringify(Array.from({ length: 3000 }, (_, id) => ({ id, name: 'n' + id, tags: ['a', 'b', id] })));
function decode() { return JSON.parse(text).length; }
const end = Date.now() + 60_000; (function loop() { decode(); if (Date.now() < end) setImmediate(loop); })();
