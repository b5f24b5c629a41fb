// natives: process, stdio
//
// rondo --run NAME: a script of the nearest package.json. This process becomes the shell that runs it: signals and the exit code are
// the script's own.

'use strict';

const binding = native('process');
const { writeText } = native('stdio');
const { dirname, join } = require('internal/path/path');

const kExitBadOption = 9;
const kShell = '/bin/sh';

function fail(message, code = 1) {
  writeText(2, `${message}\n`);
  process.reallyExit(code);
}

// The folder and all above it, nearest first.
function ancestors(folder) {
  const found = [folder];
  for (let parent = dirname(folder); parent !== folder; parent = dirname(folder)) {
    folder = parent;
    arrayPush.call(found, folder);
  }
  return found;
}

function readPackage(folders) {
  const { readFileSync } = require('internal/fs/fs');
  for (const folder of each(folders)) {
    const path = join(folder, 'package.json');
    let text;
    try {
      text = readFileSync(path, 'utf8');
    } catch {
      continue;
    }
    try {
      return { folder, path, content: JSON.parse(text) };
    } catch {
      fail(`Can't parse ${path}`);
    }
  }
  return fail(`Can't find package.json for directory ${folders[0]}`);
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

function listOf(scripts) {
  const lines = arrayFilter.call(Object.entries(scripts), (entry) => typeof entry[1] === 'string');
  return `Available scripts are:${arrayJoin.call(
    arrayMap.call(lines, (entry) => `\n  ${entry[0]}: ${entry[1]}`),
    '',
  )}`;
}

// One word for the shell.
function quoted(text) {
  if (regexpTest.call(/^[\w@%+=:,./-]+$/, text)) return text;
  return `'${replaceMatches(text, /'/g, `'\\''`)}'`;
}

function isFolder(path) {
  return require('internal/fs/fs').statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function searchPath(folders) {
  const programs = arrayMap.call(folders, (folder) => join(folder, 'node_modules', '.bin'));
  const { PATH } = process.env;
  const found = arrayFilter.call(programs, isFolder);
  return arrayJoin.call(PATH ? [...each(found), PATH] : found, ':');
}

function run(name, args) {
  const folders = ancestors(process.cwd());
  const { folder, path, content } = readPackage(folders);
  const scripts = content?.scripts;
  if (!isObject(scripts)) fail(`Can't find "scripts" field in ${path}`);
  if (name === '') fail(listOf(scripts), kExitBadOption);
  if (!Object.hasOwn(scripts, name)) fail(`Missing script: "${name}" for ${path}\n\n${listOf(scripts)}`);
  const script = scripts[name];
  if (typeof script !== 'string') fail(`Script "${name}" is unexpectedly not a string for ${path}\n`);
  const env = { ...process.env, PATH: searchPath(folders), NODE_RUN_SCRIPT_NAME: name, NODE_RUN_PACKAGE_JSON_PATH: path };
  const command = arrayJoin.call([script, ...each(arrayMap.call(args, quoted))], ' ');
  process.chdir(folder);
  const error = binding.execve(
    kShell,
    [kShell, '-c', command],
    arrayMap.call(Object.entries(env), (entry) => `${entry[0]}=${entry[1]}`),
  );
  fail(`${kShell} cannot be run: ${require('internal/util/util').getSystemErrorName(error)}`);
}

module.exports = { run };
