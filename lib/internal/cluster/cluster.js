// natives: none
// node:cluster: one program in several processes that serve the same ports. Which half it is was decided when the process started.
'use strict';

module.exports = require('internal/process/cluster_role').isWorker
  ? require('internal/cluster/worker_side')
  : require('internal/cluster/primary');
