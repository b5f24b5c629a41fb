// growth.js [--svg FILE] [--rounds N] NAME=BINARY…: cost per thing for 10² … 10⁶ things of each kind (kinds.js), the binaries in turn, the
// least of the rounds. A number that takes longer than the limit ends its line. Prints a table; --svg draws it.
'use strict';

const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const kLimit = 15_000; // ms for one run
const most = { contexts: 3, connections: 4, watchers: 4, headers: 5, storages: 5 }; // powers of ten; others 6
const kindNames = ['timers', 'immediates', 'promises', 'listeners', 'ports', 'storages', 'connections', 'watchers', 'contexts', 'headers'];
const options = process.argv.slice(2);
const takeOption = (name) => {
  const at = options.indexOf(name);
  return at < 0 ? undefined : options.splice(at, 2)[1];
};
const svg = takeOption('--svg');
const rounds = Number(takeOption('--rounds') ?? 3);
const binaries = options.map((option) => option.split('='));
const program = path.join(__dirname, 'kinds.js');

function cost(binary, kind, count) {
  const { stdout, status } = spawnSync(binary, [program, kind, String(count)], { encoding: 'utf8', timeout: kLimit });
  return status === 0 ? Number(stdout) : NaN;
}

function measure(kind) {
  const lines = binaries.map(([name]) => ({ name, points: [], isOver: false }));
  for (let power = 2; power <= (most[kind] ?? 6); power++) {
    const figures = lines.map(() => []);
    for (let round = 0; round < (power > 5 ? 1 : rounds); round++) {
      binaries.forEach(([, binary], i) => {
        if (lines[i].isOver) return;
        const figure = cost(binary, kind, 10 ** power);
        if (Number.isNaN(figure)) lines[i].isOver = true;
        else figures[i].push(figure);
      });
    }
    figures.forEach((list, i) => list.length && lines[i].points.push([power, Math.max(1, Math.min(...list))]));
  }
  return lines;
}

const colours = ['#c0392b', '#2471a3', '#229954', '#7d3c98'];
const kWidth = 220;
const kHeight = 130;
// One small picture for each kind: number of things to the right, nanoseconds for each upward, both as powers of ten.
function picture(kind, lines, left, top) {
  const x = (power) => left + 30 + ((power - 2) / 4) * (kWidth - 50);
  const y = (ns) => top + kHeight - 20 - ((Math.log10(ns) - 1) / 6) * (kHeight - 45);
  const marks = [2, 3, 4, 5, 6].map((power) => `<text x="${x(power)}" y="${top + kHeight - 6}" text-anchor="middle">10${'²³⁴⁵⁶'[power - 2]}</text>`);
  const grid = [1, 3, 5, 7].map((power, i) => {
    const at = y(10 ** power).toFixed(1);
    return `<path d="M${left + 30} ${at}H${left + kWidth - 20}" stroke="#ddd"/><text x="${left + 27}" y="${at}" text-anchor="end">${['10 ns', '1 µs', '0.1 ms', '10 ms'][i]}</text>`;
  });
  const curves = lines.map(({ points }, i) => {
    const path = points.map(([power, ns], k) => `${k ? 'L' : 'M'}${x(power).toFixed(1)} ${y(ns).toFixed(1)}`).join('');
    return `<path d="${path}" fill="none" stroke="${colours[i]}" stroke-width="1.5"/>`;
  });
  return `<text x="${left + 30}" y="${top + 12}" font-weight="bold">${kind}</text>${grid.join('')}${marks.join('')}${curves.join('')}`;
}

function draw(results) {
  const columns = 4;
  const height = Math.ceil(results.length / columns) * (kHeight + 10) + 24;
  const names = binaries.map(([name], i) => `<text x="${30 + i * 90}" y="${height - 8}" fill="${colours[i]}">${name}</text>`);
  const pictures = results.map(([kind, lines], i) => picture(kind, lines, (i % columns) * kWidth, Math.floor(i / columns) * (kHeight + 10)));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${columns * kWidth}" height="${height}" font-family="sans-serif" font-size="9">
<rect width="100%" height="100%" fill="white"/>
${pictures.join('\n')}
${names.join('')}
</svg>
`;
}

const results = [];
for (const kind of kindNames) {
  const lines = measure(kind);
  results.push([kind, lines]);
  for (const { name, points } of lines) console.log(kind.padEnd(12), name.padEnd(8), points.map(([, ns]) => String(ns).padStart(9)).join(''));
}
if (svg) fs.writeFileSync(svg, draw(results));
