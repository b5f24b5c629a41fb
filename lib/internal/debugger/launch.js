// natives: none
// Starts the program to be debugged, stopped at its first statement, and tells where its debugger's server listens.
'use strict';

const net = require('internal/net/net');
const { spawn } = require('internal/child_process/child_process');
const { codes } = require('internal/errors/coded');

const kListening = /Debugger listening on ws:\/\/\[?(.+?)\]?:(\d+)\//;
const kPatience = 3000; // ms until a port must be free
const kBetweenTries = 150; // ms

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function isFree(host, port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, host);
    socket.on('error', (error) => resolve(error.code === 'ECONNREFUSED'));
    socket.on('connect', () => {
      socket.end();
      resolve(false);
    });
  });
}

// The program before may still be ending.
async function waitUntilFree(host, port) {
  if (port === 0) return;
  for (let waited = 0; !(await isFree(host, port)); waited += kBetweenTries) {
    if (waited >= kPatience) throw new codes.ERR_DEBUGGER_STARTUP_ERROR(`Timeout (${kPatience}) waiting for ${host}:${port} to be free`);
    await pause(kBetweenTries);
  }
}

// args: options of the runtime, the script and its arguments. onOutput(text, 'stdout' | 'stderr').
async function launch(args, host, port, onOutput, waitsForPort = true) {
  if (waitsForPort) await waitUntilFree(host, port);
  const child = spawn(process.execPath, [`--inspect-brk=${port}`, ...each(args)]);
  let errors = '';
  return new Promise((resolve, reject) => {
    const fail = (message) => {
      const error = new codes.ERR_DEBUGGER_STARTUP_ERROR(message);
      error.childStderr = errors;
      reject(error);
    };
    child.once('exit', (code, signal) => {
      fail(`Target exited before the inspector was ready (${signal !== null ? signal : `code ${code}`})`);
    });
    child.once('error', (error) => fail(error.message));
    for (const which of each(['stdout', 'stderr'])) {
      child[which].setEncoding('utf8');
      child[which].on('data', (text) => onOutput(text, which));
    }
    child.stderr.on('data', function onText(text) {
      errors += text;
      const found = regexpExec.call(kListening, errors);
      if (found === null) return;
      child.stderr.removeListener('data', onText);
      resolve({ child, host: found[1], port: Number(found[2]) });
    });
  });
}

module.exports = { launch };
