// Every callback API, each started by a function of its own and each callback marked by a tick, for every_callback_api.check.js.
'use strict';
const { apis, release } = require('../fixtures/callback_apis.js');

const named = (name, body) => Object.defineProperty(body, 'name', { value: name });

function next(index) {
  if (index === apis.length) return end();
  const [name, start] = apis[index];
  let isDone = false;
  setImmediate(named(`start ${name}`, () => start(() => {
    if (isDone) return;
    isDone = true;
    process.nextTick(named(`done ${name}`, () => {}));
    setTimeout(next, 1, index + 1);
  })));
}
// Some APIs do not keep the program alive.
const alive = setInterval(() => {}, 1000);
function end() {
  clearInterval(alive);
  release();
}

next(0);
