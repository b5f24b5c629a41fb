// S176, S182: messages are clones and arrive as tasks of the posted message source, in order, after all microtasks.
const { port1, port2 } = new MessageChannel();
const sent = { list: [1, 2], map: new Map([['a', 1]]) };
port2.onmessage = ({ data }) => console.log('port', data.list.length, data.map.get('a'), data !== sent, rondo.task.source);
port1.postMessage(sent);
sent.list.push(3);
addEventListener('message', (event) => {
  console.log('window', event.data, event.source === window);
  queueMicrotask(() => console.log('microtask after', event.data));
});
addEventListener('message', (event) => console.log('second listener', event.data));
postMessage('a', '*');
postMessage('b', '/');
postMessage('elsewhere', 'https://example.com');
queueMicrotask(() => console.log('microtask'));
const one = new BroadcastChannel('news');
const two = new BroadcastChannel('news');
two.onmessage = ({ data }) => {
  console.log('broadcast', data);
  two.close();
};
one.onmessage = () => console.log('never: a channel does not hear itself');
one.postMessage('extra');
try {
  port1.postMessage(() => {});
} catch (error) {
  console.log(error.name);
}
const moved = new MessageChannel();
port1.postMessage({ list: [], map: new Map([['a', 'moved']]), port: moved.port2 }, [moved.port2]);
