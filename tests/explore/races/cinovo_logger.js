// package: cinovo-logger-file@0.3.4
// A log file that is full is replaced while the logger stops, which then never tells that it has.
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const openLog = require('cinovo-logger-file');
const { outcome } = require('rondo:explore');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'race-'));
const events = [];
const end = () => {
  outcome(events.join(', '));
  process.exit();
};
process.on('uncaughtException', (error) => {
  events.push(error.message);
  end();
});
openLog(true, true, true, true, folder, 'log', '.txt', 20, 100, 10, (error, log) => {
  const line = { level: 'info', date: new Date(0), pid: 1, origin: 'a', message: 'text', fullOrigin: {} };
  log.on('stop', () => events.push('stopped')).on('error', (error) => events.push(error.code));
  log.log(line, (error) => {
    events.push(error ? 'log error' : 'logged');
  });
  setTimeout(() => {
    setTimeout(end, 200);
    log.stop((error) => events.push(error ? 'stop error' : 'stop'));
  }, 3);
});
