// natives: none
// The dot reporter: `.` for a test that passed, `X` for one that failed; failures in full at the end.
'use strict';

const colors = require('internal/util/colors');
const { formatTest } = require('internal/test_runner/reporter/format');

// As wide as the terminal, which may change meanwhile.
const lineLength = () => Math.max(process.stdout.columns ?? 20, 20);

module.exports = async function* dot(source) {
  const failed = [];
  let column = 0;
  let length = lineLength();
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (type === 'test:fail') arrayPush.call(failed, data);
    yield type === 'test:pass' ? `${colors.green}.${colors.reset}` : `${colors.red}X${colors.reset}`;
    if (++column < length) continue;
    yield '\n';
    column = 0;
    length = lineLength();
  }
  yield '\n';
  if (failed.length === 0) return;
  yield `\n${colors.red}Failed tests:${colors.white}\n\n`;
  for (const test of each(failed)) yield formatTest('test:fail', test);
};
