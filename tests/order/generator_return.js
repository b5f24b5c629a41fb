// `return` in an async generator: with a value it awaits that value where it stands, so that a catch around it catches and a finally
// comes after it; without one it awaits nothing.
async function microtasks(promise) {
  let count = 0;
  let isDone = false;
  promise.then(() => { isDone = true; });
  await null;
  while (!isDone) {
    count++;
    await null;
  }
  return count;
}

const bodies = {
  plain: async function* () { return; },
  end: async function* () {},
  undefined: async function* () { return undefined; },
  void: async function* () { return void 0; },
  one: async function* () { return 1; },
  branch: async function* () { if (bodies) return; },
  plainFinally: async function* () { try { return; } finally { bodies.one; } },
  oneFinally: async function* () { try { return 1; } finally { bodies.one; } },
  plainAwait: async function* () { try { return; } finally { await 1; } },
  oneAwait: async function* () { try { return 1; } finally { await 1; } },
  nested: async function* () { try { try { return; } finally { bodies.one; } } finally { bodies.one; } },
  loop: async function* () { for (const each of [1]) return; },
  loopValue: async function* () { for (const each of [1]) return each; },
  awaitedLoop: async function* () { for await (const each of [1]) return; },
  overridden: async function* () { out: try { return 5; } finally { break out; } },
  call: async function* () { 'use strict'; return String(5); },
  made: async function* () { return (async () => 5)(); },
  madeFinally: async function* () { try { return (async () => 5)(); } finally { bodies.one; } },
};

async function* logs(value) {
  try {
    return value.then((settled) => (console.log('value'), settled));
  } finally {
    console.log('finally');
  }
}
async function* catches(value) {
  try {
    return value;
  } catch (error) {
    console.log('caught', error);
    return 'mended';
  } finally {
    console.log('finally');
  }
}
async function* deep(value) {
  const kept = [1, 2];
  try {
    for (const each of kept) {
      try {
        return (await value) + each + (yield each);
      } finally {
        console.log('kept', kept.length);
      }
    }
  } finally {
    console.log('outer');
  }
}

(async () => {
  for (const [name, body] of Object.entries(bodies)) console.log(name, await microtasks(body().next()));
  console.log(await logs(Promise.resolve(3)).next());
  console.log(await catches(Promise.reject('no')).next());
  console.log(await catches(Promise.resolve('yes')).next());
  const generator = deep(Promise.resolve(1));
  console.log(await generator.next(), await generator.next(5), await generator.next());
  const left = deep(2);
  await left.next();
  console.log(await left.return(Promise.resolve('early')));
})();
