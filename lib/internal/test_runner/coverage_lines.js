// natives: none
// The lines of source files, with the comments that leave lines out of coverage:
// `/* node:coverage ignore next */`, `... ignore next 3 */`, `... disable */`, `... enable */`.
'use strict';

const kIgnore = /\/\* node:coverage ignore next (?:(\d+) )?\*\//;
const kSwitch = /\/\* node:coverage (enable|disable) \*\//;
const kTypeScript = /\.[cm]?ts$/;

// [{ line, start, end, text, isIgnored, count }]: offsets with `end` before the line's break.
function splitLines(source) {
  const lines = [];
  let ignoring = 0;
  let isEnabled = true;
  let offset = 0;
  for (const text of each(regexpSplit.call(/(?<=\n)/, source))) {
    const end = offset + replaceMatches(text, /\r?\n$/g, '').length;
    const line = { line: lines.length + 1, start: offset, end, text, isIgnored: ignoring > 0 || !isEnabled, count: 0 };
    offset += text.length;
    if (ignoring > 0) ignoring--;
    if (!line.isIgnored) {
      const ignore = regexpExec.call(kIgnore, text);
      if (ignore !== null) ignoring = Number(ignore[1] ?? 1);
    }
    const change = regexpExec.call(kSwitch, text);
    if (change !== null) {
      ignoring = 0;
      isEnabled = change[1] === 'enable';
    }
    arrayPush.call(lines, line);
  }
  return lines;
}

// Lines of types alone are no code.
function ignoreTypeLines(lines, source) {
  let stripped;
  try {
    stripped = regexpSplit.call(/(?<=\n)/, require('internal/modules/typescript').strip(source, ''));
  } catch {
    return;
  }
  arrayForEach.call(lines, (line, i) => {
    const isBlank = (text) => stringTrim.call(text).length === 0;
    if (!isBlank(line.text) && stripped[i] !== undefined && isBlank(stripped[i])) line.isIgnored = true;
  });
}

class SourceLines {
  #files = new Map();

  // undefined: it can no longer be read. `given`: the text, where a source map has it.
  get(url, given) {
    if (this.#files.has(url)) return this.#files.get(url);
    let lines;
    try {
      const source = given ?? require('internal/fs/fs').readFileSync(require('internal/url/url').fileURLToPath(url), 'utf8');
      lines = splitLines(source);
      if (regexpTest.call(kTypeScript, url)) ignoreTypeLines(lines, source);
    } catch {
      lines = undefined;
    }
    this.#files.set(url, lines);
    return lines;
  }
}

module.exports = { SourceLines };
