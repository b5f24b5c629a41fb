// S8, S9: a handler starts on a stack of its own (the caller that queued it is not below it), and its nested calls all
// return before the next message is looked at.
const log = [];

function queueFromHere() {
  setImmediate(function handler() {
    const names = new Error('probe').stack;
    log.push(names.includes('handler'), names.includes('queueFromHere'));
    outer('a');
  });
  setImmediate(() => {
    log.push('next message');
    console.log(log.join('\n'));
  });
}

function outer(name) {
  log.push(`outer ${name} in`);
  inner(name);
  log.push(`outer ${name} out`);
}

function inner(name) {
  log.push(`inner ${name}`);
}

queueFromHere();
