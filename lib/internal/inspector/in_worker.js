// natives: none
//
// A worker while a debugger of the main thread watches for workers: it can be reached, and where that is asked for it waits before its
// program starts.

'use strict';

const threads = require('internal/inspector/threads');

function start({ kind, entry, name }) {
  const url = kind === 'eval' ? '' : kind === 'data' ? entry : require('internal/inspector/stack').scriptUrl(entry);
  const { threadId } = require('internal/worker/worker_threads');
  require('internal/inspector/console_messages').wrap();
  const isWaiting = threads.joinThreads({ title: `Worker ${threadId}${name ? ` (${name})` : ''}`, url, waiting: true });
  if (!isWaiting) return;
  require('internal/inspector/waiting').wait();
}

module.exports = { start };
