// natives: none
//
// node:stream/iter: streams as iterables of batches of bytes. Only with --experimental-stream-iter.

'use strict';

const { Broadcast, broadcast } = require('internal/streams/iter/broadcast');
const {
  broadcastProtocol,
  drainableProtocol,
  shareProtocol,
  shareSyncProtocol,
  toAsyncStreamable,
  toStreamable,
} = require('internal/streams/iter/chunks');
const { fromReadable, fromWritable, toReadable, toReadableSync, toWritable } = require('internal/streams/iter/classic');
const consumers = require('internal/streams/iter/consumers');
const { from, fromSync } = require('internal/streams/iter/from');
const { pipeTo, pipeToSync } = require('internal/streams/iter/pipe');
const { pull, pullSync } = require('internal/streams/iter/pull');
const { duplex, push } = require('internal/streams/iter/push');
const { Share, share, shareSync, SyncShare } = require('internal/streams/iter/share');

require('internal/util/helpers').emitExperimentalWarning('stream/iter');

const Stream = Object.freeze({
  push,
  duplex,
  from,
  fromSync,
  pull,
  pullSync,
  pipeTo,
  pipeToSync,
  ...consumers,
  broadcast,
  share,
  shareSync,
  toStreamable,
  toAsyncStreamable,
  broadcastProtocol,
  shareProtocol,
  shareSyncProtocol,
  drainableProtocol,
});

module.exports = { Stream, ...Stream, Broadcast, Share, SyncShare, fromReadable, fromWritable, toReadable, toReadableSync, toWritable };
