// natives: ledger
// A queued function that tells the ledger when it runs. Only loaded while somebody watches.
'use strict';

const ledger = native('ledger');
const { queued, begin, end } = ledger;

// `named`: the function whose name and place stand for it.
function traced(kind, run, named) {
  const id = queued(kind, named, 0);
  return (...args) => {
    if (!ledger.enabled) return run(...each(args)); // the watcher has gone meanwhile
    begin(kind, id);
    try {
      return run(...each(args));
    } finally {
      end(kind, id);
    }
  };
}

module.exports = { traced };
