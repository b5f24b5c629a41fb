// expect timer-flood Session|expire
// Timers of sessions that are renewed and fire all the time, arrow functions in a class.
const end = Date.now() + 60_000; let n = 0;
class Session { constructor() { this.renew(); } renew() { setTimeout(() => this.expire(), 1 + (n++ % 3)); } expire() { if (Date.now() < end) this.renew(); } }
for (let i = 0; i < 8000; i++) new Session();
