#!/usr/bin/env bash
# Every option that is accepted does what it says: the table in src/cli/option_table.cpp is read, and each of its options must be tried here.
source tests/cli/help.bash
table=$(grep -oP '^    \{"\K--[a-z0-9.-]+", OptionKind::\w+' src/cli/option_table.cpp | sed 's/", OptionKind::/ /')
scopes=$(grep -o '{".*", ".*", ".*", "--allow-.*"},' src/runtime/permission.cpp)
foreign=$(grep -oP '^    \{"\K--[a-z0-9*-]+", (Flag|Number|Text)' src/cli/foreign_options.cpp | sed 's/", / /')
command_line_only=$(sed -n '/kCommandLineOnly\[\]/,/^};/p' src/cli/option_scopes.h | grep -o -e '--[a-z-]*' | tr '\n' ' ')
watch_test=$(cat tests/cli/watch.test.sh)
doctor_test=$(cat tests/cli/doctor_option.test.sh)
test_test=$(cat tests/cli/test_files.test.sh)
test_options_test=$(cat tests/cli/test_options.test.sh)
coverage_test=$(cat tests/cli/test_coverage.test.sh)
cd "$work" || exit 1

# prints OUTPUT ARGS…: standard output, or the first line of standard error where there is none.
prints() {
  local wanted=$1
  shift
  run "$@"
  expect "$*" "${out:-$(head -1 <<<"$err")}" "$wanted"
}
# exits CODE ARGS…
exits() {
  local wanted=$1
  shift
  run "$@"
  expect "$*" "$code" "$wanted"
}
# is_there EXPRESSION: what an option is about may come with a module that is not part of this build.
is_there() { "$RONDO" -p "$1" >/dev/null 2>&1; }
warns='process.emitWarning("old", "DeprecationWarning", "DEP9")'
mkdir -p node_modules/cond linked/real reports
echo 'globalThis.loaded = "yes";' | tee pre.cjs >pre.mjs
echo 'FROM_FILE=yes' >some.env
echo '{ "nodeOptions": { "require": ["./pre.cjs"] } }' >some.config.json
echo '{"name":"cond","exports":{"special":"./special.js","node-addons":"./addons.js","module-sync":"./sync.js","default":"./usual.js"}}' >node_modules/cond/package.json
for name in special addons sync usual; do echo "module.exports = '$name'" >node_modules/cond/$name.js; done
echo 'export default 1;' >esm.mjs
printf '// a comment\nawait 1;\n' >awaits.mjs
echo '{"scripts":{"print":"echo ran"}}' >package.json
mkdir -p mapped
echo 'module.exports = "mapped";' >mapped/index.js
echo 'console.log(require("dependency"));' >map.cjs
echo '{"packages":{"app":{"url":"./","dependencies":{"dependency":"it"}},"it":{"url":"./mapped"}}}' >map.json
echo 'console.log(typeof setImmediate);' >page.js
echo 'requestAnimationFrame((first) => requestAnimationFrame((second) => console.log(Math.round(second - first))));' >frames.js
echo 'setTimeout(() => console.log(Math.round(performance.now() / 1000) * 1000), 3600000);' >hour.js
# A handshake that uses no certificate.
cat >handshake.js <<'JS'
const tls = require('tls');
const psk = { ciphers: 'PSK+HIGH', maxVersion: 'TLSv1.2' };
const server = tls.createServer({ ...psk, pskCallback: () => Buffer.alloc(16, 1) }, (socket) => socket.end());
server.listen(0, '127.0.0.1', () => tls.connect({
  ...psk, port: server.address().port, host: '127.0.0.1', checkServerIdentity() {}, pskCallback: () => ({ psk: Buffer.alloc(16, 1), identity: 'x' }),
}).on('close', () => server.close()).resume());
JS
# Who asks a proxy for a name that does not exist gets an answer.
cat >proxy.js <<'JS'
const asks = 'require("http").get("http://name.invalid/x", (answer) => answer.resume())';
const proxy = require('http').createServer((request, answer) => answer.end(console.log(request.url)));
proxy.listen(0, '127.0.0.1', () => {
  const env = { ...process.env, HTTP_PROXY: `http://127.0.0.1:${proxy.address().port}` };
  require('child_process').spawn(process.execPath, [process.argv[2], '-e', asks], { env, stdio: 'inherit' }).on('exit', () => proxy.close());
});
JS
# Two blanks before a colon are what a strict parser refuses.
cat >insecure.js <<'JS'
const server = require('net').createServer((socket) => socket.end('HTTP/1.1 200 OK\r\nName : odd\r\nConnection: close\r\n\r\n'));
server.listen(0, '127.0.0.1', () => require('http').get({ host: '127.0.0.1', port: server.address().port }, (answer) => {
  console.log(answer.headers.name);
  server.close();
}));
JS
echo 'const x: number = 1; console.log(x);' >typed.ts
echo 'import "node:fs"; console.log(typeof require);' >detect.js
echo 'console.log(__dirname.split("/").pop());' >linked/real/main.js
ln -s real linked/alias
ln -s linked/real/main.js main-link.js
echo 'let depth = 0; function deeper() { depth++; deeper(); } try { deeper(); } catch { console.log(depth); }' >depth.js
printf 'export async function load(url, context, next) {\n  const loaded = await next(url, context);\n  return url.endsWith("esm.mjs") ? { ...loaded, source: "export default 2;" } : loaded;\n}\n' >hooks.mjs
printf 'throw new Error("mapped");\n//# sourceMappingURL=data:application/json;base64,%s\n' \
  "$(printf '{"version":3,"sources":["origin.ts"],"names":[],"mappings":"AASA"}' | base64 -w0)" >mapped.js

