// Random programs of promises, async functions, generators, ticks, microtasks and immediates. `generate(seed)` answers with the text
// of one; the same seed gives the same text everywhere. A program is a list of stages, each a function body and the phase it starts
// in. It says what happens through log(); the order of those lines is what the tests compare.
'use strict';

const { integersOf } = require('../fixtures/seeded_random.js');

function randomizer(seed) {
  const next = integersOf(seed);
  return () => next() / 4294967296;
}

const kPhases = ['immediate', 'tick', 'microtask', 'timer', 'file', 'socket'];

class Writer {
  constructor(seed) {
    this.random = randomizer(seed);
    this.labels = 0;
    this.names = 0;
    this.size = 0;
  }

  below(count) { return Math.floor(this.random() * count); }
  chance(share) { return this.random() < share; }
  pick(list) { return list[this.below(list.length)]; }
  label() { return `'${(this.labels++).toString(36)}'`; }
  name(kind) { return `${kind}${this.names++}`; }
  // Whether something large may still be written here.
  mayGrow(depth) { return depth > 0 && ++this.size < 60; }

  // --- values

  plain() { return this.pick([`'v${this.below(90)}'`, `${this.below(90)}`, 'undefined', '{ a: 1 }', '[]']); }
  error() { return `new Error('e${this.below(90)}')`; }

  value(depth) {
    if (!this.mayGrow(depth) || this.chance(0.25)) return this.plain();
    return this.pick([this.promise, this.promise, this.thenable, this.call])(depth - 1);
  }

  // Something that is no rejection in the end.
  fulfilled() {
    const value = this.plain();
    return this.pick([value, `Promise.resolve(${value})`, `Sub.resolve(${value})`, `(async () => ${value === '{ a: 1 }' ? '1' : value})()`,
      `{ then(resolve) { log(${this.label()}); resolve(${value}); } }`, `watched(Promise.resolve(${value}), ${this.label()})`]);
  }

  promise = (depth) => this.pick([
    () => `Promise.resolve(${this.value(depth - 1)})`,
    () => `Promise.resolve(${this.plain()})`,
    () => `handled(Promise.reject(${this.error()}))`,
    () => `new Promise((resolve, reject) => { ${this.settle(depth - 1)} })`,
    () => `new Promise((resolve, reject) => { ${this.later(`${this.settle(depth - 1)}`)} })`,
    () => `new Promise((resolve) => { resolve(${this.value(depth - 1)}); })`,
    () => this.chain(depth - 1),
    () => this.combinator(depth - 1),
    () => `Sub.resolve(${this.value(depth - 1)})`,
    () => `watched(Promise.resolve(${this.value(depth - 1)}), ${this.label()})`,
    () => `ownConstructor(Promise.resolve(${this.plain()}), ${this.label()})`,
  ])();

  settle(depth) {
    return this.pick([
      () => `resolve(${this.value(depth)});`,
      () => `resolve(${this.value(depth)}); reject(${this.error()});`,
      () => `reject(${this.error()});`,
      () => `throw ${this.error()};`,
    ])();
  }

  // Runs `code` in another turn, or another place of this one.
  later(code) {
    const wrapped = code.includes('throw ') ? `try { ${code} } catch (error) { reject(error); }` : code;
    return `${this.pick(['tick', 'micro', 'immediate', 'micro'])}(() => { log(${this.label()}); ${wrapped} });`;
  }

  thenable = (depth) => this.pick([
    () => `{ then(resolve, reject) { log(${this.label()}); resolve(${this.value(depth - 1)}); } }`,
    () => `{ then(resolve, reject) { log(${this.label()}); ${this.settle(depth - 1)} } }`,
    () => `{ then(resolve, reject) { ${this.later(`resolve(${this.value(depth - 1)});`)} } }`,
    () => `{ get then() { log(${this.label()}); return (resolve) => resolve(${this.plain()}); } }`,
    () => `{ get then() { log(${this.label()}); throw ${this.error()}; } }`,
    () => `{ then: ${this.plain()} }`,
  ])();

  call = (depth) => this.pick([
    () => `(async () => { ${this.statements(depth - 1, { async: true })} return ${this.value(depth - 1)}; })()`,
    () => `(async () => { ${this.statements(depth - 1, { async: true })} })()`,
    () => `(async () => { log(${this.label()}); throw ${this.error()}; })()`,
    () => `${this.asyncGenerator(depth - 1)}.next()`,
  ])();

