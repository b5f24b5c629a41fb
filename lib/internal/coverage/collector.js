// natives: coverage
// NODE_V8_COVERAGE: counts what the program runs, and writes it at its end (or when v8.takeCoverage() asks) in the form of V8's
// profiler, which c8 and the test runner read. The counters are the engine's (engine/core/coverage.h).
'use strict';

const binding = native('coverage');
const { toFunctions } = require('internal/coverage/v8_form');

let directory = null;
let counted = new Map(); // script and place -> the count that was written already
let written = 0;
let users = 0;

// The engine counts while somebody asks for it. In the middle of a program, functions count from their next call on.
function startCounting(isLate) {
  if (users++ > 0) return;
  if (isLate) binding.startLate();
  else binding.start();
}

function stopCounting() {
  if (--users === 0) binding.stop();
}

function start(into) {
  directory = require('internal/path/path').resolve(into);
  startCounting(false);
}

// Counts beyond those in `counted`, as [{ scriptId, url, functions }].
function take(resets, before = counted) {
  const { pathToFileURL } = require('internal/url/url');
  const result = [];
  const maps = {};
  for (const { id, url, text, functions, blocks } of each(binding.read())) {
    const href = url[0] === '/' ? pathToFileURL(url).href : url;
    if (!stringStartsWith.call(href, 'file:') || !hasRun(blocks)) continue;
    const fresh = since(id, blocks, resets, before);
    arrayPush.call(result, { scriptId: `${id}`, url: href, functions: toFunctions(text, functions, fresh) });
    const map = require('internal/source_map/cache').mapOf(href, text);
    if (map !== undefined) maps[href] = map;
  }
  return { result, maps };
}

// A file may be compiled and not run, to learn what it is.
function hasRun(blocks) {
  for (let i = 2; i < blocks.length; i += 3) if (blocks[i] > 0) return true;
  return false;
}

function since(id, blocks, resets, before) {
  const fresh = arraySlice.call(blocks);
  for (let i = 0; i < blocks.length; i += 3) {
    const key = `${id}:${blocks[i]}:${blocks[i + 1]}`;
    fresh[i + 2] -= before.get(key) ?? 0;
    if (resets) before.set(key, blocks[i + 2]);
  }
  return fresh;
}

function write(resets = false) {
  if (directory === null) return;
  const { mkdirSync, writeFileSync } = require('internal/fs/fs');
  const { threadId } = requireLater('internal/worker/worker_threads');
  const timestamp = Date.now() + written++;
  const { result, maps } = take(resets);
  const content = { result, timestamp };
  if (Object.keys(maps).length > 0) content['source-map-cache'] = maps;
  try {
    mkdirSync(directory, { recursive: true });
    const file = `${directory}/coverage-${process.pid}-${timestamp}-${threadId}.json`;
    writeFileSync(file, JSON.stringify(content));
  } catch (error) {
    process._rawDebug(`Failed to write the coverage: ${error.message}`);
  }
}

function stop() {
  if (directory === null) return;
  directory = null;
  counted = new Map();
  stopCounting();
}

module.exports = { start, startCounting, stop, stopCounting, take, write };
