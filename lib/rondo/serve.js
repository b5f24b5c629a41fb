// natives: none
// rondo:serve. docs/serve.md describes it, types/serve.d.ts types it; the server is lib/internal/serve.
'use strict';

const { serve, Server } = require('internal/serve/server');

module.exports = { serve, Server };
