// natives: none
// The commands of a REPL that begin with a dot: .break, .clear, .editor, .exit, .help, .load, .save. Those that show the event loop are in
// internal/repl/loop_commands.
'use strict';

const fs = require('internal/fs/fs');
const { kLoading } = require('internal/repl/symbols');

const kEditorHelp = '// Entering editor mode (Ctrl+D to finish, Ctrl+C to cancel)\n';

function enterEditorMode(repl) {
  repl.editorMode = true;
  repl._prompt = '';
}

function leaveEditorMode(repl) {
  repl.editorMode = false;
  repl.setPrompt(repl._initialPrompt);
}

function printHelp(repl) {
  const names = arraySort.call(Object.keys(repl.commands));
  const width = Math.max(...each(arrayMap.call(names, (name) => name.length)));
  for (const name of each(names)) {
    const { help } = repl.commands[name];
    repl.output.write(`.${help ? stringPadEnd.call(name, width + 3) + help : name}\n`);
  }
  repl.output.write('\nPress Ctrl+C to abort current expression, Ctrl+D to exit the REPL\n');
  repl.displayPrompt();
}

function needsName(repl, file) {
  if (file !== '') return true;
  const { ERR_MISSING_ARGS } = require('internal/errors/coded').codes;
  repl.output.write(`${new ERR_MISSING_ARGS('file').message}\n`);
  return false;
}

function save(repl, file) {
  if (needsName(repl, file)) {
    try {
      fs.writeFileSync(file, arrayJoin.call(repl.lines, '\n'));
      repl.output.write(`Session saved to: ${file}\n`);
    } catch {
      repl.output.write(`Failed to save: ${file}\n`);
    }
  }
  repl.displayPrompt();
}

function load(repl, file) {
  if (needsName(repl, file)) {
    try {
      if (!fs.statSync(file).isFile()) repl.output.write(`Failed to load: ${file} is not a valid file\n`);
      else loadText(repl, fs.readFileSync(file, 'utf8'));
    } catch {
      repl.output.write(`Failed to load: ${file}\n`);
    }
  }
  repl.displayPrompt();
}

// The whole text is one input, as in the editor.
function loadText(repl, text) {
  enterEditorMode(repl);
  repl[kLoading] = true;
  repl.write(text);
  repl[kLoading] = false;
  leaveEditorMode(repl);
  repl.write('\n');
}

function defineCommands(repl) {
  repl.defineCommand('break', {
    help: 'Sometimes you get stuck, this gets you out',
    action() {
      this.clearBufferedCommand();
      this.displayPrompt();
    },
  });
  repl.defineCommand('clear', {
    help: repl.useGlobal ? 'Alias for .break' : 'Break, and also clear the local context',
    action() {
      this.clearBufferedCommand();
      if (!this.useGlobal) {
        this.output.write('Clearing context...\n');
        this.resetContext();
      }
      this.displayPrompt();
    },
  });
  repl.defineCommand('exit', {
    help: 'Exit the REPL',
    action() {
      this.close();
    },
  });
  repl.defineCommand('help', {
    help: 'Print this help message',
    action() {
      printHelp(this);
    },
  });
  repl.defineCommand('save', {
    help: 'Save all evaluated commands in this REPL session to a file',
    action(file) {
      save(this, file);
    },
  });
  repl.defineCommand('load', {
    help: 'Load JS from a file into the REPL session',
    action(file) {
      load(this, file);
    },
  });
  if (!repl.terminal) return;
  repl.defineCommand('editor', {
    help: 'Enter editor mode',
    action() {
      enterEditorMode(this);
      this.output.write(kEditorHelp);
    },
  });
}

module.exports = { defineCommands, leaveEditorMode, kEditorHelp };
