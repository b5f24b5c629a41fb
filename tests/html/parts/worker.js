importScripts('worker_part.js');
postMessage({ kind: rondo.loop.kind, name, self: self === globalThis, document: typeof document, frames: typeof requestAnimationFrame, part: fromPart });
setTimeout(() => postMessage({ timer: performance.now() }), 50);
setTimeout(() => postMessage({ timer: performance.now() }), 100);
onmessage = ({ data }) => {
  if (data.throw) throw new Error('wanted');
  if (data.close) {
    close();
    setTimeout(() => postMessage('too late'), 0);
    return;
  }
  postMessage({ got: data.text, date: Object.prototype.toString.call(data.when), task: rondo.task.source });
};
