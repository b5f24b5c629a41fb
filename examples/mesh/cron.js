// A job of the night that runs once, however many processes have it. Start several; end one: another takes over.
//   RONDO_MESH=nats://127.0.0.1:4222 rondo examples/mesh/cron.js
import { timer } from 'rondo:mesh';

const times = Number(process.argv[2] ?? Infinity);
let fired = 0;
const nightly = await timer('nightly', '15 3 * * *', () => console.log('the backup'));
console.log(`the backup runs at ${nightly.due.toISOString()}`);
nightly.stop();

// The same every second, to see it. The one that stops in its handler ends as soon as the mesh knows that this time has had its run.
const often = await timer('often', { every: 1000 }, async ({ due, token }) => {
  console.log(`process ${process.pid} runs the one of ${due.toISOString()}, token ${token}`);
  if (++fired === times) often.stop();
});
