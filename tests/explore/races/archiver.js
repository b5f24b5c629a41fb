// package: archiver@2.1.1
// A file that is missing is the last to be looked at, after finalize(): the archive may never end.
'use strict';

const archiver = require('archiver');
const { Writable } = require('stream');
const { outcome } = require('rondo:explore');

const archive = archiver('zip');
const events = [];
archive.on('warning', () => events.push('missing')).on('error', (error) => events.push(error.code)).on('entry', (entry) => events.push(entry.name));
archive.pipe(new Writable({ write: (piece, encoding, done) => done() }).on('finish', () => events.push('end')));
process.on('exit', () => outcome(events.join(' ')));
archive.file(__filename, { name: 'first' });
archive.file(`${__filename}.missing`, { name: 'second' });
archive.finalize();
