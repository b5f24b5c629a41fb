// S118, S120: a reaction registered before its promise settles, and one after; ticks mark the moments in the ledger.
let settle;
const promise = new Promise((resolve) => { settle = resolve; });
promise.then(() => {});
process.nextTick(function beforeSettling() {});
settle();
process.nextTick(function afterSettling() {});
promise.then(() => {});
process.nextTick(function atTheEnd() {});
