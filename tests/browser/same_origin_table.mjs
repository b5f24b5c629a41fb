// Prints docs/same-origin-table.md from the recorded answers: node tests/browser/same_origin_table.mjs >docs/same-origin-table.md
import fs from 'node:fs';

const answers = JSON.parse(fs.readFileSync(new URL('../fixtures/same_origin/chromium.json', import.meta.url), 'utf8'));

export function table() {
  const columns = Object.keys(answers);
  const row = (cells) => `| ${cells.join(' | ')} |\n`;
  let text = `# The same-origin policy, cell by cell

Answers of Chromium, recorded by \`tests/browser/same_origin.mjs\`; \`tests/js/html/same_origin_*.test.mjs\` hold Rondo to each of them. A page of an http origin asks its own
origin, another port, another host, an address of its own that redirects to another origin, one of another that redirects back, and a file; in the last column a document
without an origin (a frame of a \`data:\` address) asks the http origin. \`refused\`: an exception or an error event; \`silent\`: no answer; \`never came\`: no request was sent.
The probes are in \`tests/fixtures/same_origin/probes.js\`. Printed by \`tests/browser/same_origin_table.mjs\`.

`;
  text += row(['way', ...columns]) + row(['---', ...columns.map(() => '---')]);
  for (const way of Object.keys(answers[columns[0]])) text += row([way, ...columns.map((column) => answers[column][way] || '(nothing)')].map((cell) => cell.replaceAll('|', '\\|')));
  return text;
}

if (process.argv[1] === new URL(import.meta.url).pathname) process.stdout.write(table());
