await new Promise(function executor(resolve) {
  setImmediate(resolve);
});
