import { count } from './counter.mjs';

const { port1, port2 } = new MessageChannel();
port1.onmessage = ({ data }) => port1.postMessage(`${data}, and back`);
let refused;
try {
  importScripts('worker_part.js');
} catch (error) {
  refused = error.name;
}
postMessage({ count, refused, kind: rondo.loop.kind }, [port2]);
