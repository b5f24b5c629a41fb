// S24: a zero delay is not "now": everything queued before it runs first.
const order = [];
for (let i = 0; i < 5; i++) setTimeout(() => order.push(`earlier ${i}`), 0);
setTimeout(() => {
  order.push('zero delay');
  console.log(order.join('\n'));
}, 0);
order.push('script end');
