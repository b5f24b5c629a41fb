// natives: none
// The `navigator` object, as far as Node has it: facts about the machine and the runtime.
'use strict';

const {
  codes: { ERR_ILLEGAL_CONSTRUCTOR },
} = require('internal/errors/coded');

const kMake = Symbol('make');

// The values that browsers on the same system report.
function platformName() {
  const { platform, arch } = process;
  if (platform === 'darwin') return 'MacIntel';
  if (platform === 'win32') return 'Win32';
  const name = platform === 'linux' ? 'Linux' : platform;
  return `${name} ${arch === 'x64' ? 'x86_64' : arch === 'arm64' ? 'aarch64' : arch}`;
}

class Navigator {
  constructor(token) {
    if (token !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
  }

  get hardwareConcurrency() {
    return require('internal/os/os').availableParallelism();
  }

  get language() {
    return new Intl.DateTimeFormat().resolvedOptions().locale; // the program's: as Node asks for it
  }

  get languages() {
    return Object.freeze([this.language]);
  }

  get userAgent() {
    return `Node.js/${regexpExec.call(/\d+/, process.versions.node)[0]}`;
  }

  get platform() {
    return platformName();
  }

  get locks() {
    return require('internal/worker/locks').locks;
  }
}

for (const name of each(['hardwareConcurrency', 'language', 'languages', 'userAgent', 'platform', 'locks'])) {
  Object.defineProperty(Navigator.prototype, name, { enumerable: true });
}

module.exports = { Navigator, navigator: new Navigator(kMake) };
