// Async functions: the part before the first await is synchronous; each await takes a microtask; ticks still go first.
async function run(name) {
  console.log(name, 'start');
  await null;
  console.log(name, 'after first await');
  await new Promise((resolve) => process.nextTick(resolve));
  console.log(name, 'after a tick');
  await new Promise((resolve) => setImmediate(resolve));
  console.log(name, 'after check');
}
run('a');
run('b');
process.nextTick(() => console.log('tick'));
console.log('script end');
