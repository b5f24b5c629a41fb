// natives: none
// Lowered `using` declarations (internal/modules/lower_using) at run time: the resources of one scope, disposed of in reverse order at its
// end. https://tc39.es/ecma262/#sec-disposeresources. Loaded in the realm of the code, see realm.js.
'use strict';

// Of the realm that this file is loaded in; the exported function sets them.
let SuppressedError;
let TypeError;
let apply;
let asyncDispose;
let dispose;

module.exports = (intrinsics) => {
  ({ SuppressedError, TypeError, apply, asyncDispose, dispose } = intrinsics);
  return functions;
};

function methodOf(value, isAsync) {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function')
    throw new TypeError('The value to dispose of is not an object');
  let method = isAsync ? value[asyncDispose] : undefined;
  const isSync = method === undefined || method === null;
  if (isSync) method = value[dispose];
  if (method === undefined || method === null)
    throw new TypeError(`The value has no ${isAsync ? 'Symbol.asyncDispose' : 'Symbol.dispose'} method`);
  if (typeof method !== 'function') throw new TypeError('The value of Symbol.dispose is not a function');
  return { method, awaitsResult: isAsync && !isSync };
}

class UsingScope {
  #resources = [];
  #failure;

  use(value) {
    if (value === null || value === undefined) return;
    const { method } = methodOf(value, false);
    this.#resources.push({ value, method, isAsync: false });
  }

  useAsync(value) {
    if (value === null || value === undefined) {
      this.#resources.push({ method: undefined, isAsync: true });
      return;
    }
    const { method, awaitsResult } = methodOf(value, true);
    this.#resources.push({ value, method, isAsync: true, awaitsResult });
  }

  fail(error) {
    this.#failure = { error };
  }

  #note(error) {
    this.#failure = { error: this.#failure === undefined ? error : new SuppressedError(error, this.#failure.error) };
  }

  // Throws what the scope threw, or what disposing did; with an async resource gives a promise of that.
  end() {
    if (this.#resources.some(({ isAsync }) => isAsync)) return this.#endAsync();
    for (let i = this.#resources.length - 1; i >= 0; i--) {
      const { value, method } = this.#resources[i];
      try {
        apply(method, value, []);
      } catch (error) {
        this.#note(error);
      }
    }
    if (this.#failure !== undefined) throw this.#failure.error;
    return undefined;
  }

  async #endAsync() {
    let owesAwait = false; // of null and undefined: one for all
    let hasAwaited = false;
    for (let i = this.#resources.length - 1; i >= 0; i--) {
      const { value, method, isAsync, awaitsResult } = this.#resources[i];
      if (!isAsync && owesAwait && !hasAwaited) {
        await undefined;
        owesAwait = false;
      }
      if (method === undefined) {
        owesAwait = true;
        continue;
      }
      try {
        const result = apply(method, value, []);
        if (isAsync) {
          hasAwaited = true;
          await (awaitsResult ? result : undefined);
        }
      } catch (error) {
        this.#note(error);
      }
    }
    if (owesAwait && !hasAwaited) await undefined;
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}

const functions = { makeScope: () => new UsingScope() };
