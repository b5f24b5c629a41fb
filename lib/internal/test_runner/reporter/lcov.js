// natives: none
// The lcov reporter: coverage as a tracefile of lcov (geninfo(1)); nothing else is printed.
'use strict';

const { relative } = require('internal/path/path');
const Transform = require('internal/streams/transform');

const joined = (list, line) => arrayJoin.call(arrayMap.call(list, line), '');

function section(file, cwd) {
  const { functions, branches, lines } = file;
  const nameOf = ({ name }, i) => name || `anonymous_${i}`;
  const sorted = arraySort.call(arraySlice.call(lines), (a, b) => a.line - b.line);
  return (
    `SF:${relative(cwd, file.path)}\n` +
    joined(functions, (fn, i) => `FN:${fn.line},${nameOf(fn, i)}\n`) +
    joined(functions, (fn, i) => `FNDA:${fn.count},${nameOf(fn, i)}\n`) +
    `FNF:${file.totalFunctionCount}\nFNH:${file.coveredFunctionCount}\n` +
    joined(branches, (branch, i) => `BRDA:${branch.line},${i},0,${branch.count}\n`) +
    `BRF:${file.totalBranchCount}\nBRH:${file.coveredBranchCount}\n` +
    joined(sorted, ({ line, count }) => `DA:${line},${count}\n`) +
    `LH:${file.coveredLineCount}\nLF:${file.totalLineCount}\nend_of_record\n`
  );
}

class LcovReporter extends Transform {
  constructor(options) {
    super({ ...options, writableObjectMode: true, __proto__: null });
  }

  _transform({ type, data }, encoding, callback) {
    if (type !== 'test:coverage') return callback(null);
    const { files, workingDirectory } = data.summary;
    return callback(null, `TN:\n${joined(files, (file) => section(file, workingDirectory))}`);
  }
}

module.exports = LcovReporter;
