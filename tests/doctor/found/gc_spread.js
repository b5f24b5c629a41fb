// expect gc-pressure reduceAll
function reduceAll(list) { return list.reduce((acc, x) => ({ ...acc, [x]: x }), {}); }
const list = Array.from({ length: 300 }, (_, i) => 'k' + i); const end = Date.now() + 60_000;
(function loop() { reduceAll(list); if (Date.now() < end) setImmediate(loop); })();
