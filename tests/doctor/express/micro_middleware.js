// expect microtask-recursion acquire
const app = require('express')(); let n = 0;
class Pool { constructor(until) { this.until = until; } get isFree() { return process.threadCpuUsage().user > this.until; } async acquire() { while (!this.isFree) await 0; return this; } }
app.use(async (request, response, next) => { if (n++ % 300 === 150) await new Pool(process.threadCpuUsage().user + 400_000).acquire(); next(); });
app.get('/', (request, response) => response.send('ok')); require('./load')(app, '/');
