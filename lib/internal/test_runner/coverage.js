// natives: none
// The test runner's coverage: NODE_V8_COVERAGE names a folder of its own for this process and the files' processes; when the run is
// over the counts in it are merged and summed up by lines, branches and functions.
'use strict';

const { join, relative, resolve } = require('internal/path/path');
const { fileURLToPath } = require('internal/url/url');
const {
  codes: { ERR_OPERATION_FAILED },
} = require('internal/errors/coded');
const { SourceLines } = require('internal/test_runner/coverage_lines');
const { mergeScript } = require('internal/test_runner/coverage_merge');

const kFileName = /^coverage-\d+-\d{13}-\d+\.json$/;
const kSources = '**/*.{cjs,cts,js,mjs,mts,ts}';
const kTotals = ['Line', 'Branch', 'Function'];

const percent = (covered, total) => (total === 0 ? 100 : (covered / total) * 100);

class TestCoverage {
  #directory;
  #outerDirectory; // where the user wants the files
  #options;
  #lines;
  #matchers;
  #isSkipped = new Map();

  constructor(directory, outerDirectory, options) {
    this.#directory = directory;
    this.#outerDirectory = outerDirectory;
    this.#options = options;
    this.#lines = new SourceLines();
    const { compileGlob } = require('internal/fs/glob_pattern');
    const compile = (globs) => arrayMap.call(globs ?? [], (glob) => compileGlob(glob));
    this.#matchers = { exclude: compile(options.coverageExcludeGlobs), include: compile(options.coverageIncludeGlobs) };
  }