try() {
  case $1 in
    --require) prints yes --require ./pre.cjs -p loaded ;;
    --import) prints yes --import ./pre.mjs -p loaded ;;
    --expose-internals) prints function --expose-internals -p 'typeof require("internal/util/util").inspect' ;;
    --conditions) prints special --conditions=special -p 'require("cond")' ;;
    --env-file | --env-file-if-exists) prints yes "$1=some.env" -p process.env.FROM_FILE ;;
    --experimental-config-file) prints yes "$1=some.config.json" -p loaded ;;
    --experimental-default-config-file) cp some.config.json node.config.json && prints yes "$1" -p loaded && rm node.config.json ;;
    --disable-warning) prints "" --disable-warning=DEP9 -e "$warns" ;;
    --experimental-loader | --loader) prints 2 "$1" ./hooks.mjs --no-warnings --input-type=module -e 'import one from "./esm.mjs"; console.log(one)' ;;
    --input-type) prints object --input-type=module -e 'console.log(typeof import.meta)' ;;
    --loop) prints undefined --loop=html page.js && prints function --loop=node page.js && exits 9 --loop=other page.js ;;
    --times) has "$1" "$("$RONDO" compare "$1" page.js)" script ;;
    --force-node-api-uncaught-exceptions-policy) prints 1 "$1" -p 1 ;;  # its effect: tests/js/napi
    --mark-lines) has "$1" "$("$RONDO" compare page.js)" script ;;
    --policy) prints undefined --loop=html --policy=seed:1 page.js && exits 9 --loop=html --policy=other page.js && exits 9 --policy=fifo page.js ;;
    --rate) prints 100 --loop=html --virtual-time --rate=10 frames.js && exits 9 --loop=html --rate=0 page.js ;;
    --storage) "$RONDO" --loop=html --storage=kept page.js >/dev/null && exits 9 --storage=kept page.js ;;
    --fence) prints undefined --loop=html --fence=off page.js && exits 9 --loop=html --fence=other page.js && exits 9 --fence=off page.js ;;
    --permission) prints false --permission -p 'process.permission.has("fs.read")' && exits 9 --permission=other -p 1 && exits 9 --loop=html --permission page.js ;;
    --cpu-prof | --heap-prof) exits 9 --loop=html "$1" page.js ;;  # tests/js/v8
    --doctor) has "tests/cli/doctor_option.test.sh" "$doctor_test" "$1" ;;
    --cpu-prof-* | --heap-prof-*) : ;;  # tests/js/v8
    --localstorage-file) exits 9 --loop=html "$1=x" page.js ;;  # tests/js/web/storage.test.js
    --webstorage) : ;;  # tests/js/web/storage.test.js
    --jitless) # no memory that holds machine code but that of files
      prints 0 "$1" -p 'fs.readFileSync("/proc/self/maps", "utf8").split("\n").filter((line) => /^\S+ ..x. \S+ \S+ 0 *$/.test(line)).length'
      prints true -p 'fs.readFileSync("/proc/self/maps", "utf8").split("\n").some((line) => /^\S+ ..x. \S+ \S+ 0 *$/.test(line))'
      prints 42 "$1" -p '/(\d+)/.exec("a42")[1]' ;;
    --perf-basic-prof | --perf-prof) : ;;  # tests/cli/perf_map.test.sh
    --disable-sigusr1) exits 138 "$1" -e 'process.kill(process.pid, "SIGUSR1"); setTimeout(() => {}, 100000)' ;;
    --inspect) prints true --inspect=0 -p 'require("inspector").url().startsWith("ws://127.0.0.1:")' && exits 9 --inspect=70000 -p 1 ;;
    --inspect-brk | --inspect-wait | --experimental-network-inspection | --experimental-inspector-network-resource) : ;;  # tests/js/inspector
    --inspect-port | --debug-port) prints true "$1=0" --inspect -p 'require("inspector").url() !== undefined' && exits 9 "$1=80" -p 1 ;;
    --inspect-publish-uid) prints '' "$1=http" --inspect=0 -e 0 ;;
    --permission-audit) prints 0 --permission-audit -p 'require("fs").readFileSync("/dev/null").length' ;;
    --allow-fs-read) prints true --permission "$1=$work" -p 'process.permission.has("fs.read", "some.env")' && exits 1 "$1=*" -p 1 ;;
    --allow-fs-write) prints true --permission "$1=$work" -p 'process.permission.has("fs.write", "new")' && exits 1 "$1=*" -p 1 ;;
    --allow-*)
      label=$(awk -F'"' -v option="$1" '$8 == option { print $4 }' <<<"$scopes")
      prints true --no-warnings --permission "$1" -p "process.permission.has('$label')" && exits 1 "$1" -p 1 ;;
    --times) has "$1" "$("$RONDO" compare "$1" page.js)" ' 0.0 ' && exits 9 "$1" page.js ;;
    --virtual-time) prints 3600000 --loop=html "$1" hour.js && prints 3600000 "$1" hour.js ;;
    --record) prints 5 --record=option.rec -p '2 + 3' && prints 5 replay option.rec && exits 9 --record=/none/at/all page.js ;;
    --seed) prints "$("$RONDO" --seed=7 -p 'Math.random()')" --seed=7 -p 'Math.random()' && exits 9 --seed=-1 page.js ;;
    --unhandled-rejections) exits 0 --unhandled-rejections=none -e 'Promise.reject(1)' ;;
    --stack-trace-limit) prints 2 --stack-trace-limit=1 -p 'new Error("x").stack.split("\n").length' ;;
    --title) prints named --title=named -p process.title ;;
    --trace-require-module) run --trace-require-module=all -e 'require("./esm.mjs")' && has "$1" "$err" "require()" ;;
    --network-family-autoselection-attempt-timeout) prints 4321 "$1=4321" -p 'require("net").getDefaultAutoSelectFamilyAttemptTimeout()' ;;
    --network-family-autoselection) prints false --no-network-family-autoselection -p 'require("net").getDefaultAutoSelectFamily()' ;;
    --max-old-space-size) prints 96 --max-old-space-size=96 -p 'require("v8").getHeapStatistics().heap_size_limit / 2 ** 20' ;;
    --max-http-header-size) is_there 'require("http")' && prints 4321 --max-http-header-size=4321 -p 'require("http").maxHeaderSize' ;;
    --insecure-http-parser) is_there 'require("http")' && prints odd "$1" insecure.js ;;
    --stack-size) [ "$("$RONDO" --stack-size=4000 depth.js)" -gt "$((4 * $("$RONDO" --stack-size=400 depth.js)))" ] || expect "$1" unheeded heeded ;;
    --experimental-default-type) prints object --experimental-default-type=module -e 'console.log(typeof import.meta)' ;;
    --redirect-warnings) run --redirect-warnings=warned -e "$warns" && has "$1" "$(cat warned)" "[DEP9] DeprecationWarning: old" ;;
    --dns-result-order) prints ipv6first --dns-result-order=ipv6first -p 'require("dns").getDefaultResultOrder()' ;;
    --report-directory | --report-dir) prints reports "$1=reports" -p 'process.report.directory' ;;
    --report-filename) prints name.json --report-filename=name.json -p 'process.report.filename' ;;
    --report-signal) prints SIGUSR1 --report-signal=SIGUSR1 -p 'process.report.signal' ;;
    --report-compact) prints true --report-compact -p 'process.report.compact' ;;
    --report-exclude-env) prints undefined --report-exclude-env -p 'process.report.getReport().environmentVariables' ;;
    --report-exclude-network) prints true --report-exclude-network -p 'process.report.excludeNetwork' ;;
    --report-on-fatalerror) prints true --report-on-fatalerror -p 'process.report.reportOnFatalError' ;;
    --report-on-signal) prints true --report-on-signal -p 'process.report.reportOnSignal' ;;
    --report-uncaught-exception) prints true --report-uncaught-exception -p 'process.report.reportOnUncaughtException' ;;
    --deprecation) prints "" --no-deprecation -e "$warns" ;;
    --warnings) prints "" --no-warnings -e "$warns" ;;
    --addons) prints addons -p 'require("cond")' && prints sync --no-addons -p 'require("cond")' ;;
    --strip-types | --experimental-strip-types) prints 1 "$1" typed.ts && exits 1 "--no${1#-}" typed.ts ;;
    --experimental-detect-module) prints undefined detect.js && exits 1 --no-experimental-detect-module detect.js ;;
    --require-module | --experimental-require-module) prints 1 "$1" -p 'require("./esm.mjs").default' && exits 1 "--no${1#-}" -p 'require("./esm.mjs").default' ;;
    --experimental-import-text) prints text --experimental-import-text --input-type=module -e 'import t from "data:text/plain,text" with { type: "text" }; console.log(t)' ;;
    --experimental-package-map) prints mapped --experimental-package-map=map.json map.cjs ;;
    --experimental-print-required-tla)
      run --experimental-print-required-tla -e 'require("./awaits.mjs")'
      has "$option" "$err" "awaits.mjs:2

