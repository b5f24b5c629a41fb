// natives: none
// The options of run(), checked and with their defaults.
'use strict';

const {
  codes: { ERR_INVALID_ARG_VALUE },
} = require('internal/errors/coded');
const {
  validateArray,
  validateBoolean,
  validateFunction,
  validateInteger,
  validateObject,
  validateOneOf,
  validateString,
  validateStringArray,
  validateUint32,
} = require('internal/util/validators');
const { readPatternOption } = require('internal/test_runner/filters');
const { defaultPattern } = require('internal/test_runner/options');
const { newSeed } = require('internal/test_runner/random');
const { readFilters } = require('internal/test_runner/tags');

const unless = (value, check, name) => {
  if (value != null) check(value, `options.${name}`);
};
const checkPath = (path, name) => require('internal/fs/utils').getValidatedPath(path, name);

function refuse(name, value, reason) {
  throw new ERR_INVALID_ARG_VALUE(`options.${name}`, value, reason);
}

function readRandom({ randomize, randomSeed, watch, rerunFailuresFilePath }) {
  unless(randomize, validateBoolean, 'randomize');
  unless(randomSeed, validateUint32, 'randomSeed');
  const isRandom = Boolean(randomize) || randomSeed != null;
  for (const { 0: mode, 1: words } of each([
    [watch, 'watch mode'],
    [rerunFailuresFilePath, 'rerun failures mode'],
  ])) {
    if (!mode || !isRandom) continue;
    if (randomSeed != null) refuse('randomSeed', randomSeed, `is not supported with ${words}`);
    refuse('randomize', randomize, `is not supported with ${words}`);
  }
  return { randomize: isRandom ? true : randomize, randomSeed: isRandom ? (randomSeed ?? newSeed()) : randomSeed };
}

function readShard(shard, watch) {
  if (shard == null) return undefined;
  validateObject(shard, 'options.shard');
  const { index, total } = shard;
  validateInteger(total, 'options.shard.total', 1);
  validateInteger(index, 'options.shard.index', 1, total);
  if (watch) refuse('shard', watch, 'shards not supported with watch mode');
  return { index, total };
}

function readGlobs(value, name) {
  if (value == null) return undefined;
  const globs = Array.isArray(value) ? value : [value];
  validateStringArray(globs, `options.${name}`);
  return globs;
}

function readCoverage({
  coverage = false,
  coverageIncludeAll = false,
  coverageExcludeGlobs,
  coverageIncludeGlobs,
  lineCoverage = 0,
  branchCoverage = 0,
  functionCoverage = 0,
}) {
  validateBoolean(coverage, 'options.coverage');
  validateBoolean(coverageIncludeAll, 'options.coverageIncludeAll');
  const exclude = readGlobs(coverageExcludeGlobs, 'coverageExcludeGlobs') ?? (coverage ? [defaultPattern()] : undefined);
  const include = readGlobs(coverageIncludeGlobs, 'coverageIncludeGlobs');
  validateInteger(lineCoverage, 'options.lineCoverage', 0, 100);
  validateInteger(branchCoverage, 'options.branchCoverage', 0, 100);
  validateInteger(functionCoverage, 'options.functionCoverage', 0, 100);
  return {
    coverage,
    coverageIncludeAll,
    coverageExcludeGlobs: exclude,
    coverageIncludeGlobs: include,
    lineCoverage,
    branchCoverage,
    functionCoverage,
  };
}

function readTagFilters({ testTagFilters, testTagFilterExpressions }) {
  const list = testTagFilters == null || Array.isArray(testTagFilters) ? testTagFilters : [testTagFilters];
  const filters = readFilters(list, 'options.testTagFilters');
  return { testTagFilters: filters, testTagFilterExpressions: filters ?? testTagFilterExpressions };
}

function checkFiles({ files, globPatterns, watch, forceExit, only, cwd }) {
  unless(files, validateArray, 'files');
  unless(watch, validateBoolean, 'watch');
  unless(forceExit, validateBoolean, 'forceExit');
  if (forceExit && watch) refuse('forceExit', watch, 'is not supported with watch mode');
  unless(only, validateBoolean, 'only');
  unless(globPatterns, validateArray, 'globPatterns');
  validateString(cwd, 'options.cwd');
  if (globPatterns?.length > 0 && files?.length > 0)
    refuse('globPatterns', globPatterns, "is not supported when specifying 'options.files'");
}

function readRunOptions(given) {
  validateObject(given, 'options');
  const {
    isolation = 'process',
    execArgv = [],
    argv = [],
    cwd = process.cwd(),
    setup,
    env,
    globalSetupPath,
    rerunFailuresFilePath,
  } = given;
  checkFiles({ ...given, cwd });
  if (rerunFailuresFilePath) checkPath(rerunFailuresFilePath, 'options.rerunFailuresFilePath');
  const random = readRandom(given);
  const shard = readShard(given.shard, given.watch);
  unless(setup, validateFunction, 'setup');
  const testNamePatterns = readPatternOption(given.testNamePatterns, 'options.testNamePatterns');
  const testSkipPatterns = readPatternOption(given.testSkipPatterns, 'options.testSkipPatterns');
  const tags = readTagFilters(given);
  validateOneOf(isolation, 'options.isolation', ['process', 'none']);
  const coverage = readCoverage(given);
  validateStringArray(argv, 'options.argv');
  validateStringArray(execArgv, 'options.execArgv');
  if (globalSetupPath != null) checkPath(globalSetupPath, 'options.globalSetupPath');
  if (env != null) {
    validateObject(env);
    if (isolation === 'none') refuse('env', env, "is not supported with isolation='none'");
  }
  return {
    __proto__: null,
    ...given,
    ...random,
    ...tags,
    ...coverage,
    shard,
    testNamePatterns,
    testSkipPatterns,
    isolation,
    execArgv,
    argv,
    cwd,
    setup,
    env,
    globalSetupPath,
    rerunFailuresFilePath,
  };
}

module.exports = { readRunOptions };
