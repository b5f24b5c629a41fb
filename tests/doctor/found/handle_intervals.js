// expect handle-leak subscribe
// An interval for each subscriber, never cleared.
let n = 0; function subscribe() { setInterval(() => n++, 5000); }
const feed = setInterval(() => { for (let i = 0; i < 5; i++) subscribe(); }, 20);
setTimeout(() => process.exit(0), 60_000); feed.ref();