await 1;
^"
      ;;
    --run) prints ran --run print ;;
    --experimental-import-meta-resolve) prints file:///b --experimental-import-meta-resolve --input-type=module -e 'console.log(import.meta.resolve("./b", "file:///a"))' ;;
    --experimental-wasm-modules) prints function "$1" -p 'typeof WebAssembly.compile' ;;
    --experimental-wasi-unstable-preview1) prints function "$1" --no-warnings -p 'typeof require("wasi").WASI' ;;
    --experimental-eventsource) prints undefined -p 'typeof EventSource' && prints function "$1" -p 'typeof EventSource' ;;
    --experimental-web-worker) prints undefined -p 'typeof Worker' && prints function "$1" -p 'typeof Worker' ;;
    --experimental-vm-modules) prints undefined -p 'typeof vm.SourceTextModule' && prints function "$1" --no-warnings -p 'typeof vm.SourceTextModule' ;;
    --experimental-stream-iter) prints function "$1" --no-warnings -p 'typeof require("stream/iter").pull' && exits 1 -p 'require("stream/iter")' ;;
    --experimental-sqlite) prints object -p 'typeof require("node:sqlite")' && exits 1 --no-experimental-sqlite -p 'require("node:sqlite")' ;;
    --experimental-websocket) is_there WebSocket && prints undefined --no-experimental-websocket -p 'typeof WebSocket' ;;
    --experimental-global-navigator) prints undefined --no-experimental-global-navigator -p 'typeof navigator' ;;
    --experimental-fetch) prints function "$1" -p 'typeof fetch' ;;
    --experimental-global-customevent) prints function "$1" -p 'typeof CustomEvent' ;;
    --experimental-worker) prints object "$1" -p 'typeof require("worker_threads")' ;;
    --experimental-abortcontroller) prints function "$1" -p 'typeof AbortController' ;;
    --experimental-json-modules) prints cond "$1" --input-type=module -e 'import json from "./node_modules/cond/package.json" with { type: "json" }; console.log(json.name)' ;;
    --preserve-symlinks) prints alias "$1" -e 'require("./linked/alias/main.js")' && prints real -e 'require("./linked/alias/main.js")' ;;
    --preserve-symlinks-main) prints "$(basename "$work")" "$1" main-link.js && prints real main-link.js ;;
    --pending-deprecation) has "$1" "$(run "$1" -e 'new Buffer(1)'; cat err)" DEP0005 ;;
    --trace-deprecation) run "$1" -e "$warns" && has "$1" "$err" "    at " ;;
    --throw-deprecation) exits 1 "$1" -e "$warns" ;;
    --trace-warnings) run "$1" -e 'process.emitWarning("w")' && has "$1" "$err" "    at " ;;
    --trace-uncaught) run "$1" -e 'throw 1'; has "$1" "$err" "Thrown at:" ;;
    --trace-exit) run "$1" -e 'process.exit(3)'; has "$1" "$err" ") WARNING: Exited the environment with code 3
    at " ;;
    --trace-sync-io) run "$1" -e 'setImmediate(() => require("fs").readFileSync("some.env"))' && has "$1" "$err" "Detected use of sync API" ;;
    --trace-event-categories) prints 1 "$1=node" -p 1 && has "$1" "$(cat node_trace.1.log)" '"traceEvents":[' ;;
    --trace-events-enabled) rm -f node_trace.1.log && prints 1 "$1" -p 1 && has "$1" "$(cat node_trace.1.log)" '"traceEvents":[' ;;
    --trace-event-file-pattern) prints 1 --trace-events-enabled "$1=here.json" -p 1 && has "$1" "$(cat here.json)" '"traceEvents":[' ;;
    --enable-source-maps) run "$1" mapped.js; has "$1" "$err" "origin.ts:10" ;;
    --expose-gc) prints function "$1" -p 'typeof gc' ;;
    --entry-url) prints 1 "$1" 'data:text/javascript,console.log(1)' ;;
    --abort-on-uncaught-exception) (ulimit -c 0 && exits 134 "$1" -e 'throw 1') || exit 1 ;;
    --zero-fill-buffers) prints true "$1" -p 'Buffer.allocUnsafeSlow(1 << 16).every((byte) => byte === 0)' ;;
    --experimental-repl-await) has "$1" "$("$RONDO" --no-experimental-repl-await -i <<<'await 1' 2>&1)" 'Uncaught SyntaxError' ;;
    --async-context-frame) prints 1 "$1" -p 'const { AsyncLocalStorage } = require("async_hooks"); new AsyncLocalStorage().run(1, () => 1)' ;;
    --max-old-space-size-percentage) prints true "$1=50" -p 'const limit = require("v8").getHeapStatistics().heap_size_limit, memory = Math.min(os.totalmem(), process.constrainedMemory() || Infinity); limit > 0 && limit <= memory * 0.51' && prints true "$1=10" --max-old-space-size=1 -p 'v8.getHeapStatistics().heap_size_limit > 2 ** 20' && exits 9 "$1=0" -p 1 ;;
    --secure-heap) prints 65536 "$1=65536" -p 'crypto.secureHeapUsed().total' && exits 9 "$1=3" --secure-heap-min=3 -p 1 ;;
    --secure-heap-min) prints 4 --secure-heap=65536 "$1=4" -p 'crypto.secureHeapUsed().min' ;;
    --disable-proto) prints undefined "$1=delete" -p '({}).__proto__' && prints ERR_PROTO_ACCESS "$1=throw" -p 'try { ({}).__proto__ } catch (error) { error.code }' && exits 9 "$1=other" -p 1 ;;
    --disallow-code-generation-from-strings) prints EvalError "$1" -p 'try { new Function("") } catch (error) { error.name }' ;;
    --diagnostic-dir) prints reports "$1=reports" -p 'process.report.directory' ;;
    --heapsnapshot-signal) prints true "$1=SIGUSR2" -e 'process.kill(process.pid, "SIGUSR2"); const wait = () => fs.readdirSync(".").some((name) => name.endsWith(".heapsnapshot")) ? console.log(true) : setTimeout(wait, 5); wait()' && rm -f ./*.heapsnapshot ;;
    --extra-info-on-fatal-exception) run --no-extra-info-on-fatal-exception -e 'throw 1'; [[ $err != *"Rondo v"* ]] || expect "$1" "$err" "no version" ;;
    --global-search-paths) NODE_PATH="$work/node_modules" prints addons -p 'process.chdir("/"); require("module")._initPaths(); module.paths = []; require("cond")' && NODE_PATH="$work/node_modules" exits 1 --no-global-search-paths -p 'module.paths = []; require("cond")' ;;
    --enable-network-family-autoselection) prints false --no-enable-network-family-autoselection -p 'require("net").getDefaultAutoSelectFamily()' ;;
    --experimental-modules | --experimental-top-level-await) prints 1 "$1" --input-type=module -e 'console.log(await 1)' ;;
    --experimental-global-webcrypto) prints object "$1" -p 'typeof crypto' ;;
    --tls-cipher-list) prints TLS_AES_128_GCM_SHA256 "$1=TLS_AES_128_GCM_SHA256" -p 'require("tls").DEFAULT_CIPHERS' ;;
    --tls-min-v*) prints "TLS$(sed "s,.*-,,;s,\.0$,," <<<"$1")" "$1" -p 'require("tls").DEFAULT_MIN_VERSION' ;;
    --tls-max-v*) prints "TLS${1#--tls-max-}" "$1" -p 'require("tls").DEFAULT_MAX_VERSION' ;;
    --tls-keylog) "$RONDO" --no-warnings "$1=keys.log" handshake.js && has "$1" "$(cat keys.log)" CLIENT_ ;;
    --trace-tls) has "$1" "$("$RONDO" --no-warnings "$1" handshake.js 2>&1)" ClientHello ;;
    --use-*-ca) prints true "$1" -p 'require("tls").getCACertificates("default").length > 0' ;;
    --use-env-proxy) prints http://name.invalid/x proxy.js "$1" ;;
    --watch*) has "tests/cli/watch.test.sh" "$watch_test" "$1" ;;
    --test) has "tests/cli/test_files.test.sh" "$test_test" "$1" ;;
    --test-*coverage* | --experimental-test-coverage) has "tests/cli/test_coverage.test.sh" "$coverage_test" "$1" ;;
    --test-* | --experimental-test-*) has "tests/cli/test_options.test.sh" "$test_options_test" "$1" ;;
    *) expect "$1 is tried by" nobody "a line of this test" ;;
  esac
}

while read -r option kind; do
  try "$option" || continue
  case $kind in
    Always) exits 9 "--no${option#-}" -p 1 ;;
    Text | List | Number) exits 9 "$option" ;;
  esac
done <<<"$table"

# Options of V8 and of Node's internals: the program runs as it does without them, from NODE_OPTIONS too, and --help names them.
help=$("$RONDO" --help)
v8_options=$("$RONDO" --v8-options)
[[ -n $foreign ]] || expect "the table of options without effect" empty full
accepted=() negated=()
while read -r option form; do
  has "--help names $option" "$help" " $option"
  given=${option/\*/x}
  case $form in
    Flag) accepted+=("$given") negated+=("--no${given#-}") && exits 9 "$given=1" -p 1 ;;
    Number) accepted+=("$given=16") && exits 9 "$given=x" -p 1 ;;
    Text) prints 1 "$given=word" -p 1 && exits 9 "$given" ;;
  esac
