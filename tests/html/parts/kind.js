postMessage({ kind: rondo.loop.kind, loop: rondo.loop.loop });
