// expect gc-pressure render
const app = require('express')(); const rows = Array.from({ length: 3000 }, (_, id) => ({ id, name: `row ${id}` }));
function render() { return rows.map((row) => Object.entries(row).map(([key, value]) => ({ key, value: [value] }))).length; }
app.get('/', (request, response) => response.send(`${render()}`)); require('./load')(app, '/');
