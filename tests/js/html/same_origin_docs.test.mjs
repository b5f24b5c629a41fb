// docs/same-origin-table.md is what tests/browser/same_origin_table.mjs prints, and has every cell.
import assert from 'node:assert';
import fs from 'node:fs';
import { test } from 'node:test';
import { table } from '../../browser/same_origin_table.mjs';

test('the table of the same-origin policy in the docs is whole', () => {
  const text = table();
  assert.strictEqual(fs.readFileSync(new URL('../../../docs/same-origin-table.md', import.meta.url), 'utf8'), text);
  const rows = text.split('\n').filter((line) => line.startsWith('| ')).slice(2);
  assert.strictEqual(rows.length, 81);
  for (const row of rows) assert.strictEqual(row.split(' | ').length, 8, row);
  assert.doesNotMatch(text, /not tried/);
});
