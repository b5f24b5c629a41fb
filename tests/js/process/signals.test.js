// Every signal a program may listen to arrives, under each of its names, while the engine collects garbage: its own
// signal for stopping threads is none of them.
const assert = require('node:assert');
const { signals } = require('node:os').constants;

const never = new Set(['SIGKILL', 'SIGSTOP', 'SIGSEGV', 'SIGBUS', 'SIGFPE', 'SIGILL']);
const names = Object.keys(signals).filter((name) => !never.has(name));
const missing = new Set(names);

const done = () => {
  clearInterval(sending);
  for (const name of names) process.removeAllListeners(name);
};
for (const name of names) {
  process.on(name, (given, number) => {
    assert.strictEqual(given, name);
    assert.strictEqual(number, signals[name]);
    missing.delete(name);
    if (missing.size === 0) done();
  });
}
const sending = setInterval(() => {
  const garbage = [];
  for (let i = 0; i < 20000; i++) garbage.push({ i });
  for (const name of missing) process.kill(process.pid, name);
}, 1);
process.on('exit', () => assert.deepStrictEqual([...missing], []));
