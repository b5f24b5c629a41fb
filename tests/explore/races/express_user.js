// package: express@5
// A handler that sets how JSON is printed for the whole application, and answers later: another request is answered in its way.
'use strict';

const fs = require('fs');
const http = require('http');
const express = require('express');
const { outcome } = require('rondo:explore');

const app = express();
app.get('/', async (request, response) => {
  app.set('json spaces', request.query.pretty ? 2 : 0);
  await fs.promises.stat(__filename);
  response.json({ a: 1 });
});
const answers = {};
const server = app.listen(0, '127.0.0.1', () => {
  const ask = (query) =>
    http.get({ port: server.address().port, host: '127.0.0.1', path: `/${query}`, agent: false }, (response) => {
      let text = '';
      response.on('data', (piece) => (text += piece)).on('end', () => {
        answers[query] = text.includes('\n') ? 'pretty' : 'plain';
        if (Object.keys(answers).length < 2) return;
        outcome(`${answers['?pretty=1']} ${answers['']}`);
        server.close();
      });
    });
  ask('?pretty=1');
  setTimeout(ask, 30, '');
});
