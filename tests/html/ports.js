// Ports inside of messages: to a window, through a port and into a worker the same structured clone moves them.
const print = (...args) => console.log(...args);
const nextMessage = (target) => new Promise((resolve) => target.addEventListener('message', resolve, { once: true }));

// Each way: [name, send(message, transfer list), receive() → promise of the event].
const channel = new MessageChannel();
channel.port2.start();
const worker = new Worker(
  'data:text/javascript,' +
    encodeURIComponent(`
      onmessage = ({ data, ports }) => {
        const isPort = (value) => value instanceof MessagePort;
        const checks = {
          cycle: () => data.self === data && isPort(data.port),
          map: () => data instanceof Map && isPort(data.get('port')) && data.get('port') === ports[0],
          set: () => data instanceof Set && isPort([...data][0]) && [...data][0] === ports[0],
          text: () => data.text === '\\u0000port 0' && isPort(data.port),
          order: () => ports.length === 2 && data.second === ports[1] && data.first === ports[0],
        };
        postMessage(checks[data.check ?? [...data.keys()].at(-1)]?.());
      };
    `),
);

const checks = {
  cycle: ({ data }) => data.self === data && data.port instanceof MessagePort,
  map: ({ data, ports }) => data instanceof Map && data.get('port') instanceof MessagePort && data.get('port') === ports[0],
  set: ({ data, ports }) => data instanceof Set && [...data][0] instanceof MessagePort && [...data][0] === ports[0],
  text: ({ data }) => data.text === '\u0000port 0' && data.port instanceof MessagePort,
  order: ({ data, ports }) => ports.length === 2 && data.second === ports[1] && data.first === ports[0],
};

function messageFor(check) {
  const { port1: first } = new MessageChannel();
  const { port1: second } = new MessageChannel();
  if (check === 'map') return { message: new Map([['port', first], ['map', 0]]), transfer: [first] };
  if (check === 'set') return { message: new Set([first, 'set']), transfer: [first] };
  if (check === 'order') return { message: { second, first, check }, transfer: [first, second] };
  const message = { check, port: first, text: '\u0000port 0' };
  message.self = message;
  return { message, transfer: [first] };
}

async function main() {
  for (const check of Object.keys(checks)) {
    let { message, transfer } = messageFor(check);
    window.postMessage(message, '*', transfer);
    print(check, 'window', checks[check](await nextMessage(window)));
    ({ message, transfer } = messageFor(check));
    channel.port1.postMessage(message, transfer);
    print(check, 'port', checks[check](await nextMessage(channel.port2)));
    ({ message, transfer } = messageFor(check));
    worker.postMessage(message, transfer);
    print(check, 'worker', (await nextMessage(worker)).data);
  }

  // A getter is asked once.
  let asked = 0;
  const { port1: kept } = new MessageChannel();
  window.postMessage({ get value() { return ++asked; }, kept }, '*', [kept]);
  print('getter', (await nextMessage(window)).data.value, asked);

  // One port twice: an error, and nothing is transferred, neither it nor the memory beside it.
  for (const target of [channel.port1, worker, { postMessage: (message, list) => window.postMessage(message, '*', list) }]) {
    const { port1, port2 } = new MessageChannel();
    const memory = new ArrayBuffer(8);
    try {
      target.postMessage(null, [memory, port1, port1]);
    } catch (error) {
      print('twice', error.name, error instanceof DOMException, memory.byteLength);
    }
    port1.postMessage('still here');
    port2.start();
    print((await nextMessage(port2)).data);
  }

  // Messages that wait in a port go with it, in order, over two threads and back.
  const { port1, port2 } = new MessageChannel();
  for (let i = 0; i < 3; i++) port1.postMessage(i);
  const echo = new Worker('data:text/javascript,onmessage = ({ ports }) => postMessage(null, ports)');
  echo.postMessage(null, [port2]);
  for (let i = 3; i < 6; i++) port1.postMessage(i);
  const [back] = (await nextMessage(echo)).ports;
  const got = [];
  await new Promise((resolve) => {
    back.onmessage = ({ data }) => {
      got.push(data);
      if (data === 5) resolve();
    };
  });
  print('moved', got.join(' '));
  back.onmessage = ({ data }) => print('last', data);
  port1.postMessage('words');
  await nextMessage(back);
  back.addEventListener('close', () => print('closed'));
  port1.close();
}
main();
