// S121: microtasks start only when nothing else is left to run, also inside nested calls of one task.
function nested(depth) {
  Promise.resolve().then(() => console.log(`microtask of depth ${depth}`));
  if (depth < 3) nested(depth + 1);
  console.log(`leaving depth ${depth}`);
}
setImmediate(() => {
  nested(1);
  console.log('stack empty next');
});
