// natives: none
// Coverage of generated files, told of the sources they were made from.
'use strict';

const { codes } = require('internal/errors/coded');

// Lines of the generated file, from their lengths alone.
function generatedLines(lengths) {
  let offset = 0;
  return arrayMap.call(lengths, (length) => {
    const start = offset;
    offset += length + 1;
    return { start, end: start + length };
  });
}

function placeOf(lines, offset) {
  let line = 0;
  while (line + 1 < lines.length && lines[line + 1].start <= offset) line++;
  return { line, column: Math.max(0, offset - lines[line].start) };
}

class ScriptMapper {
  #generated;
  #map;
  #url;
  #sources;

  constructor(url, { data, lineLengths }, sources) {
    const { SourceMap } = require('internal/source_map/source_map');
    if (!data) throw new codes.ERR_SOURCE_MAP_CORRUPT(url);
    this.#url = url;
    this.#sources = sources;
    this.#generated = generatedLines(lineLengths);
    this.#map = new SourceMap(data, { lineLengths });
    arrayForEach.call(data.sources, (source, i) => {
      if (data.sourcesContent?.[i] != null) sources.get(source, data.sourcesContent[i]);
    });
  }

  #entry(offset) {
    const { line, column } = placeOf(this.#generated, offset);
    return this.#map.findEntry(line, column);
  }

  // undefined: no source has it.
  original({ startOffset, endOffset, count }) {
    let first = this.#entry(startOffset);
    const last = this.#entry(Math.max(startOffset, endOffset - 1));
    if (!first.originalSource && startOffset === 0 && last.originalSource)
      first = { originalSource: last.originalSource, originalLine: 0, originalColumn: 0 };
    if (!first.originalSource || first.originalSource !== last.originalSource) return undefined;
    const lines = this.#sources.get(first.originalSource);
    if (lines === undefined) throw new codes.ERR_SOURCE_MAP_MISSING_SOURCE(first.originalSource, this.#url);
    const offsetOf = ({ originalLine, originalColumn }) => {
      const line = lines[Math.max(originalLine, 0)];
      return line === undefined ? -1 : Math.min(line.start + originalColumn, line.end);
    };
    const start = offsetOf(first);
    const end = startOffset === 0 && last.originalLine === lines.length - 1 ? lines[lines.length - 1].end : offsetOf(last) + 1;
    return start < 0 || end < 1 ? undefined : { source: first.originalSource, range: { startOffset: start, endOffset: end, count } };
  }
}

function mapScripts(scripts, maps, sources, isSkipped) {
  const mapped = new Map();
  for (const script of each(scripts)) {
    const { url, functions } = script;
    if (maps[url] == null || isSkipped(url)) {
      mapped.set(url, script);
      continue;
    }
    const mapper = new ScriptMapper(url, maps[url], sources);
    for (const { functionName, isBlockCoverage, ranges } of each(functions)) {
      const found = arrayFilter.call(
        arrayMap.call(ranges, (range) => mapper.original(range)),
        (entry) => entry !== undefined,
      );
      if (found.length === 0) continue;
      const { source } = found[0];
      if (!mapped.has(source)) mapped.set(source, { url: source, functions: [] });
      arrayPush.call(mapped.get(source).functions, { functionName, isBlockCoverage, ranges: arrayMap.call(found, (entry) => entry.range) });
    }
  }
  return [...each(mapped.values())];
}

module.exports = { mapScripts };
