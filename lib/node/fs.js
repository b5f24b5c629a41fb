// natives: none
'use strict';

const fs = require('internal/fs/fs');
const { files } = require('internal/modules/hook_lists');

files.module = fs;
files.readFileSync = fs.readFileSync;

module.exports = fs;
