console.log(rondo.loop.kind, typeof setTimeout, typeof document, this === undefined);
