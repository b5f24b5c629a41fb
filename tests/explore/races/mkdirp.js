// package: mkdirp@0.0.3
// Two paths below one folder at once: both find the folder missing, and the second to make it gets EEXIST. The second path is so much longer
// that on a quick machine the first has made the folder before.
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const { outcome } = require('rondo:explore');

path.exists = fs.exists; // what the package calls it
const { mkdirp } = require('mkdirp');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'race-'));
const results = [];
const done = (error) => {
  results.push(error ? error.code : 'made');
  if (results.length === 2) outcome(results.sort().join(' '));
};
mkdirp(path.join(folder, 'a'), 0o755, done);
mkdirp(path.join(folder, 'a/b/c/d'), 0o755, done);
