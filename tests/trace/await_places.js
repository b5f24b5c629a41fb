// An async function that goes on is named by its own await, also where the engine knows no place of it.
const it = Promise.resolve();

function g() { return it; }
async function waits(p) {
  const q = Promise.resolve(1);

  await p;
  await q;
  await 0; await null;
  if (p) g();
  await (async () => { await p; })();
  await g()
    .then(() => {});
  const text = `${q} await "`;  // await
  await text;
  for (let i = 0; i < 2; i++) {
    g();
    await i;
  }
  return await g();
}
waits(it);
