// An express server whose sessions live in the mesh: any process of the cluster answers any request.
//   npm install express && RONDO_MESH=nats://127.0.0.1:4222 rondo examples/mesh/sessions.cjs 8080
const { randomUUID } = require('node:crypto');
const express = require('express');
const { store } = require('rondo:mesh');

const sessions = store('sessions', { ttl: 30 * 60_000 });
const app = express();

// Reads the session of the cookie, or begins one. Two requests at once: the later write starts again from what the earlier has written.
app.use(async (request, response, next) => {
  const found = /(?:^|; )session=([0-9a-f-]{36})/.exec(request.headers.cookie ?? '');
  request.sessionId = found?.[1] ?? randomUUID();
  response.setHeader('Set-Cookie', `session=${request.sessionId}; HttpOnly; SameSite=Lax`);
  request.change = async (change) => {
    for (;;) {
      const entry = await sessions.entry(request.sessionId);
      const value = change(entry?.value ?? {});
      try {
        await sessions.set(request.sessionId, value, { revision: entry?.revision ?? 0 });
        return value;
      } catch (error) {
        if (error.code !== 'ERR_MESH_REVISION') throw error;
      }
    }
  };
  next();
});

app.get('/', async (request, response) => {
  const { visits } = await request.change((session) => ({ ...session, visits: (session.visits ?? 0) + 1 }));
  response.send(`visit ${visits}, answered by process ${process.pid}\n`);
});

const server = app.listen(Number(process.argv[2] ?? 8080), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));
