// A job and a file end in any order.
// outcome: file job
// outcome: job file
require('fs').stat(__filename, () => console.log('file'));
require('zlib').deflate('x', () => console.log('job'));
