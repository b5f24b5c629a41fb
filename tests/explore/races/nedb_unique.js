// package: nedb@1.8.0
// The same with a unique index and data that breaks it: loading must fail, with nothing loaded.
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const Datastore = require('nedb');
const { outcome } = require('rondo:explore');

const filename = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'race-')), 'data.db');
const data = new Datastore({ filename });
data.ensureIndex({ fieldName: 'z', unique: true });
const lines = [1, 2, 1].map((z, i) => JSON.stringify({ _id: `${i}`, z })).join('\n');
fs.writeFile(filename, lines, () => {
  data.loadDatabase((error) => outcome(`${error ? error.errorType ?? 'error' : 'loaded'}, ${data.getAllData().length} documents`));
});
