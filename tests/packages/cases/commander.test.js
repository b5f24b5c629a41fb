// commander: options, sub-commands, errors, help.
'use strict';
const assert = require('node:assert');
const { Command, Option, CommanderError } = require('commander');

const program = new Command('tool').exitOverride();
const written = [];
program.configureOutput({ writeOut: (text) => written.push(text), writeErr: (text) => written.push(text) });
program.version('1.2.3').option('-d, --debug', 'more output').addOption(new Option('-l, --level <n>').choices(['1', '2']));
let copied;
program.command('copy <from> [to...]').description('copies').option('--force').exitOverride()
  .action(async (from, to, options) => { await null; copied = { from, to, options }; });

async function main() {
  await program.parseAsync(['node', 'tool', '-d', '--level', '2', 'copy', 'a', 'b', 'c', '--force']);
  assert.deepStrictEqual(program.opts(), { debug: true, level: '2' });
  assert.deepStrictEqual(copied, { from: 'a', to: ['b', 'c'], options: { force: true } });
  assert.throws(() => program.parse(['node', 'tool', '--level', '9']), (error) => error instanceof CommanderError && error.code === 'commander.invalidArgument');
  assert.match(program.helpInformation(), /Usage: tool \[options\] \[command\]/);
  const imported = await import('commander');
  assert.strictEqual(imported.Command, Command);
  assert.strictEqual(written.length, 1);
}
let ended = false;
main().then(() => { ended = true; });
process.on('exit', () => assert(ended));
