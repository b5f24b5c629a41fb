// Pictures are made smaller by as many processes as there are: one pushes, any number work.
//   RONDO_MESH=nats://127.0.0.1:4222 rondo examples/mesh/pictures.js work      (in several terminals)
//   RONDO_MESH=nats://127.0.0.1:4222 rondo examples/mesh/pictures.js push 100
// Without RONDO_MESH one process does both: rondo examples/mesh/pictures.js
import { close, queue, store } from 'rondo:mesh';

const [what = 'both', count = '20'] = process.argv.slice(2);
const jobs = queue('pictures');
const results = store('pictures');

// A grey picture of size × size pixels, and each of its squares of 8 × 8 as one.
const draw = (seed, size) => Uint8Array.from({ length: size * size }, (_, i) => (i * seed + (i >> 7)) & 255);
function shrink(pixels, size) {
  const small = new Uint8Array((size / 8) ** 2);
  for (let y = 0; y < size; y += 8) {
    for (let x = 0; x < size; x += 8) {
      let sum = 0;
      for (let i = 0; i < 64; i++) sum += pixels[(y + (i >> 3)) * size + x + (i & 7)];
      small[(y / 8) * (size / 8) + x / 8] = sum / 64;
    }
  }
  return small;
}

async function push() {
  for (let id = 0; id < Number(count); id++) await jobs.push({ id, size: 256, pixels: draw(id, 256) }, { key: `picture ${id}` });
  console.log(`${count} pushed, ${await jobs.count()} in the queue`);
}

async function work(most) {
  let done = 0;
  for await (const job of jobs.work({ concurrency: 4 })) {
    const { id, size, pixels } = job.value;
    await results.set(`${id}`, shrink(pixels, size));
    await job.done(); // only now: a process that dies before leaves it to another
    if (++done === most) break;
  }
  console.log(`${done} done; picture 3 has ${(await results.get('3'))?.length} pixels`);
}

if (what === 'push') await push();
else if (what === 'work') await work(Infinity);
else await Promise.all([push(), work(Number(count))]);
await close();
