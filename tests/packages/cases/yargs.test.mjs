// yargs: parsing, commands, a failing command line in a process of its own.
import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

// The script's name in its help, when the binary is called as node.
const folder = mkdtempSync(join(tmpdir(), 'rondo-yargs-'));
symlinkSync(process.execPath, join(folder, 'node'));
const script = join(import.meta.dirname, 'yargs_script.mjs');
writeFileSync(script, "import yargs from 'yargs'; console.log(yargs(process.argv.slice(2)).parse().$0);");
const named = spawnSync(join(folder, 'node'), [script], { encoding: 'utf8' });
rmSync(folder, { recursive: true });
rmSync(script);
assert.match(named.stdout, /yargs_script\.mjs\n$/);
