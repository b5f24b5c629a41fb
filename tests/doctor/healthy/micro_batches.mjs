// Long chains of awaits that let the loop go on now and then.
import { setImmediate as turn } from 'node:timers/promises';
const end = Date.now() + 1500; let n = 0;
while (Date.now() < end) { for (let i = 0; i < 5000; i++) { await null; n++; } await turn(); }