  #skips(url) {
    let skips = this.#isSkipped.get(url);
    if (skips === undefined) this.#isSkipped.set(url, (skips = this.#decide(url)));
    return skips;
  }

  #decide(url) {
    if (!stringStartsWith.call(url, 'file:')) return true;
    const path = fileURLToPath(url);
    const place = relative(this.#options.cwd, path);
    const fits = (match) => match(place) || match(path);
    const { exclude, include } = this.#matchers;
    if (arraySome.call(exclude, fits)) return true;
    if (include.length > 0) return !arraySome.call(include, fits);
    const { kParameter } = require('internal/test_runner/mock/modules');
    return stringIncludes.call(url, `${kParameter}=`) || stringIncludes.call(url, '/node_modules/');
  }

  summary() {
    // With a process for each file, `rondo --test` itself runs reporters only.
    const runsTests = this.#options.isolation !== 'process' || !require('internal/process/options').getOptionValue('--test');
    if (runsTests) require('internal/coverage/collector').write();
    const { cwd, lineCoverage, branchCoverage, functionCoverage } = this.#options;
    const totals = { __proto__: null };
    for (const prefix of each(['total', 'covered'])) {
      for (const kind of each(kTotals)) totals[`${prefix}${kind}Count`] = 0;
    }
    const files = [];
    for (const script of each(this.#readAll())) {
      const lines = this.#lines.get(script.url);
      if (lines === undefined) continue;
      const file = { __proto__: null, path: fileURLToPath(script.url), ...summarize(script, lines) };
      arrayPush.call(files, file);
      for (const key of each(Object.keys(totals))) totals[key] += file[key];
    }
    for (const kind of each(kTotals)) totals[`covered${kind}Percent`] = percent(totals[`covered${kind}Count`], totals[`total${kind}Count`]);
    arraySort.call(files, (a, b) => stringLocaleCompare.call(a.path, b.path));
    const thresholds = { __proto__: null, line: lineCoverage, branch: branchCoverage, function: functionCoverage };
    return { __proto__: null, workingDirectory: cwd, files, totals, thresholds };
  }

  // Scripts of all processes, those of one URL merged.
  #readAll() {
    const merged = new Map();
    const { readdirSync, readFileSync } = require('internal/fs/fs');
    for (const name of each(readdirSync(this.#directory))) {
      if (!regexpTest.call(kFileName, name)) continue;
      const path = join(this.#directory, name);
      let content;
      try {
        content = JSON.parse(readFileSync(path, 'utf8'));
      } catch (cause) {
        throw Object.assign(new ERR_OPERATION_FAILED(`failed to parse coverage file ${path}: ${cause.message}`), { cause });
      }
      for (const script of each(this.#mapped(content))) {
        if (this.#skips(script.url)) continue;
        const known = merged.get(script.url);
        if (known === undefined) merged.set(script.url, script);
        else mergeScript(known, script);
      }
    }
    if (this.#options.coverageIncludeAll) this.#addUnused(merged);
    return [...each(merged.values())];
  }

  #mapped({ result, 'source-map-cache': maps }) {
    if (!this.#options.sourceMaps || !maps) return result;
    const { mapScripts } = require('internal/test_runner/coverage_source_maps');
    return mapScripts(result, maps, this.#lines, (url) => this.#skips(url));
  }

  // --test-coverage-include-all: files that no test loaded are not covered.
  #addUnused(merged) {
    const { globSync } = require('internal/fs/fs');
    const { pathToFileURL } = require('internal/url/url');
    for (const file of each(globSync(kSources, { cwd: this.#options.cwd, exclude: (name) => name === 'node_modules' }))) {
      const { href } = pathToFileURL(resolve(this.#options.cwd, file));
      if (merged.has(href) || this.#skips(href)) continue;
      const lines = this.#lines.get(href);
      if (lines === undefined || lines.length === 0) continue;
      const { start, text } = lines[lines.length - 1];
      const ranges = [{ startOffset: 0, endOffset: start + text.length, count: 0 }];
      merged.set(href, { url: href, functions: [{ functionName: '', isBlockCoverage: false, ranges }] });
    }
  }

  // The files go where the user wants them.
  cleanUp() {
    const { copyFileSync, mkdirSync, readdirSync, rmSync } = require('internal/fs/fs');
    require('internal/coverage/collector').stop();
    if (this.#outerDirectory === undefined) {
      delete process.env.NODE_V8_COVERAGE;
    } else {
      process.env.NODE_V8_COVERAGE = this.#outerDirectory;
      mkdirSync(this.#outerDirectory, { recursive: true });
      for (const name of each(readdirSync(this.#directory))) copyFileSync(join(this.#directory, name), join(this.#outerDirectory, name));
    }
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

// Lines, branches and functions of one file. A range that covers a whole line decides its count; the innermost comes last.
function summarize({ functions }, lines) {
  const branches = [];
  const called = [];
  const covered = { branches: 0, functions: 0 };
  for (const line of each(lines)) line.count = line.start === line.end ? 1 : 0;
  arrayForEach.call(functions, ({ functionName, isBlockCoverage, ranges }, i) => {
    let most = 0;
    let first;
    for (const range of each(ranges)) {
      const touched = markLines(range, lines);
      const isIgnored = touched.length > 0 && arrayEvery.call(touched, (line) => line.isIgnored);
      first ??= { line: touched[0]?.line, isCovered: range.count !== 0 || isIgnored };
      most = Math.max(most, range.count);
      if (!isBlockCoverage) continue;
      arrayPush.call(branches, { __proto__: null, line: touched[0]?.line, count: range.count });
      if (range.count !== 0 || isIgnored) covered.branches++;
    }
    if (i === 0 || first === undefined) return;
    arrayPush.call(called, { __proto__: null, name: functionName, count: most, line: first.line });
    if (first.isCovered) covered.functions++;
  });
  const shown = arrayFilter.call(lines, (line) => !line.isIgnored);
  const coveredLines = arrayFilter.call(lines, (line) => line.count > 0 || line.isIgnored).length;
  return {
    totalLineCount: lines.length,
    totalBranchCount: branches.length,
    totalFunctionCount: called.length,
    coveredLineCount: coveredLines,
    coveredBranchCount: covered.branches,
    coveredFunctionCount: covered.functions,
    coveredLinePercent: percent(coveredLines, lines.length),
    coveredBranchPercent: percent(covered.branches, branches.length),
    coveredFunctionPercent: percent(covered.functions, called.length),
    functions: called,
    branches,
    lines: arrayMap.call(shown, ({ line, count }) => ({ __proto__: null, line, count })),
  };
}

// The lines that a range touches.
function markLines({ startOffset, endOffset, count }, lines) {
  const touched = [];
  let first = 0;
  let last = lines.length;
  while (first < last) {
    const middle = (first + last) >>> 1;
    if (lines[middle].end < startOffset) first = middle + 1;
    else last = middle;
  }
  for (let i = first; i < lines.length && lines[i].start < endOffset; i++) {
    if (startOffset <= lines[i].start && endOffset >= lines[i].end) lines[i].count = count;
    arrayPush.call(touched, lines[i]);
  }
  return touched;
}

function startTestCoverage(options) {
  const { NODE_V8_COVERAGE: outer } = process.env;
  const directory = require('internal/fs/fs').mkdtempSync(join(require('internal/os/os').tmpdir(), 'node-coverage-'));
  require('internal/coverage/collector').start(directory);
  process.env.NODE_V8_COVERAGE = directory;
  return new TestCoverage(directory, outer ? resolve(options.cwd, outer) : undefined, options);
}

module.exports = { startTestCoverage };
