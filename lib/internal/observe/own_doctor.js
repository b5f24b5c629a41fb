// natives: none
// --doctor: a program starts `rondo doctor` for itself, as a process that watches it until it ends and does not keep it alive. Findings are
// written to standard error while they last; listeners of process's event 'doctor' get them when the loop has its turn.
'use strict';

const { spawn } = require('internal/child_process/child_process');

// The doctor is no program that is watched, and no child of cluster or fork.
const kOwn = ['NODE_OPTIONS', 'NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'NODE_UNIQUE_ID', 'NODE_V8_COVERAGE'];

function start() {
  if (process.env.RONDO_WATCHED_BY) return;
  const env = { ...process.env };
  for (let i = 0; i < kOwn.length; i++) delete env[kOwn[i]];
  const doctor = spawn(process.execPath, ['doctor', '--for=0', '--quiet', '--events', `${process.pid}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  doctor.on('error', (error) => process.emitWarning(`--doctor: the doctor does not start: ${error.message}`));
  doctor.unref();
  doctor.stdout.unref();
  tellListeners(doctor.stdout);
}

// Lines of JSON, one a finding.
function tellListeners(stream) {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk) => {
    const lines = stringSplit.call(text + chunk, '\n');
    text = arrayPop.call(lines);
    for (let i = 0; i < lines.length; i++) process.emit('doctor', JSON.parse(lines[i]));
  });
}

module.exports = { start };
