// natives: none
// rondo see script.js | PID | recording: the loop in a page, live, served to this machine alone. rondo trace -o run.html script.js, or a
// recording, and rondo trace PID: the same as one file, or as lines for a terminal.
'use strict';

const { parseTarget, watch, isPid, UsageError } = require('internal/observe/command');
const recordedFile = require('internal/observe/recorded_file');

const kSeeOptions = { __proto__: null, '--calls': 'flag', '--paused': 'flag', '--port': 'text', '--for': 'time', '--quiz': 'flag' };
const kTraceOptions = { __proto__: null, '--calls': 'flag', '-o': 'text', '--for': 'time', '--otlp': 'text' };
const kTraceFor = 5000;

const recorderOf = (rest, options) => {
  const { Recorder } = require('internal/observe/recorder');
  return new Recorder(arrayJoin.call(rest, ' '), options);
};

async function serve(recorder, options, quizzes) {
  const { PageServer } = require('internal/observe/page_server');
  const page = new PageServer(recorder, quizzes);
  const port = await page.listen(Number(options['--port'] ?? 0));
  process.stderr.write(`rondo see: http://127.0.0.1:${port}/?token=${page.token}\n`);
  return page;
}

const interrupted = () => new Promise((resolve) => process.once('SIGINT', resolve));

async function see(args) {
  const { options, rest } = parseTarget(args, kSeeOptions);
  if (options['--quiz']) return showQuizzes(options);
  if (recordedFile.isRecordingFile(rest)) {
    const first = recordedFile.recordingOf(rest[0], UsageError);
    return serveUntilInterrupted(options, { first, record: () => undefined });
  }
  const first = options['--paused'] ? ['pause'] : [];
  const recorder = recorderOf(rest, { calls: options['--calls'] === true, doctor: true, first });
  const page = await serve(recorder, options);
  const code = await watch(recorder.watcher, rest, options['--for'] ?? 0);
  recorder.hasEnded = true;
  recorder.watcher.close();
  if (!isPid(rest) && options['--for'] === undefined && process.stderr.isTTY) {
    process.stderr.write('rondo see: the program has ended; the page stays until Ctrl-C\n');
    await interrupted();
  }
  page.server.close();
  return code;
}

// rondo see --quiz: programs whose order of output is to be predicted, recorded when one is chosen.
async function showQuizzes(options) {
  const { titles, record } = require('internal/observe/quizzes');
  return serveUntilInterrupted(options, { first: { ...(await record(0)), quizzes: titles, quiz: 0 }, record });
}

// A page of recordings that are there already.
async function serveUntilInterrupted(options, recordings) {
  const page = await serve(undefined, options, recordings);
  if (options['--for'] === undefined) await interrupted();
  else await new Promise((resolve) => setTimeout(resolve, options['--for']));
  page.server.close();
  return 0;
}

// rondo trace -o run.html script.js; rondo trace [-o run.html] PID [--for 5s]
async function trace(args) {
  if (arrayIncludes.call(args, '--join')) return require('internal/observe/join_command').run(args);
  const { options, rest } = parseTarget(args, kTraceOptions);
  if (recordedFile.isRecordingFile(rest)) return writePage(recordedFile.recordingOf(rest[0], UsageError), options['-o']);
  const recorder = recorderOf(rest, { calls: options['--calls'] === true });
  const code = await watch(recorder.watcher, rest, options['--for'] ?? kTraceFor);
  recorder.watcher.close();
  const file = options['-o'];
  const recording = recorder.recording(file === undefined ? 'bytes' : 'file');
  if (options['--otlp'] !== undefined) {
    try {
      const count = await require('internal/observe/otlp').send(recording, options['--otlp']);
      process.stderr.write(`rondo trace: sent ${count} spans to ${options['--otlp']}\n`);
    } catch (error) {
      throw new UsageError(`the collector does not take the spans: ${error.message}`);
    }
  } else if (file === undefined) {
    process.stderr.write(`${require('internal/observe/trace_rows').rowsOf(recording)}\n`);
  } else {
    writePage(recording, file);
  }
  return code;
}

function writePage(recording, file) {
  if (file === undefined || !stringEndsWith.call(file, '.html'))
    throw new UsageError('of a recording and of a running process -o writes a page: name it .html');
  require('internal/fs/fs').writeFileSync(file, require('internal/observe/page_text').pageOf(recording));
  process.stderr.write(`rondo trace: wrote ${file}\n`);
  return 0;
}

module.exports = { see, trace };
