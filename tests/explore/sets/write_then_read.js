// A file that is written while it is read: before, or after. (A run has files of its own.)
// outcome: old
// outcome: new
const fs = require('fs');
const path = `${require('os').tmpdir()}/rondo-explore-${process.env.RONDO_TEST_ID ?? 'x'}`;
fs.writeFileSync(path, 'old');
fs.writeFile(path, 'new', () => {});
fs.readFile(path, 'utf8', (error, text) => console.log(text));
