// expect unsettled-promise transfer
// Two locks, each waits for the other.
class Lock { #tail = Promise.resolve(); acquire() { let release; const before = this.#tail; this.#tail = new Promise((ok) => (release = ok)); return before.then(() => release); } }
const a = new Lock(), b = new Lock();
async function transfer(from, to) { const one = await from.acquire(); await null; const two = await to.acquire(); two(); one(); }
transfer(a, b); transfer(b, a);
setTimeout(() => {}, 20_000);
