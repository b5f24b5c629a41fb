// yargs: parsing, commands, a failing command line in a process of its own.
import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';

assert.deepStrictEqual(hideBin(['node', 'x', '--a']), ['--a']);
const parsed = await yargs(['serve', '8080', '--verbose', '--name=x', '-ab'])
  .command('serve <port>', 'starts', (y) => y.positional('port', { type: 'number' }), () => {})
  .option('verbose', { type: 'boolean' }).parseAsync();
assert.strictEqual(parsed.port, 8080);
assert(parsed.verbose && parsed.a && parsed.b);
assert.strictEqual(parsed.name, 'x');
const help = await yargs([]).scriptName('tool').option('size', { alias: 's', describe: 'how big', type: 'number' }).getHelp();
assert.match(help, /-s, --size\s+how big\s+\[number\]/);

const program = "import yargs from 'yargs'; yargs(process.argv.slice(1)).demandOption('must').parse();";
const run = spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: import.meta.dirname, encoding: 'utf8' });
assert.strictEqual(run.status, 1);
assert.match(run.stderr, /Missing required argument: must/);
