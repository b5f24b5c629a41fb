// Messages of a channel come in order, in poll; the immediate that was queued with them comes before or after.
// outcome: 1 2 immediate
const { port1, port2 } = new MessageChannel();
port2.on('message', (message) => {
  console.log(message);
  if (message === 2) setImmediate(() => console.log('immediate') ?? port1.close());
});
port1.postMessage(1);
port1.postMessage(2);
