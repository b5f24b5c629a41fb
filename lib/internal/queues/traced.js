// natives: ledger
// A queued function that tells the ledger when it runs. Only loaded while a program is traced.
'use strict';

const ledger = native('ledger');
const { queued, begin, end } = ledger;

function apply(kind, id, run, given) {
  if (!ledger.enabled) return Reflect.apply(run, undefined, given); // tracing has ended meanwhile
  begin(kind, id);
  try {
    return Reflect.apply(run, undefined, given);
  } finally {
    end(kind, id);
  }
}

// `named`: the function whose name and place stand for it.
function traced(kind, run, named) {
  const id = queued(kind, named, 0);
  return function (a, b) {
    const count = arguments.length;
    if (!ledger.enabled || count > 2) return apply(kind, id, run, arguments);
    begin(kind, id);
    try {
      return count === 0 ? run() : count === 1 ? run(a) : run(a, b);
    } finally {
      end(kind, id);
    }
  };
}

module.exports = { traced };
