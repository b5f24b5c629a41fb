#!/usr/bin/env bash
# skip-asan: long pages.
# Pages that nobody should write: each ends with a clear message that names file and line, exit code 1 where something failed, and no hang.
source tests/cli/help.bash
page() { cat >"$work/$1.html"; run --loop=html "$work/$1.html"; }

page broken <<'H'
<p>unclosed <b><table><tr><script>console.log(1)</script><div></p></html></body><<<>>>&&&;&#xFFFFFFFF;<script>console.log(2)
H
expect 'broken' "$code $out" $'0 1\n2'

page syntax <<'H'
<!doctype html>
<script>
let x = {;
</script>
<script>console.log('the next one runs')</script>
H
expect 'syntax' "$code $out" '1 the next one runs'
has 'syntax' "$err" $'syntax.html:3\nlet x = {;\n'
has 'syntax' "$err" "SyntaxError: Unexpected token ';'"

page throwing <<'H'
<!doctype html>
<script>
function deep() { deep(); }
deep();
</script>
<script>throw null</script>
<script>throw { get message() { throw 1; }, get stack() { throw 2; } }</script>
<script>Promise.reject(Object.create(null))</script>
<script>
nobody('knows it');
</script>
<script>console.log('the last one runs')</script>
H
expect 'throwing' "$code $out" '1 the last one runs'
has 'throwing' "$err" $'throwing.html:3\nfunction deep() { deep(); }\n'
has 'throwing' "$err" 'RangeError: Maximum call stack size exceeded'
has 'throwing' "$err" $'throwing.html:10\nnobody('
has 'throwing' "$err" 'ReferenceError: nobody is not defined'

# Values without a stack are shown with their place, and by the words of browsers.
page values <<'H'
<!doctype html>
<script>
  throw Symbol();
</script>
<script>throw 'a text'</script>
<script>setTimeout(() => { throw Symbol('later'); });</script>
<button onclick="throw 5">button</button>
<script>document.querySelector('button').click()</script>
H
expect 'values' "$code $out" '1 '
has 'values' "$err" $'values.html:3\n  throw Symbol();\n  ^\n\nUncaught Symbol()\n'
has 'values' "$err" $'values.html:5\n        throw \'a text\'\n        ^\n\nUncaught a text\n'
has 'values' "$err" $'values.html:6\n        setTimeout(() => { throw Symbol(\'later\'); });\n                           ^\n\nUncaught Symbol(later)\n'
has 'values' "$err" $'values.html\n\nUncaught 5\n'

page missing <<'H'
<!doctype html>
<script src=none.js></script>
<link rel=stylesheet href=none.css>
<iframe src=none.html></iframe>
<script type=module src=none.mjs></script>
<script>console.log('the rest runs')</script>
H
expect 'missing' "$code $out" '1 the rest runs'
for name in none.js none.css none.html none.mjs; do has 'missing' "$err" "$work/$name"; done

printf 'import { b } from "./b.mjs";\nexport const a = 1;\nconsole.log(b);\n' >"$work/a.mjs"
printf 'import { a } from "./a.mjs";\nexport const b = a + 1;\n' >"$work/b.mjs"
page circular <<'H'
<!doctype html><script type=module src=a.mjs></script>
H
expect 'circular' "$code $out" '1 '
has 'circular' "$err" "ReferenceError: Cannot access 'a' before initialization"
has 'circular' "$err" 'b.mjs:2:'

# Modules and workers name the line of the file that they stand in.
printf 'export const a = 1;\nlet b = {;\n' >"$work/syntax.mjs"
printf '\nlet c = ;\n' >"$work/syntax.js"
page lines <<'H'
<!doctype html>
<script type=module>
let a = ;
</script>
<script type=module>import './syntax.mjs'</script>
<script type=module>

null.property;
</script>
<script>new Worker('syntax.js'); new Worker('nowhere.js')</script>
H
expect 'lines' "$code $out" '1 '
has 'lines' "$err" "file://$work/"$'lines.html:3\nlet a = ;\n        ^\n\n[SyntaxError: Unexpected token'
has 'lines' "$err" "file://$work/"$'syntax.mjs:2\nlet b = {;\n         ^\n\n[SyntaxError: Unexpected token'
has 'lines' "$err" $'lines.html:8\nnull.property;\n'
has 'lines' "$err" "cannot load file://$work/syntax.js:2: Unexpected token ';'"
has 'lines' "$err" "cannot load file://$work/nowhere.js: ENOENT"

page builtins <<'H'
<!doctype html>
<script>
delete window.Promise; Array.prototype.push = null; Object.prototype.then = 1; window.setTimeout = 1; Reflect.apply = null;
Function.prototype.call = Function.prototype.apply = null; Map.prototype.get = () => { throw 1; }; Array.prototype[Symbol.iterator] = null;
Node.prototype.appendChild = null; EventTarget.prototype.dispatchEvent = null; delete Object.prototype.hasOwnProperty;
queueMicrotask(() => console.log('microtask')); requestAnimationFrame(() => console.log('frame'));
throw new Error('without builtins');
</script>
<p>text</p>
<script>console.log('second')</script>
H
expect 'builtins' "$code $out" $'1 microtask\nsecond\nframe'
has 'builtins' "$err" $'builtins.html:7\nthrow new Error('

page nothing </dev/null
expect 'nothing' "$code $out$err" '0 '
page binary < <(printf '\0\1\2\377\376binary\0<script>console.log("in binary")</script>')
expect 'binary' "$code $out" '0 in binary'
run --loop=html "$work/not_there.html"
expect 'not there' "$code" 1
has 'not there' "$err" "cannot read $work/not_there.html"

mkdir "$work/folder.html"
run --loop=html "$work/folder.html"
expect 'a folder' "$code $out$err" "1 rondo: cannot read $work/folder.html: EISDIR: illegal operation on a directory, read"
run --loop=html http://
expect 'no address' "$code $out$err" '1 rondo: cannot load http://: not a URL'
run --loop=html --storage="$work/nothing.html" "$work/nothing.html"
expect 'no folder for storage' "$code $out$err" "1 rondo: cannot keep storage in $work/nothing.html: EEXIST: file already exists, mkdir '$work/nothing.html'"

page itself <<<'<!doctype html><iframe src=itself.html></iframe><script>console.log(1)</script>'
expect 'a page in itself' "$code $out" '0 1'

page long < <(echo '<!doctype html><body>'; seq -f '<p>paragraph %.0f</p>' 20000; echo '<script>console.log(document.querySelectorAll("p").length)</script>')
expect 'long' "$code $out" '0 20000'

# Ctrl-C ends what never ends by itself, in a script and in microtasks.
for body in 'console.log(1); for (;;);' 'console.log(1); const again = () => Promise.resolve().then(again); again();'; do
  echo "<!doctype html><script>$body</script>" >"$work/endless.html"
  coproc "$RONDO" --loop=html "$work/endless.html"
  pid=$COPROC_PID
  read -r _ <&"${COPROC[0]}"
  kill -INT "$pid"
  code=0
  wait "$pid" || code=$?
  expect "Ctrl-C in <$body>" $code 130
done
