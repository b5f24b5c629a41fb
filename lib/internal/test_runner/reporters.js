// natives: none
// Connects the reporters of a run with their destinations: built-in ones by name, others by import.
'use strict';

const {
  codes: { ERR_INVALID_ARG_VALUE },
} = require('internal/errors/coded');
const { runInReporter } = require('internal/test_runner/scope');

const kBuiltin = ['spec', 'dot', 'tap', 'junit', 'lcov'];

const standardStream = (name) => (name === 'stdout' || name === 'stderr' ? process[name] : undefined);

async function loadReporter(name) {
  let reporter;
  if (arrayIncludes.call(kBuiltin, name)) reporter = require(`internal/test_runner/reporter/${name}`);
  else if (name === 'v8-serializer' && process.env.NODE_TEST_CONTEXT === 'child-v8')
    reporter = require('internal/test_runner/reporter/serialized');
  else reporter = await require('internal/test_runner/loading').importFrom(name, process.cwd());
  if (reporter?.default) reporter = reporter.default;
  if (reporter?.prototype && Object.getOwnPropertyDescriptor(reporter.prototype, 'constructor')) reporter = new reporter();
  if (!reporter) throw new ERR_INVALID_ARG_VALUE('Reporter', name, 'is not a valid reporter');
  return reporter;
}

let connected = []; // { reporter, destination }

function connectTo(source, { reporters, destinations }) {
  const { compose } = require('internal/streams/stream');
  return runInReporter(async () => {
    connected = await Promise.all(
      arrayMap.call(reporters, async (name, i) => {
        const destination =
          standardStream(destinations[i]) ?? require('internal/fs/fs').createWriteStream(destinations[i], { __proto__: null, flush: true });
        return { reporter: await loadReporter(name), destination };
      }),
    );
    for (const { reporter, destination } of each(connected)) compose(source, reporter).pipe(destination);
  });
}

const connectedReporters = () => connected;

// Whether the output of test files will be shown in colours.
function showsColors(destinations) {
  const { shouldColorize } = require('internal/util/colors');
  return arraySome.call(destinations, (name) => standardStream(name) !== undefined && shouldColorize(standardStream(name)));
}

module.exports = { connectTo, connectedReporters, showsColors };
