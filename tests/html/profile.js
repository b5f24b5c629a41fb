// A window has nothing of Node's: no process, no require, no setImmediate.
for (const name of ['process', 'require', 'setImmediate', 'clearImmediate', 'Buffer', 'global', 'module', '__filename']) {
  console.log(name, typeof globalThis[name]);
}
console.log(this === window, window === globalThis, self === window, typeof setTimeout(() => {}));
