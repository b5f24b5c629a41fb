#!/usr/bin/env bash
# Coverage: --experimental-test-coverage with its options, NODE_V8_COVERAGE in V8's form, v8.takeCoverage and v8.stopCoverage.
source tests/cli/help.bash
cd "$work" || exit 1
cat >math.js <<'JS'
function used(value) {
  if (value > 0) {
    return 'positive';
  } else {
    return 'other';
  }
}

function unused() {
  return 1;
}

/* node:coverage ignore next 3 */
function ignored() {
  return 2;
}
module.exports = { used, unused, ignored };
JS
echo 'const { used } = require("./math.js"); require("node:test")("t", (t) => t.assert.strictEqual(used(1), "positive"));' >math.test.js
echo 'exports.never = () => 1;' >alone.js
row() { grep -oP "$1 *\| \K.*" <<<"$out" | tr -d ' '; }
run --test --experimental-test-coverage
expect "--experimental-test-coverage" "$code:$(row math.js)" "0:70.59|66.67|66.67|5-69-11"
[ -z "$(row alone.js)" ] || expect "a file that no test loads" reported "left out"
run --test --experimental-test-coverage --test-coverage-include-all
expect "--test-coverage-include-all" "$(row alone.js)" "0.00|100.00|100.00|1"
run --test --experimental-test-coverage --test-coverage-exclude=math.js --test-coverage-exclude='*.test.js'
expect "--test-coverage-exclude" "$(row math.js)" ""
run --test --experimental-test-coverage --test-coverage-include='*.test.js' --test-coverage-exclude=other.js
expect "--test-coverage-include" "$(row math.test.js)" "100.00|100.00|100.00|"
for option in --test-coverage-lines --test-coverage-branches --test-coverage-functions; do
  run --test --experimental-test-coverage "$option=90"
  expect "$option=90" "$code" 1
  has "$option says so" "$out" "coverage does not meet threshold of 90%."
  run --test --experimental-test-coverage "$option=10"
  expect "$option=10" "$code" 0
done
run --test --experimental-test-coverage --test-reporter=lcov
has "lcov" "$out" "SF:math.js
FN:1,used
FN:9,unused
FN:14,ignored
FNDA:1,used
FNDA:0,unused"

# In V8's form: counts of functions and of the parts that ran more or less often.
cat >counts.js <<'JS'
function often(n) { return n % 2 === 0 ? 'even' : 'odd'; }
for (let i = 0; i < 10; i++) often(i);
class Shape { area() { return 0; } }
if (process.argv.length > 5) { often(1); }
JS
NODE_V8_COVERAGE=folder run counts.js
cat >show.js <<'JS'
const fs = require('fs');
const [file] = fs.readdirSync('folder').filter((name) => /^coverage-\d+-\d{13}-\d+\.json$/.test(name));
const { result } = JSON.parse(fs.readFileSync(`folder/${file}`));
const script = result.find(({ url }) => url.endsWith('/counts.js'));
for (const { functionName, isBlockCoverage, ranges } of script.functions)
  console.log(functionName || '(file)', isBlockCoverage, ranges.map(({ startOffset, endOffset, count }) => `${startOffset}-${endOffset}:${count}`).join(' '));
JS
run show.js
expect "NODE_V8_COVERAGE" "$out" "(file) true 0-178:1 88-97:10 164-177:0
often true 0-58:10 39-47:5 48-55:5
area false 112-132:0"

# A program that asks for it has a file each time, counted from zero; none after stopCoverage.
rm -rf folder
echo 'const v8 = require("v8"); function f() {} f(); f(); v8.takeCoverage(); f(); v8.takeCoverage(); v8.stopCoverage(); f();' >take.js
NODE_V8_COVERAGE=folder run take.js
run -p 'fs.readdirSync("folder").sort().map((file) => JSON.parse(fs.readFileSync(`folder/${file}`)).result[0].functions.find((f) => f.functionName === "f").ranges[0].count).join()'
expect "v8.takeCoverage" "$out" "2,1"
