// natives: none
// --test-global-setup: a module whose globalSetup runs before the first test of a run and globalTeardown after the last.
'use strict';

const { pathToFileURL } = require('internal/url/url');
const { resolve } = require('internal/path/path');
const { validateFunction } = require('internal/util/validators');

async function loadGlobalSetup(path, cwd) {
  require('internal/fs/utils').getValidatedPath(path, 'options.globalSetupPath');
  const loaded = await require('internal/test_runner/loading').importFrom(pathToFileURL(resolve(cwd, path)).href, cwd);
  if (loaded.globalSetup) validateFunction(loaded.globalSetup, 'globalSetupModule.globalSetup');
  if (loaded.globalTeardown) validateFunction(loaded.globalTeardown, 'globalSetupModule.globalTeardown');
  return { setup: loaded.globalSetup, teardown: loaded.globalTeardown };
}

module.exports = { loadGlobalSetup };