done <<<"$foreign"
# All at once: the message of one that is refused names it.
prints 1 "${accepted[@]}" -p 1
prints 1 "${negated[@]}" -p 1
NODE_OPTIONS="${accepted[*]}" prints 1 -p 1
has "--v8-options" "$v8_options" "  --max-semi-space-size"
has "--completion-bash" "$("$RONDO" --completion-bash)" "complete -o filenames"
# Each option is in the completions of the other shells and in the manual page, which comes from the same tables.
zsh=$("$RONDO" --completion-zsh) fish=$("$RONDO" --completion-fish) page=$("$RONDO" --man-page)
names=$(cut -d' ' -f1 <<<"$table" | tr '\n' ' ')
allowed=" $("$RONDO" -p 'process.argv.slice(1).filter((name) => process.allowedNodeEnvironmentFlags.has(name)).join(" ")' -- $names) "
while read -r option _; do
  has "zsh $option" "$zsh" "'*$option"
  [[ " $command_line_only " == *" $option "* ]] || has "allowedNodeEnvironmentFlags" "$allowed" " $option "
  has "fish $option" "$fish" "-l ${option#--}"
  has "man $option" "$page" "${option//-/\\-}"
done <<<"$table"

# What is not here is refused, with a sentence; what switches it off is taken.
while read -r option sentence; do
  run "$option" -p 1
  expect "$option" "$code:$out" "9:"
  has "$option: message" "$err" "bad option: $option ($sentence"
