// A server that nobody connects to waits for ever: said as exit code 124.
// outcome: listening (124)
require('net').createServer().listen(0, '127.0.0.1', () => console.log('listening'));
