// natives: ledger
// A queued function that tells the ledger when it runs. Only loaded while a program is traced.
'use strict';

const ledger = native('ledger');
const { queued, begin, end } = ledger;

// `named`: the function whose name and place stand for it.
function traced(kind, run, named) {
  const id = queued(kind, named, 0);
  return function () {
    if (!ledger.enabled) return Reflect.apply(run, undefined, arguments); // tracing has ended meanwhile
    begin(kind, id);
    try {
      return Reflect.apply(run, undefined, arguments);
    } finally {
      end(kind, id);
    }
  };
}

module.exports = { traced };
