// natives: none
// The TAP reporter: version 13, with a YAML block behind each test.
'use strict';

const { coverageTable } = require('internal/test_runner/reporter/coverage_table');
const { detailsToYaml } = require('internal/test_runner/reporter/yaml');

const kEscapes = [
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['#', '\\#'],
];

function escape(text) {
  for (const { 0: character, 1: escaped } of each(kEscapes)) text = stringReplaceAll.call(text, character, () => escaped);
  return text;
}

const indentation = (nesting) => stringRepeat.call('    ', nesting);

function directive({ skip, todo, expectFailure }) {
  const word = (name, value) => ` # ${name}${typeof value === 'string' && value.length > 0 ? ` ${escape(value)}` : ''}`;
  if (skip !== undefined) return word('SKIP', skip);
  if (todo !== undefined) return word('TODO', todo);
  return expectFailure === undefined ? '' : word('EXPECTED FAILURE', expectFailure);
}

function outcome(type, data) {
  const { nesting, testNumber, name, details, file, line, column } = data;
  const indent = indentation(nesting);
  const failed = type === 'test:fail';
  const title = name ? ` ${escape(`- ${name}`)}` : '';
  const place = failed && file ? `${file}:${line}:${column}` : null;
  return [`${indent}${failed ? 'not ok' : 'ok'} ${testNumber}${title}${directive(data)}\n`, detailsToYaml(indent, details, place)];
}

const lines = (message) =>
  arrayMap.call(
    arrayFilter.call(regexpSplit.call(/\r?\n/, message), (line) => line.length > 0),
    (line) => `# ${escape(line)}\n`,
  );

function texts(type, data) {
  switch (type) {
    case 'test:fail':
    case 'test:pass':
      return outcome(type, data);
    case 'test:plan':
      return [`${indentation(data.nesting)}1..${data.count}\n`];
    case 'test:start':
      return [`${indentation(data.nesting)}# Subtest: ${escape(data.name)}\n`];
    case 'test:stderr':
    case 'test:stdout':
      return lines(data.message);
    case 'test:diagnostic':
    case 'test:log':
      return [`${indentation(data.nesting)}# ${escape(data.message)}\n`];
    case 'test:coverage':
      return [coverageTable(indentation(data.nesting), data.summary, '# ', '')];
    case 'test:interrupted':
      return arrayMap.call(data.tests, ({ name, file, line, column }) => {
        return `# ${escape(`Interrupted while running: ${name}${file ? ` at ${file}:${line}:${column}` : ''}`)}\n`;
      });
    default:
      return [];
  }
}

module.exports = async function* tap(source) {
  yield 'TAP version 13\n';
  for await (const { type, data } of source) {
    for (const text of each(texts(type, data))) yield text;
  }
};
