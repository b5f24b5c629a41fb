// natives: ledger
// A queued function that tells the ledger when it runs. Only loaded while somebody watches.
'use strict';

const { queued, begin, end } = native('ledger');

// `named`: the function whose name and place stand for it.
function traced(kind, run, named) {
  const id = queued(kind, named, 0);
  return (...args) => {
    begin(kind, id);
    try {
      run(...each(args));
    } finally {
      end(kind, id);
    }
  };
}

module.exports = { traced };
