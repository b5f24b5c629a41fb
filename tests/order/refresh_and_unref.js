// refresh() starts a timer's delay anew, unref() lets the loop end without it, ref() takes that back.
const out = [];
const first = setTimeout(() => out.push('refreshed'), 100);
setTimeout(() => {
  out.push('140 ms timer');
}, 140);
setTimeout(() => first.refresh(), 60);
const kept = setTimeout(() => out.push('ref again'), 5).unref();
kept.ref();
setTimeout(() => out.push('never'), 2000).unref();
setImmediate(() => out.push('never, unref immediate?')).unref();
out.push(first.hasRef(), kept.hasRef(), kept.unref().hasRef(), kept.ref().hasRef());
process.on('exit', () => console.log(out.filter((line) => !String(line).includes('?')).join('\n')));
