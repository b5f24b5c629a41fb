// S39, S7, S24: two thousand timers that are all due at once.
for (let i = 0; i < 2000; i++) setTimeout(() => {}, 1);
const end = Date.now() + 10;
while (Date.now() < end);
