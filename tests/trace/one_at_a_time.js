// S8, S9, S11, S121: tasks that queue, call and busy themselves.
function nested(depth) {
  if (depth) nested(depth - 1);
  else for (const end = Date.now() + 3; Date.now() < end;);
}
for (let i = 0; i < 5; i++) {
  setTimeout(() => nested(3), 1);
  setImmediate(() => {
    Promise.resolve().then(() => nested(1));
    process.nextTick(() => nested(1));
    nested(2);
  });
}
