// package: nedb@1.8.0
// ensureIndex() returns before its line is in the file: a program that writes the file and loads it may lose the line, or find it inside.
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const Datastore = require('nedb');
const { outcome } = require('rondo:explore');

const filename = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'race-')), 'data.db');
const data = new Datastore({ filename });
data.ensureIndex({ fieldName: 'z' });
const lines = [1, 2, 3].map((z) => JSON.stringify({ _id: `${z}`, z })).join('\n');
fs.writeFile(filename, lines, () => {
  data.loadDatabase((error) => {
    const stored = fs.readFileSync(filename, 'utf8');
    outcome(`${error ? 'error' : data.getAllData().length} documents, index ${stored.includes('$$indexCreated') ? 'kept' : 'lost'}`);
  });
});
