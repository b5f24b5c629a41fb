// natives: none
// The test runner's options of the command line, read once.
'use strict';

const {
  codes: { ERR_INVALID_ARG_VALUE },
} = require('internal/errors/coded');
const { getOptionValue, hasOption } = require('internal/process/options');
const { validateInteger, validateUint32 } = require('internal/util/validators');
const { readPatterns } = require('internal/test_runner/filters');
const { readFilters } = require('internal/test_runner/tags');

let options;

// Node's pattern for the files that --test finds by itself.
function defaultPattern() {
  const kinds = getOptionValue('--strip-types') ? 'js,mjs,cjs,ts,mts,cts' : 'js,mjs,cjs';
  return `**/{test,test/**/*,test-*,*[._-]test}.{${kinds}}`;
}

function readReporters() {
  const context = process.env.NODE_TEST_CONTEXT;
  if (context === 'child-v8') return { reporters: ['v8-serializer'], destinations: ['stdout'] };
  if (context === 'child') return { reporters: ['tap'], destinations: ['stdout'] };
  const reporters = arraySlice.call(getOptionValue('--test-reporter'));
  const destinations = arraySlice.call(getOptionValue('--test-reporter-destination'));
  if (reporters.length === 0 && destinations.length === 0) arrayPush.call(reporters, 'spec');
  if (reporters.length === 1 && destinations.length === 0) arrayPush.call(destinations, 'stdout');
  if (destinations.length !== reporters.length) {
    throw new ERR_INVALID_ARG_VALUE('--test-reporter', reporters, "must match the number of specified '--test-reporter-destination'");
  }
  return { reporters, destinations, globalSetupPath: getOptionValue('--test-global-setup') };
}

function readShard() {
  const text = getOptionValue('--test-shard');
  if (!text) return undefined;
  const parts = regexpExec.call(/^(\d+)\/(\d+)$/, text);
  if (parts === null) throw new ERR_INVALID_ARG_VALUE('--test-shard', text, 'must be in the form of <index>/<total>');
  return { __proto__: null, index: Number(parts[1]), total: Number(parts[2]) };
}

// Which tests run. With a process for each file, the files' processes filter.
function readSelection(isRunner) {
  const isolation = isRunner ? getOptionValue('--test-isolation') : undefined;
  const tagFilters = getOptionValue('--experimental-test-tag-filter');
  const selection = {
    isolation,
    concurrency: isolation === 'process' ? getOptionValue('--test-concurrency') || true : 1,
    only: getOptionValue('--test-only'),
    testNamePatterns: readPatterns(getOptionValue('--test-name-pattern'), '--test-name-pattern'),
    testSkipPatterns: readPatterns(getOptionValue('--test-skip-pattern'), '--test-skip-pattern'),
    testTagFilterExpressions: tagFilters.length > 0 ? tagFilters : null,
    testTagFilters: readFilters(tagFilters, '--experimental-test-tag-filter'),
    shard: isRunner ? readShard() : undefined,
  };
  if (isolation === 'process')
    Object.assign(selection, { only: false, testNamePatterns: null, testSkipPatterns: null, testTagFilters: null });
  return selection;
}

function readCoverage() {
  if (!getOptionValue('--experimental-test-coverage')) return { coverage: false };
  const thresholds = {};
  const names = [
    ['branchCoverage', '--test-coverage-branches'],
    ['lineCoverage', '--test-coverage-lines'],
    ['functionCoverage', '--test-coverage-functions'],
  ];
  for (const { 0: key, 1: name } of each(names)) {
    thresholds[key] = getOptionValue(name);
    validateInteger(thresholds[key], name, 0, 100);
  }
  const exclude = getOptionValue('--test-coverage-exclude');
  return {
    coverage: true,
    coverageIncludeAll: getOptionValue('--test-coverage-include-all'),
    coverageExcludeGlobs: exclude.length > 0 ? exclude : [defaultPattern()],
    coverageIncludeGlobs: getOptionValue('--test-coverage-include'),
    ...thresholds,
  };
}

function readRandom() {
  const randomSeed = hasOption('--test-random-seed') ? getOptionValue('--test-random-seed') : undefined;
  if (randomSeed !== undefined) validateUint32(randomSeed, '--test-random-seed');
  return { randomize: getOptionValue('--test-randomize') || randomSeed !== undefined, randomSeed };
}

function commandLineOptions() {
  if (options !== undefined) return options;
  const isTestRunner = getOptionValue('--test');
  options = {
    __proto__: null,
    isTestRunner,
    forceExit: getOptionValue('--test-force-exit'),
    leaks: getOptionValue('--test-leaks'),
    sourceMaps: getOptionValue('--enable-source-maps'),
    timeout: getOptionValue('--test-timeout') || Infinity,
    updateSnapshots: getOptionValue('--test-update-snapshots'),
    watch: getOptionValue('--watch'),
    rerunFailuresFilePath: getOptionValue('--test-rerun-failures'),
    ...readReporters(),
    ...readSelection(isTestRunner),
    ...readCoverage(),
    ...readRandom(),
  };
  return options;
}

module.exports = { commandLineOptions, defaultPattern };
