// flags: --policy=seed:3
// S175, S196: the policy chooses among sources; the order within one source stays.
const order = [];
for (let i = 0; i < 5; i++) {
  setTimeout(() => order.push(`t${i}`));
  postMessage(i, '*');
  scheduler.postTask(() => order.push(`s${i}`));
}
onmessage = ({ data }) => order.push(`m${data}`);
setTimeout(() => {
  for (const letter of 'tms') console.log(order.filter((name) => name[0] === letter).join(' '));
  console.log(order.length, order.join(' ') !== 't0 m0 s0 t1 m1 s1 t2 m2 s2 t3 m3 s3 t4 m4 s4');
}, 100);
