// natives: none
// --loop=html: makes the window for a page or a script and queues what runs it. The loop ends when nothing is left to do or the window is
// closed; the exit code is 1 when something went uncaught.
'use strict';

const { sources, queueTask, enterScript, noteDetail, asScript } = require('html/agents/agent');

const kExitFailed = 1;

function fail(message) {
  process._rawDebug(`rondo: ${message}`);
  process.exitCode = kExitFailed;
}

// --storage: a folder that cannot be had is said before anything runs, not by the first page that uses it.
function canStore() {
  const folder = require('internal/process/options').getOptionValue('--storage');
  if (!folder) return true;
  try {
    const fs = require('internal/fs/fs');
    fs.mkdirSync(folder, { recursive: true });
    fs.accessSync(folder, fs.constants.W_OK);
    return true;
  } catch (error) {
    fail(`cannot keep storage in ${folder}: ${error.message}`);
    return false;
  }
}

// A page of a server: its text first, then as a page of a file.
function runRemote(name) {
  const { URL } = require('internal/url/url_class');
  if (!URL.canParse(name)) return fail(`cannot load ${name}: not a URL`);
  const requests = require('html/network/requests');
  return requests.request(name, { mode: 'navigate' }, requests.user(), (error, answer) => {
    if (error !== undefined) return fail(`cannot load ${name}: ${error.cause?.message ?? error.message}`);
    if (answer.status >= 400) return fail(`cannot load ${name}: status ${answer.status}`);
    return runPage(answer.body.toString('utf8'), new URL(answer.url), answer.headers);
  });
}

// `isCode`: what -e gave.
function run(name, isCode) {
  require('html/agents/realm').close();
  if (!canStore()) return undefined;
  require('html/agents/reports').start();
  if (!isCode && /^https?:\/\//i.test(name)) return runRemote(name);
  const { pathToFileURL } = require('internal/url/url');
  const file = require('internal/path/path').resolve(isCode ? '[eval]' : name);
  if (isCode) return runScript(file, name, pathToFileURL(file));
  let text;
  try {
    text = require('internal/fs/fs').readFileSync(name, 'utf8');
  } catch (error) {
    return fail(`cannot read ${name}: ${error.message}`);
  }
  if (/\.x?html?$/i.test(name)) return runPage(text, pathToFileURL(file));
  return runScript(file, text, pathToFileURL(file));
}

// The parser runs as one task, and with it the scripts that it meets.
function runPage(text, url, headers = []) {
  const lacking = require('html/jsdom/pack').lacking();
  if (lacking !== undefined) return fail(lacking);
  const document = require('html/document/document');
  const { parse } = document.create(url, '', { added: require('html/document/sandbox').ofHeaders(headers) });
  return queueTask(sources.networking, () => {
    noteDetail(`parses ${url.href}`);
    parse(text);
  });
}

// A script of an absolute path; TypeScript's types become blanks. One of TypeScript that imports or exports is a module, as .mjs is.
function runScript(file, text, url) {
  const window = require('html/window/bare_window').create(url);
  require('html/network/requests').setFolder(url.href);
  require('html/network/requests').addClient(window, { href: url.href, origin: url.origin });
  require('html/window/window').install(window, url);
  require('html/compare').giveAbsent(window);
  const isTyped = /\.ts$/i.test(file);
  const runModule = () => require('html/window/modules').of(window).run(url.href).done;
  if (/\.m[jt]s$/i.test(file)) return queueTask(sources.networking, runModule);
  return queueTask(sources.networking, () => {
    const {
      Script,
      constants: { USE_MAIN_CONTEXT_DEFAULT_LOADER: importModuleDynamically },
    } = require('vm');
    let script;
    try {
      const code = isTyped ? require('internal/modules/typescript').strip(text, file) : text;
      script = new Script(code, { filename: file, importModuleDynamically });
    } catch (error) {
      if (isTyped && error instanceof SyntaxError && /import|export/i.test(error.message)) return runModule();
      throw error;
    }
    return enterScript(() => {
      asScript(
        () => `script ${url.href}`,
        () => script.runInContext(window),
      );
    });
  });
}

module.exports = { run };
