let connections = 0;
onconnect = ({ ports: [port], data, source }) => {
  connections++;
  port.onmessage = ({ data: text }) => port.postMessage(`${self.name} got ${text}`);
  port.postMessage(`connection ${connections} of ${self.name}, ${JSON.stringify(data)}, ${source === port}, ${typeof postMessage}`);
};
