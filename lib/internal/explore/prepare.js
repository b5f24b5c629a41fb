// natives: none
// Loads what most programs load, in the process from which the runs of an exploration are forked (src/cli/run_server.h): they find it done.
// Nothing here may depend on options, on the time or on the process.
'use strict';

const { loadBuiltin } = require('internal/modules/builtins');
const { Module } = require('internal/modules/cjs_loader');

require('internal/explore/inside');
require('internal/process/start');
require('internal/modules/run_main');
require('internal/modules/formats');
require('internal/modules/real_path');
require('internal/modules/package_json');
require('internal/fs/callbacks');
require('internal/fs/whole_file');
require('internal/fs/promises');
require('internal/console/program');
require('internal/util/inspect');
for (const id of each(['fs', 'path', 'events', 'timers', 'util', 'assert'])) loadBuiltin(id);

// The loader's own functions are compiled by their first call.
new Module('prepared', null)._compile('(() => {})();', '/prepared.js');
