// natives: none
// Whether this process was made by cluster.fork(). net.Server and dgram.Socket ask `getServer`, so that a program that never
// heard of clusters loads nothing of them.
'use strict';

const role = { isWorker: false, getServer: undefined };

// At start, once the channel to the primary is there. The variable is not for this process's own children.
function becomeWorker() {
  role.isWorker = true;
  requireLater('internal/cluster/cluster')._setupWorker();
  delete process.env.NODE_UNIQUE_ID;
}
role.becomeWorker = becomeWorker;

module.exports = role;
