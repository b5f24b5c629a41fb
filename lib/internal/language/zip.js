// natives: none
// Iterator.zip and Iterator.zipKeyed, https://tc39.es/proposal-joint-iteration. iterator.js hands over its classes and functions.
'use strict';

// Of the realm that this file is loaded in; the exported function sets them.
let IteratorHelper;
let Source;
let TypeError;
let abandon;
let apply;
let close;
let flattenable;
let isObject;
let kIterator;
let methodOf;
let ownKeys;
let ownProperty;

module.exports = (intrinsics) => {
  ({ IteratorHelper, Source, TypeError, abandon, apply, close, flattenable, isObject, kIterator, methodOf, ownKeys, ownProperty } =
    intrinsics);
  return functions;
};

const kModes = ['shortest', 'longest', 'strict'];

function iteratorOf(iterable) {
  const method = methodOf(iterable, kIterator);
  if (method === undefined) throw new TypeError('The value is not iterable');
  const iterator = apply(method, iterable, []);
  if (!isObject(iterator)) throw new TypeError('The result of Symbol.iterator is not an object');
  return new Source(iterator);
}

// Closes all, the last first; an error that closing throws counts where there was none before.
function closeAll(sources, failure) {
  for (let i = sources.length - 1; i >= 0; i--) {
    try {
      if (failure === undefined) close(sources[i].iterator);
      else abandon(sources[i].iterator);
    } catch (error) {
      failure = { error };
    }
  }
  if (failure !== undefined) throw failure.error;
}

// The value of `get`; what it throws closes the sources.
function guarded(sources, get) {
  try {
    return get();
  } catch (error) {
    return closeAll(sources, { error });
  }
}

function readOptions(options) {
  if (options !== undefined && !isObject(options)) throw new TypeError('options is not an object');
  const { mode: given } = options ?? {};
  const mode = given === undefined ? 'shortest' : given;
  if (!kModes.includes(mode)) throw new TypeError(`mode must be one of ${kModes}`);
  const padding = mode === 'longest' ? options.padding : undefined;
  if (padding !== undefined && !isObject(padding)) throw new TypeError('padding is not an object');
  return { mode, padding };
}

// As many values of the iterable as there are sources.
function paddingOf(iterable, sources) {
  const values = [];
  const from = guarded(sources, () => iteratorOf(iterable));
  let isOpen = true;
  for (let i = 0; i < sources.length; i++) {
    if (isOpen) {
      const result = guarded(sources, () => {
        const step = from.step();
        return step === undefined ? undefined : { value: step.value };
      });
      isOpen = result !== undefined;
      values[i] = result?.value;
    } else {
      values[i] = undefined;
    }
  }
  if (isOpen) guarded(sources, () => close(from.iterator));
  return values;
}

// A helper whose values are finish(list of results).
function zipped(sources, mode, padding, finish) {
  const open = [...sources];
  const remove = (source) => {
    open.splice(open.indexOf(source), 1);
  };
  // { value }, or undefined at its end; a source that throws is not closed.
  function stepOf(source) {
    try {
      const step = source.step();
      if (step !== undefined) return { value: step.value };
      remove(source);
      return undefined;
    } catch (error) {
      remove(source);
      return closeAll(open, { error });
    }
  }
  // In strict mode the others must end with the first.
  function endTogether() {
    for (let i = 1; i < sources.length; i++) {
      if (stepOf(sources[i]) !== undefined) closeAll(open, { error: new TypeError('Iterators have different lengths') });
    }
  }
  function next() {
    if (sources.length === 0) return undefined;
    const results = [];
    for (let i = 0; i < sources.length; i++) {
      const step = sources[i] === null ? undefined : stepOf(sources[i]);
      if (step !== undefined) {
        results[i] = step.value;
        continue;
      }
      if (mode === 'shortest') return closeAll(open);
      if (mode === 'strict') {
        if (i !== 0) return closeAll(open, { error: new TypeError('Iterators have different lengths') });
        return endTogether();
      }
      if (open.length === 0) return undefined;
      sources[i] = null;
      results[i] = padding[i];
    }
    return { value: finish(results), done: false };
  }
  return new IteratorHelper(next, () => closeAll(open));
}

const functions = {
  zip(iterables, options = undefined) {
    if (!isObject(iterables)) throw new TypeError('iterables is not an object');
    const { mode, padding } = readOptions(options);
    const sources = [];
    const from = iteratorOf(iterables);
    for (;;) {
      const step = guarded(sources, () => {
        const result = from.step();
        return result === undefined ? undefined : { value: result.value };
      });
      if (step === undefined) break;
      sources.push(guarded([from, ...sources], () => flattenable(step.value, false)));
    }
    const values = mode === 'longest' && padding !== undefined ? paddingOf(padding, sources) : [];
    return zipped(sources, mode, values, (results) => results);
  },

  zipKeyed(iterables, options = undefined) {
    if (!isObject(iterables)) throw new TypeError('iterables is not an object');
    const { mode, padding } = readOptions(options);
    const sources = [];
    const keys = [];
    for (const key of ownKeys(iterables)) {
      const own = guarded(sources, () => ownProperty(iterables, key));
      if (!own?.enumerable) continue;
      const value = guarded(sources, () => iterables[key]);
      if (value === undefined) continue;
      keys.push(key);
      sources.push(guarded(sources, () => flattenable(value, false)));
    }
    const values = mode === 'longest' && padding !== undefined ? keys.map((key) => guarded(sources, () => padding[key])) : [];
    return zipped(sources, mode, values, (results) => {
      const object = { __proto__: null };
      keys.forEach((key, i) => {
        object[key] = results[i];
      });
      return object;
    });
  },
};
