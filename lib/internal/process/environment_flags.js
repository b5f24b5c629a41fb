// natives: none
//
// process.allowedNodeEnvironmentFlags: a frozen set of the options that NODE_OPTIONS may have: those of src/cli/option_table.cpp and
// src/cli/foreign_options.cpp (tests/cli/every_option.test.sh compares). Looking one up forgives underscores for dashes, missing dashes
// and a value behind '='.

'use strict';

const names =
  '--abort-on-uncaught-exception --addons --allow-addons --allow-child-process --allow-fs-read --allow-fs-write ' +
  '--allow-inspector --allow-net --allow-openssl-store --allow-wasi --allow-worker --always-opt --always-sparkplug ' +
  '--async-context-frame --baseline-batch-compilation --compilation-cache --concurrent-marking ' +
  '--concurrent-recompilation --concurrent-sweeping --conditions --cpu-prof --cpu-prof-dir --cpu-prof-interval ' +
  '--cpu-prof-name --debug-port --deprecation --diagnostic-dir --disable-proto --disable-sigusr1 --disable-warning ' +
  '--disable-wasm-trap-handler --disallow-code-generation-from-strings --dns-result-order --doctor --enable-etw-stack-walking ' +
  '--enable-network-family-autoselection --enable-one-shot-optimization --enable-source-maps --entry-url ' +
  '--experimental-abortcontroller --experimental-default-type --experimental-detect-module --experimental-eventsource ' +
  '--experimental-fetch --experimental-global-customevent --experimental-global-navigator ' +
  '--experimental-global-webcrypto --experimental-import-meta-resolve --experimental-import-text ' +
  '--experimental-json-modules --experimental-loader --experimental-modules --experimental-package-map ' +
  '--experimental-print-required-tla --experimental-repl-await --experimental-require-module --experimental-sqlite ' +
  '--experimental-stream-iter --experimental-strip-types --experimental-test-isolation --experimental-top-level-await ' +
  '--experimental-vm-modules --experimental-wasi-unstable-preview1 --experimental-wasm-modules ' +
  '--experimental-web-worker --experimental-websocket --experimental-webstorage --experimental-worker --expose-gc ' +
  '--extra-info-on-fatal-exception --fence --flush-bytecode --force-async-hooks-checks ' +
  '--force-node-api-uncaught-exceptions-policy --gc-global --gc-interval --global-search-paths --harmony --heap-prof ' +
  '--heap-prof-dir --heap-prof-interval --heap-prof-name --heapsnapshot-signal --huge-max-alignment --icu-data-dir ' +
  '--import --incremental-marking --initial-heap-size --initial-old-space-size --input-type --insecure-http-parser ' +
  '--inspect --inspect-brk --inspect-port --inspect-publish-uid --inspect-wait --interpreted-frames-native-stack ' +
  '--jitless --js-staging --lazy --lite-mode --loader --localstorage-file --loop --mark-lines --max-http-header-size ' +
  '--max-inlined-bytecode-size --max-inlined-bytecode-size-cumulative --max-lazy --max-old-space-size ' +
  '--max-old-space-size-percentage --max-optimized-bytecode-size --max-semi-space-size --memory-reducer ' +
  '--min-semi-space-size --network-family-autoselection --network-family-autoselection-attempt-timeout ' +
  '--node-memory-debug --node-snapshot --opt --optimize-for-size --parallel-scavenge --pending-deprecation ' +
  '--perf-basic-prof --perf-prof --permission --permission-audit --policy --preserve-symlinks --preserve-symlinks-main ' +
  '--rate --redirect-warnings --regexp-optimization --report-compact --report-dir --report-directory ' +
  '--report-exclude-env --report-exclude-network --report-filename --report-on-fatalerror --report-on-signal ' +
  '--report-signal --report-uncaught-exception --require --require-module --scavenge-task --secure-heap --secure-heap-min --seed ' +
  '--semi-space-growth-factor --single-threaded --single-threaded-gc --stack-trace-limit --storage --strip-types ' +
  '--test-coverage-branches --test-coverage-exclude --test-coverage-functions --test-coverage-include ' +
  '--test-coverage-include-all --test-coverage-lines --test-global-setup --test-isolation --test-leaks ' +
  '--test-name-pattern --test-only --test-random-seed --test-randomize --test-reporter --test-reporter-destination ' +
  '--test-rerun-failures --test-shard --test-skip-pattern --throw-deprecation --times --title --tls-cipher-list ' +
  '--tls-keylog --tls-max-v1.2 --tls-max-v1.3 --tls-min-v1.0 --tls-min-v1.1 --tls-min-v1.2 --tls-min-v1.3 ' +
  '--trace-deprecation --trace-event-categories --trace-event-file-pattern --trace-events-enabled --trace-exit ' +
  '--trace-require-module --trace-sync-io --trace-tls --trace-uncaught --trace-warnings --track-heap-objects --turbofan ' +
  '--unhandled-rejections --use-env-proxy --use-largepages --use-openssl-ca --use-system-ca --v8-pool-size ' +
  '--virtual-time --warnings --watch --watch-kill-signal --watch-path --watch-preserve-output --webstorage ' +
  '--worker-snapshot --zero-fill-buffers -C -r';

const flags = stringSplit.call(names, ' ');
const known = new Set(flags);
const bare = new Set(arrayMap.call(flags, (flag) => replaceMatches(flag, /^--?/, '')));

const isNegated = (flag) => stringStartsWith.call(flag, '--no-') && known.has(`--${stringSlice.call(flag, 5)}`);

function isAllowed(flag) {
  const name = replaceMatches(replaceMatches(flag, /=[^]*$/, ''), /_/g, '-');
  return stringStartsWith.call(name, '-') ? known.has(name) || isNegated(name) : bare.has(name);
}

// The flags are not in the set itself, so that Set.prototype.add and its relatives change nothing.
class NodeEnvironmentFlagsSet extends program.Set {
  constructor() {
    super();
  }

  get size() {
    return flags.length;
  }
  add() {
    return this;
  }
  delete() {
    return false;
  }
  clear() {}

  has(flag) {
    return typeof flag === 'string' && isAllowed(flag);
  }
  forEach(callback, receiver = undefined) {
    for (const flag of each(flags)) Reflect.apply(callback, receiver, [flag, flag, this]);
  }
  entries() {
    return new program.Set(flags).entries(); // the program's: what it gives to programs
  }
  values() {
    return new program.Set(flags).values(); // the program's: as above
  }
  keys() {
    return this.values();
  }
  [Symbol.iterator]() {
    return this.values();
  }
}

function allowed() {
  const set = new NodeEnvironmentFlagsSet();
  Object.freeze(NodeEnvironmentFlagsSet.prototype);
  return Object.freeze(set);
}

module.exports = { allowed };