done <<'OPTIONS'
--prof V8's log of ticks
--debug-brk `node --debug` and
--trace-gc the engine is not V8
OPTIONS
for option in --no-experimental-repl-await --no-inspect; do prints 1 $option -p 1; done

# A file without an end is no environment and no module.
for option in --env-file=/dev/zero --require=/dev/zero; do
  code=0
  err=$(timeout 60 "$RONDO" "$option" -p 1 2>&1) || code=$?
  [[ $code == 9 || $code == 1 ]] || expect "$option: code" "$code" "1 or 9"
  has "$option: message" "$err" "EFBIG"
done

# What cannot be kept is refused: options of V8's, of Node's own tests, of modules that are not there.
for option in --use-bundled-ca --allow-natives-syntax \
  --frozen-intrinsics --force-context-aware --verify-base-objects; do
  run $option -p 1
  expect "$option" "$code:$out" "9:"
  has "$option: message" "$err" "bad option: $option"
done
for choice in RONDO_POLLER=kqueue RONDO_FS=disk; do
  code=0
  err=$(env "$choice" "$RONDO" -p 1 2>&1) || code=$?
  expect "$choice: code" "$code" 9
  has "$choice: message" "$err" "${choice%=*} must be"
done
ln -s "$RONDO" node
expect "--version when called as node" "$(./node --version)" "$("$RONDO" -p process.version)"