  handler(depth) {
    const log = `log(${this.label()}, value);`;
    return this.pick([
      () => `(value) => { ${log} }`,
      () => `(value) => { ${log} return ${this.value(depth - 1)}; }`,
      () => `(value) => { ${log} return Promise.resolve(${this.plain()}); }`,
      () => `(value) => { ${log} ${this.statements(depth - 1, {})} return ${this.value(depth - 1)}; }`,
      () => `(value) => { ${log} throw ${this.error()}; }`,
      () => `async (value) => { ${log} ${this.statements(depth - 1, { async: true })} return ${this.value(depth - 1)}; }`,
    ])();
  }

  link(depth) {
    return this.pick([
      () => `.then(${this.handler(depth)})`,
      () => `.then(${this.handler(depth)}, ${this.handler(depth)})`,
      () => '.then()',
      () => `.catch(${this.handler(depth)})`,
      () => `.finally(${this.handler(depth).replaceAll(', value)', ')')})`,
    ])();
  }

  chain(depth) {
    let text = this.chance(0.5) ? 'Promise.resolve()' : this.promise(depth);
    for (let count = 1 + this.below(3); count > 0; count--) text += this.link(depth);
    return text;
  }

  combinator(depth) {
    const list = Array.from({ length: this.below(4) }, () => this.value(depth - 1));
    return `Promise.${this.pick(['all', 'race', 'any', 'allSettled'])}([${list.join(', ')}])`;
  }

  // --- iterables

  yields(depth, isAsync) {
    const value = () => this.value(depth - 1);
    return this.pick([
      () => `yield ${isAsync ? value() : this.chance(0.4) ? value() : this.plain()};`,
      () => `log(${this.label()}, yield ${this.plain()});`,
      () => (isAsync ? `yield await ${value()};` : `yield ${this.plain()};`),
      () => (this.mayGrow(depth) ? `log(${this.label()}, yield* ${isAsync ? this.iterable(depth - 1) : this.syncIterable(depth - 1)});` : `yield ${this.plain()};`),
      () => (isAsync ? this.statements(depth - 1, { async: true, generator: true }) : this.statements(depth - 1, {})),
      () => `try { yield ${this.plain()}; log(${this.label()}); } finally { log(${this.label()}); ${isAsync && this.chance(0.5) ? `await ${value()};` : ''} }`,
      () => `try { yield ${isAsync ? value() : this.plain()}; } catch (error) { log(${this.label()}, error); yield ${this.plain()}; }`,
      () => (this.chance(0.3) ? `if (log(${this.label()})) yield; else return;` : `log(${this.label()});`),
      () => `try { ${this.chance(0.4) ? 'return;' : `return ${isAsync ? value() : this.plain()};`} } catch (error) { log(${this.label()}, error); } finally { log(${this.label()}); }`,
      () => (this.chance(0.2) ? `throw ${this.error()};` : this.chance(0.3) ? `return ${isAsync ? value() : this.plain()};` : `log(${this.label()});`),
    ])();
  }

  body(depth, isAsync) {
    return Array.from({ length: 1 + this.below(3) }, () => this.yields(depth, isAsync)).join(' ');
  }

  asyncGenerator = (depth) => `(async function* () { ${this.body(depth, true)} })()`;
  generator = (depth) => `(function* () { ${this.body(depth, false)} })()`;

  customIterator(depth, isAsync) {
    const values = Array.from({ length: this.below(3) }, () => this.value(depth - 1));
    const flags = { hasReturn: this.chance(0.7), hasThrow: this.chance(0.4) };
    return `iterator(${isAsync}, [${values.map((value) => `() => (${value})`).join(', ')}], ${JSON.stringify(flags)}, ${this.label()})`;
  }

  syncIterable(depth) {
    return this.pick([
      () => `[${Array.from({ length: this.below(3) }, () => this.value(depth - 1)).join(', ')}]`,
      () => this.generator(depth - 1),
      () => this.customIterator(depth, false),
    ])();
  }

  iterable(depth) {
    return this.pick([
      () => this.asyncGenerator(depth - 1), () => this.asyncGenerator(depth - 1), () => this.syncIterable(depth),
      () => this.customIterator(depth, true),
    ])();
  }

