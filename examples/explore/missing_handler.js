// A promise is made here and handled there, after something else has been waited for. When it is rejected first, nobody handles it.
// rondo explore examples/explore/missing_handler.js
const fs = require('node:fs/promises');

const settings = fs.readFile('/nowhere/settings.json', 'utf8');

fs.stat(__filename)
  .then(() => settings)
  .catch(() => console.log('no settings, the usual ones are used'));
