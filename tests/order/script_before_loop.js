// S34, S93, S106: the loop is entered after the script: no callback of any kind runs before its last line.
const say = (line) => () => console.log(line);

setTimeout(say('timer'), 1);
setImmediate(say('immediate'));
process.nextTick(say('tick'));
queueMicrotask(say('microtask'));
Promise.resolve().then(say('promise'));

const end = Date.now() + 10;
while (Date.now() < end);
console.log('last line of the script');