  loop(depth) {
    const item = this.name('item');
    const leave = this.pick(['', '', `if (++turns > ${1 + this.below(2)}) break;`, `if (++turns > 1) throw ${this.error()};`]);
    return `{ let turns = 0; for await (const ${item} of ${this.iterable(depth)}) { log(${this.label()}, ${item}); ${leave} `
      + `${this.chance(0.3) ? `await ${this.value(depth - 1)};` : ''} } }`;
  }

  drive(depth) {
    const name = this.name('generator');
    const lines = [`const ${name} = ${this.asyncGenerator(depth)};`];
    for (let count = 1 + this.below(4); count > 0; count--) {
      const method = this.pick(['next', 'next', 'next', 'return', 'throw']);
      // return() of a rejected promise in a yield* is left out: there Node calls the inner iterator's next(), the language its throw().
      const argument = { next: () => this.value(depth - 1), throw: () => this.error(), return: () => this.fulfilled() }[method]();
      lines.push(`${name}.${method}(${argument}).then((result) => log(${this.label()}, result), (error) => log(${this.label()}, error));`);
      if (this.chance(0.3)) lines.push(this.statement(depth - 1, {}));
    }
    return lines.join(' ');
  }

  // --- statements

  statements(depth, where) {
    if (!this.mayGrow(depth)) return `log(${this.label()});`;
    return Array.from({ length: 1 + this.below(3) }, () => this.statement(depth, where)).join(' ');
  }

  statement(depth, where) {
    const log = () => `log(${this.label()});`;
    if (!this.mayGrow(depth)) return log();
    const choices = [
      log,
      () => `tick(() => { ${this.statements(depth - 1, {})} });`,
      () => `micro(() => { ${this.statements(depth - 1, {})} });`,
      () => `immediate(() => { ${this.statements(depth - 1, {})} });`,
      () => `${this.chain(depth)};`,
      () => `${this.promise(depth)}.then((value) => log(${this.label()}, value), (error) => log(${this.label()}, error));`,
      () => `${this.combinator(depth)}.then((value) => log(${this.label()}, value), (error) => log(${this.label()}, error));`,
      () => this.asyncCall(depth),
      () => this.asyncCall(depth),
      () => this.drive(depth),
      () => this.deferred(depth),
      () => this.rejection(),
    ];
    if (where.async) {
      choices.push(
        () => `log(${this.label()}, await ${this.value(depth - 1)});`,
        () => `log(${this.label()}, await ${this.promise(depth - 1)});`,
        () => `await ${this.value(depth - 1)}; ${log()}`,
        () => `try { await ${this.value(depth - 1)}; ${log()} } catch (error) { log(${this.label()}, error); } finally { ${log()} }`,
        () => this.loop(depth - 1),
      );
    }
    return this.pick(choices)();
  }

  asyncCall(depth) {
    const end = this.chance(0.3) ? '' : `.then((value) => log(${this.label()}, value), (error) => log(${this.label()}, error))`;
    const body = this.statements(depth - 1, { async: true });
    const result = this.chance(0.5) ? `return ${this.value(depth - 1)};` : '';
    return `(async () => { ${body} ${this.chance(0.3) ? this.loop(depth - 1) : ''} ${result} })()${end};`;
  }

  deferred(depth) {
    const name = this.name('deferred');
    const settle = this.pick([`${name}.resolve(${this.value(depth - 1)});`, `${name}.reject(${this.error()});`]);
    return `const ${name} = Promise.withResolvers(); ${name}.promise${this.link(depth - 1)}.catch(() => log(${this.label()})); `
      + `${this.statements(depth - 1, {})} ${this.chance(0.5) ? settle : this.later(settle)}`;
  }

  // A rejection that nobody handles, or somebody later.
  rejection() {
    const name = this.name('rejected');
    const late = this.chance(0.5) ? `${this.pick(['tick', 'micro', 'immediate'])}(() => { ${name}.catch((error) => log(${this.label()}, error)); });` : '';
    return `const ${name} = Promise.reject(${this.error()}); ${late}`;
  }
}

function generate(seed) {
  const writer = new Writer(seed);
  return Array.from({ length: 1 + writer.below(2) }, () => {
    writer.size = 0;
    const phase = writer.pick(kPhases);
    const parts = Array.from({ length: 2 + writer.below(3) }, () => writer.statement(5, {}));
    return { phase, body: parts.join('\n') };
  });
}

module.exports = { generate };
