// S22, S48: the delay is a minimum. A 10 ms timer that becomes due during a 50 ms task runs after it, not at 10 ms.
const start = process.hrtime.bigint();
const elapsed = () => Number(process.hrtime.bigint() - start) / 1e6;

setTimeout(() => {
  console.log('timer', elapsed() >= 50 ? 'after the busy task' : 'too early');
}, 10);

while (elapsed() < 50);
console.log('busy task done');
