// A chat over machines: start it in several terminals, on one machine or on many.
//   RONDO_MESH=nats://127.0.0.1:4222 rondo examples/mesh/chat.js ada
import { createInterface } from 'node:readline';
import { channel, close, flush, peers } from 'rondo:mesh';

const name = process.argv[2] ?? `guest ${process.pid}`;
const room = channel('chat');
room.onmessage = ({ data }) => console.log(`${data.name}: ${data.text}`);
room.onmessageerror = ({ data }) => console.error(data.message);
await flush(); // from here on we hear the others

console.log(`${(await peers()).length} here. Write a line; end with Ctrl-D.`);
for await (const text of createInterface({ input: process.stdin })) room.postMessage({ name, text });
room.close();
await close();
