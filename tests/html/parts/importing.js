// A classic script of a page or worker: what it imports lies beside it.
var external = import('./counter.mjs');
external.then((module) => {
  console.log('script', module.count);
  if (self.document === undefined) close();
});
