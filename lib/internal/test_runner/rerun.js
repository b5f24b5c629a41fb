// natives: none
// --test-rerun-failures: a file remembers, run by run, the tests that passed; in the next run they pass without being run.
'use strict';

const { relative } = require('internal/path/path');

const placeOf = (cwd, { file, line, column }) => `${relative(cwd, file)}:${line}:${column}`;

// Several tests may be declared at one place (in a loop): the second is `place:(1)`, and so on.
class Places {
  #counts = new Map();

  next(place) {
    const count = this.#counts.get(place) ?? 0;
    this.#counts.set(place, count + 1);
    return count === 0 ? place : `${place}:(${count})`;
  }
}

// The previous run's record of `test`, if it passed then: { attempt, passed_on_attempt, children, duration_ms }.
function previousOutcome(test, { previousRuns, places, config }) {
  if (previousRuns === null || test.location === undefined) return undefined;
  const id = places.next(placeOf(config.cwd, test.location));
  const attempt = previousRuns.length;
  return { attempt, passed: previousRuns[attempt - 1]?.[id] };
}

function readRuns(path) {
  const { readFileSync } = require('internal/fs/fs');
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
  return JSON.parse(text);
}

// The tests that ran inside the test whose outcome is told, from the order of the events.
class Nesting {
  #current = null;

  start(data) {
    const started = { data, parent: this.#current, children: [] };
    if (this.#current !== null) arrayPush.call(this.#current.children, started);
    this.#current = started;
  }

  end(data) {
    if (this.#current === null || this.#current.data.name !== data.name || this.#current.data.nesting !== data.nesting) this.start(data);
    const ended = this.#current;
    this.#current = ended.parent;
    return arrayMap.call(ended.children, (child) => child.data);
  }
}

// A reporter that writes the file when the run is over.
function rerunReporter(previousRuns, { cwd, rerunFailuresFilePath }) {
  return async function reporter(source) {
    const passed = { __proto__: null };
    const places = new Places();
    const nesting = new Nesting();
    for await (const { type, data } of source) {
      if (type === 'test:start') nesting.start(data);
      if (type !== 'test:pass' && type !== 'test:fail') continue;
      const children = nesting.end(data);
      if (data.file === undefined) continue;
      const id = places.next(placeOf(cwd, data));
      if (type === 'test:fail') continue;
      const { attempt, passed_on_attempt: before, duration_ms: duration } = data.details;
      passed[id] = { __proto__: null, name: data.name, children, passed_on_attempt: before ?? attempt, duration_ms: duration };
    }
    arrayPush.call(previousRuns, passed);
    require('internal/fs/fs').writeFileSync(rerunFailuresFilePath, JSON.stringify(previousRuns, null, 2), 'utf8');
  };
}

module.exports = { Places, previousOutcome, readRuns, rerunReporter };
