// natives: none
// Whether this process is a worker of a cluster. Then, and only then, node:cluster has put its getServer(owner, options, callback)
// here, and servers and datagram sockets ask the primary for their handles.
'use strict';

module.exports = { getServer: undefined };
