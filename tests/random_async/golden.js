// Compares this runtime's order of the random programs with Node's (golden.txt: one digest a program, from seed 1; made with
// `node run.js 1 1000` of Node 26). What differs is shown in full; `node run.js --show SEED 1` says what Node does.
'use strict';

const fs = require('fs');
const path = require('path');
const { digest, runPrograms } = require('./run.js');

module.exports = function compareWithGolden(isInContext) {
  const golden = fs.readFileSync(path.join(__dirname, 'golden.txt'), 'utf8').trim().split(/\s+/);
  const different = [];
  runPrograms(1, golden.length, {
    isInContext,
    onProgram(seed, order, stages) {
      if (digest(order) === golden[seed - 1]) return;
      different.push(seed);
      if (different.length > 3) return;
      console.log(`seed ${seed} differs:\n${stages.map(({ phase, body }) => `// ${phase}\n${body}`).join('\n')}\n${order.join('\n')}\n`);
    },
    onEnd() {
      console.log(`${golden.length - different.length} of ${golden.length} in Node's order`);
      if (different.length > 0) process.exitCode = 1;
    },
  });
};
