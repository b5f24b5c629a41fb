// Called by tools/check_text: every file that a comment of the sources or a page of docs/ names must exist.
//
//   - a path from the top of the repository (`src/loop/loop.cpp`, `tests/js/fs`), in comments and in pages;
//   - the target of a link in a page, from the page's folder;
//   - a bare file name between backticks in a page (`error_makers.cpp`): some file has that name;
//   - a module of lib/ (`internal/streams/destroy`) in a comment of lib/.
//
// And no source has a name that was replaced by a plainer one (CONTRIBUTING.md, "Words").
//
// Generated files, and examples of names (app.js), are in kNotHere.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { execFileSync } = require('node:child_process');

const kTops = 'src|include|lib|tests|tools|docs|cmake|bench|examples|types';
const kPath = new RegExp(`(?<![\\w./$@{}<-])((?:${kTops})/[\\w.{},*/-]*[\\w}*])`, 'g');
const kLink = /\[[^\]]+\]\(([\w-]*[./][\w./-]+)(?:#[^)]*)?\)/g;
const kBare = /`([a-z][\w-]*\.(?:cpp|h|js|cmake|md|svg|sh|tsv))`/g;
const kModule = /(?<![\w./:-])((?:internal|html|bootstrap)\/[a-z0-9_]+(?:\/[a-z0-9_]+)?)(?![\w/])/g;
const kNotHere = [
  /^lib\/rondo\b/, // where the binary is installed
  /^include\/rondo\/version\.h$/,
  /^docs\/decisions\/NNNN/,
  /\/count_processes\b/, // the example of docs/adding-a-builtin.md
  /\/(NAME|MODULE|CASE|BEHAVIOUR|X|x|y)\b/,
];
const kExamples = new Set([
  'app.js',
  'server.js',
  'worker.js',
  'main.js',
  'index.js',
  'page.js',
  'config.js',
  'x.h',
  'x.cpp',
  'x_test.cpp',
  'package.js',
]);

// Names of earlier days → the name in their place.
const kReplaced = [
  [/\b00_own\b|kOwnNames/, 'primordials'],
  [/luggage/i, 'transferables'],
  [/\bWay::|\bfile_way\b/, 'FileRoute, file_route'],
  [/\bFsTask\b|runtime::Tasks\b/, 'FsCall, TaskTrace'],
  [/\bare_watched\b|\bisWatched\b/, 'is_traced, isTraced'],
  [/\bHasTicks\b/, 'HasQueuedWork'],
  [/\bsurroundings\b/, 'process_setup'],
  [/_at_rest\b|\bat rest\b|\bresting\b/, 'idle'],
  [
    /\bbare_machine\b|\bdate_joint\b|\bany_error\b|\bending_heap\b/,
    'missing_proc_sys, date_time_pattern, promise_any_message, heap_teardown',
  ],
  [/\blattices\b|\bsponges\b|\blater_zlib\b|\bown_prototype\b/, 'ml_kem_ml_dsa, shake, lazy_zlib, poly_proto'],
];

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && fs.existsSync(file));
const known = new Set(files);
const baseNames = new Set();
for (const file of files) {
  baseNames.add(path.basename(file));
  for (let folder = path.dirname(file); folder !== '.'; folder = path.dirname(folder)) known.add(folder);
}

const faults = [];

// a/{b,c}.h → a/b.h, a/c.h
function expand(name) {
  const braces = /^(.*)\{([^}]*)\}(.*)$/.exec(name);
  return braces === null ? [name] : braces[2].split(',').flatMap((part) => expand(braces[1] + part + braces[3]));
}

function exists(name) {
  if (known.has(name.replace(/\/$/, '')) || fs.existsSync(name)) return true;
  if (name.includes('*')) {
    const pattern = new RegExp(`^${name.replaceAll(/[.+]/g, '\\$&').replaceAll(/\*+/g, '.*')}`);
    return files.some((file) => pattern.test(file));
  }
  // A name without its ending: `src/loop/loop` for loop.h and loop.cpp.
  return ['.h', '.cpp', '.js', '.md', '.test.js'].some((ending) => known.has(name + ending));
}

function look(file, line, number, pattern, resolve) {
  for (const [, name] of line.matchAll(pattern)) {
    for (const one of expand(name)) {
      const target = one.replace(/[.,]+$/, '');
      if (kNotHere.some((example) => example.test(target)) || resolve(target)) continue;
      faults.push(`${file}:${number}: names ${target}, which does not exist`);
    }
  }
}

function lookAtPage(file, line, number) {
  look(file, line, number, kPath, exists);
  look(file, line, number, kLink, (name) => exists(path.normalize(path.join(path.dirname(file), name))));
  look(file, line, number, kBare, (name) => baseNames.has(name) || kExamples.has(name));
}

function lookAtSource(file, line, number) {
  for (const [word, instead] of kReplaced) {
    if (word.test(line) && file !== 'tools/check_names.js') faults.push(`${file}:${number}: ${word.exec(line)[0]}: say ${instead}`);
  }
  const comment = /(?:^|\s)(?:\/\/|#) (.*)$/.exec(line);
  if (comment === null) return;
  look(file, comment[1], number, kPath, exists);
  if (!file.startsWith('lib/')) return;
  look(file, comment[1], number, kModule, (id) => known.has(`lib/${id}.js`) || known.has(`lib/${id}`) || known.has(`src/${id}`));
}

for (const file of files) {
  const isPage = file.endsWith('.md') && file !== 'CHANGELOG.md';
  const isSource = /^(src|include|lib|tools|cmake|bench|examples)\/|^tests\/[a-z_]+$/.test(file) && !/\.(md|json|svg)$/.test(file);
  if (!isPage && !isSource) continue;
  const visit = isPage ? lookAtPage : lookAtSource;
  fs.readFileSync(file, 'utf8')
    .split('\n')
    .forEach((line, i) => visit(file, line, i + 1));
}
for (const fault of faults) console.log(`text: ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;
