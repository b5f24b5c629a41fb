// chalk: colours chosen by hand, and by what the environment says.
import assert from 'node:assert';
import { createRequire } from 'node:module';
import { execFileSync } from 'node:child_process';
import chalk, { Chalk } from 'chalk';

const coloured = new Chalk({ level: 3 });
assert.strictEqual(coloured.red.bold('x'), '\u001b[31m\u001b[1mx\u001b[22m\u001b[39m');
assert.strictEqual(coloured.hex('#336699')('x'), '\u001b[38;2;51;102;153mx\u001b[39m');
assert.strictEqual(new Chalk({ level: 0 }).red('x'), 'x');
assert.strictEqual(createRequire(import.meta.url)('chalk').default, chalk);

const program = "import chalk from 'chalk'; process.stdout.write(chalk.green('y') + chalk.level);";
const run = (env) => execFileSync(process.execPath, ['--input-type=module', '-e', program],
  { cwd: import.meta.dirname, env: { ...process.env, FORCE_COLOR: '', ...env }, encoding: 'utf8' });
assert.strictEqual(run({ FORCE_COLOR: '1' }), '\u001b[32my\u001b[39m1');
assert.strictEqual(run({ FORCE_COLOR: '0' }), 'y0');
