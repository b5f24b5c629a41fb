console.log('inserted', rondo.loop.kind);
