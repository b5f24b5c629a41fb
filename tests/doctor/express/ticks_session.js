// expect tick-recursion waitForSession
const app = require('express')(); let n = 0;
function waitForSession(store, done) { if (process.threadCpuUsage().user > store.until) return done(); process.nextTick(() => waitForSession(store, done)); }
app.get('/', (request, response) => { if (n++ % 300 !== 150) return response.send('ok'); waitForSession({ until: process.threadCpuUsage().user + 400_000 }, () => response.send('session')); });
require('./load')(app, '/');
