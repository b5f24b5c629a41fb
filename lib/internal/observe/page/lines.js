// natives: none
// Runs and times of tasks by the line at which their function stands, and the output of each line.
'use strict';

const { placeOf } = require('internal/observe/page/sentences');

class LineCounts {
  constructor(model) {
    this.model = model;
    this.places = new Map(); // name → { file, line }
    this.allFiles = null;
  }

  place(name) {
    let known = this.places.get(name);
    if (known === undefined) this.places.set(name, (known = placeOf(name)));
    return known;
  }

  // Files that a name of the program has, the busiest first.
  files() {
    if (this.allFiles !== null) return this.allFiles;
    const counts = new Map();
    for (const { name } of this.model.tasks.values()) {
      const { file } = this.place(name);
      if (file !== '') counts.set(file, (counts.get(file) ?? 0) + 1);
    }
    for (const { place } of this.model.run.outputs) {
      const { file } = this.place(place);
      if (file !== '') counts.set(file, (counts.get(file) ?? 0) + 1);
    }
    this.allFiles = [...counts].sort((a, b) => b[1] - a[1]).map(([file]) => file);
    return this.allFiles;
  }

  // line → { count, ns } of the tasks that have begun by `time`, and { output: [text] } of what was printed by `step`
  of(file, step, time) {
    const lines = new Map();
    const entry = (line) => {
      if (!lines.has(line)) lines.set(line, { count: 0, ns: 0, output: [] });
      return lines.get(line);
    };
    for (const task of this.model.begunTasks()) {
      if (task.begin > time) break;
      const place = this.place(task.name);
      if (place.file !== file) continue;
      const one = entry(place.line);
      one.count++;
      one.ns += Math.max(0, Math.min(task.end ?? time, time) - task.begin);
    }
    for (const { place, text } of this.model.outputAt(step)) {
      const found = this.place(place);
      if (found.file === file) entry(found.line).output.push(text);
    }
    return lines;
  }

  // The place of the innermost task that has one: { file, line }
  running(step) {
    const { stack } = this.model.stateAt(step);
    for (let i = stack.length - 1; i >= 0; i--) {
      const place = this.place(this.model.label(stack[i]).name);
      if (place.file !== '') return place;
    }
    return undefined;
  }
}

module.exports = { LineCounts };
