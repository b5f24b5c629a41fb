// The configuration is read at start; a request may come first.
// outcome: configured
// outcome: undefined
const fs = require('fs');
let config;
fs.readFile(__filename, () => (config = 'configured'));
fs.readFile(__filename, () => fs.stat(__filename, () => console.log(config)));
