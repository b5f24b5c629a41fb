// exit: 7
// process.exitCode decides the code; exit handlers see it and may still change it.
process.exitCode = 3;
process.on('exit', (code) => {
  console.log('exit', code);
  process.exitCode = 7;
});
setImmediate(() => console.log('immediate'));
