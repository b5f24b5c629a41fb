// natives: messaging
// The global scope of a dedicated or shared worker (https://html.spec.whatwg.org/#run-a-worker): a realm without a document, on a
// worker event loop of its own. html/agents/workers is the owner's side.
'use strict';

const messaging = native('messaging');
const vm = require('vm');
const { loop, sources, queueTask, enterScript, define, defineAll, later } = require('html/agents/agent');
const { attribute } = require('html/window/handler_attribute');
const ports = require('html/agents/ports');
const { createScope, consoleOver } = require('html/window/bare_window');
const { locationOf, navigatorOf } = require('html/agents/worker_names');
const { fire, messageEvent } = require('html/window/events');
const reports = require('html/agents/reports');
const requests = require('html/network/requests');
const { parse } = require('html/network/addresses');

const kEvents = ['error', 'languagechange', 'offline', 'online', 'rejectionhandled', 'unhandledrejection'];

// Its output appears at once: its owner's streams are another thread's.
function makeConsole() {
  const { writeSync } = require('internal/fs/fs');
  const stream = (fd) => ({ write: (text) => writeSync(fd, text), on() {}, removeListener() {} });
  return consoleOver(new (require('internal/console/program').Console)({ stdout: stream(1), stderr: stream(2), ignoreErrors: false }));
}

const networkError = (scope, message) => new scope.DOMException(message, 'NetworkError');

const compile = (text, url) =>
  new vm.Script(text, { filename: url, importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER });

// https://mimesniff.spec.whatwg.org/#javascript-mime-type
const kJavaScript =
  /^\s*(application|text)\/(x-)?(ecmascript|javascript)\s*(;|$)|^\s*text\/(javascript1\.[0-5]|jscript|livescript)\s*(;|$)/i;
const isJavaScript = ({ headers }) => kJavaScript.test(headers.findLast((pair) => pair[0].toLowerCase() === 'content-type')?.[1] ?? '');

// https://html.spec.whatwg.org/#run-a-classic-script, "rethrow errors"
function runImported(scope, text, url, isMuted) {
  try {
    compile(text, url).runInContext(scope);
  } catch (error) {
    throw isMuted ? networkError(scope, "Failed to execute 'importScripts' on 'WorkerGlobalScope': Script error.") : error;
  }
}

function installImports(scope, base, isModule) {
  define(scope, 'importScripts', (...urls) => {
    if (isModule)
      throw new scope.TypeError("Failed to execute 'importScripts' on 'WorkerGlobalScope': Module scripts don't support importScripts().");
    const resolved = urls.map((given) => {
      const target = parse(`${given}`, base);
      if (target !== undefined) return target.href;
      throw new scope.DOMException(`The URL '${given}' is invalid.`, 'SyntaxError');
    });
    for (const url of each(resolved)) {
      let text;
      let isMuted; // a script of another origin tells nothing by its errors
      try {
        const answer = requests.requestSync(url, { mode: 'no-cors' }, requests.clientOf(scope));
        if (answer.status >= 400) throw new Error(`status ${answer.status}`);
        if (/^https?:/.test(url) && !isJavaScript(answer)) throw new Error('its type is not that of a script');
        text = answer.body.toString('utf8');
        isMuted = answer.type === 'opaque';
        reports.mute(url, answer);
      } catch (error) {
        throw networkError(
          scope,
          `Failed to execute 'importScripts' on 'WorkerGlobalScope': The script at '${url}' failed to load: ${error.message}`,
        );
      }
      runImported(scope, text, url, isMuted);
    }
  });
}

function makeScope({ name, url, origin, isShared, from }) {
  const scope = createScope(isShared ? 'SharedWorkerGlobalScope' : 'DedicatedWorkerGlobalScope', kEvents, 'WorkerGlobalScope');
  const source = /^(blob|data):/.test(url) ? from : url;
  requests.addClient(scope, { href: source, origin, site: () => from });
  require('html/window/window').install(scope, { href: url, origin });
  for (const absent of each([
    'requestAnimationFrame',
    'cancelAnimationFrame',
    'requestIdleCallback',
    'cancelIdleCallback',
    'IdleDeadline',
    'closed',
    'postMessage',
    'SharedWorker',
  ]))
    delete scope[absent];
  defineAll(scope, {
    self: scope,
    console: makeConsole(),
    name,
    location: locationOf(scope, parse(url)),
    origin,
    isSecureContext: true,
    crossOriginIsolated: false,
    navigator: navigatorOf(scope),
  });
  require('html/window/database').install(scope, origin);
  later(scope, 'FormData', () => define(scope, 'FormData', require('undici/lib/web/fetch/formdata').FormData, false));
  // https://html.spec.whatwg.org/#dom-workerglobalscope-close: the task that runs ends; nothing else does.
  define(scope, 'close', () => {
    require('html/agents/messaging').of(scope).isClosing = true;
    loop.close();
  });
  return scope;
}

// https://html.spec.whatwg.org/#fetch-a-classic-worker-script, and of a module worker: then its program runs, as a task, and `then`
// follows. A script that cannot be fetched or compiled is an error event at the worker's owner, and does not run.
function runProgram(scope, { url, type, text }, link, then) {
  const failed = (error) => {
    const line = error instanceof SyntaxError && error.line > 0 ? `:${error.line}` : '';
    link.send({ type: 'script error', message: `${url}${line}: ${error.message}` });
  };
  const start = (make) => {
    let program;
    try {
      program = make();
    } catch (error) {
      return failed(error);
    }
    try {
      program();
    } finally {
      then();
    }
    return undefined;
  };
  const classic = (source) =>
    start(() => {
      const script = compile(source, url);
      return () => enterScript(() => script.runInContext(scope));
    });
  if (type === 'module') {
    queueTask(sources.networking, () =>
      start(() => {
        const program = require('html/window/modules').of(scope).prepare(url, text);
        return () => {
          const { done } = program();
          if (done !== undefined) promiseThen(done, undefined, (error) => reports.reportException(error));
        };
      }),
    );
    return;
  }
  if (text !== undefined) {
    queueTask(sources.networking, () => classic(text));
    return;
  }
  requests.request(url, { mode: 'same-origin' }, requests.clientOf(scope), (error, answer) => {
    if (error !== undefined) return failed(error);
    if (answer.status >= 400) return failed(new Error(`status ${answer.status}`));
    return classic(answer.body.toString('utf8'));
  });
}

function start(request, link) {
  requests.adopt(request.requests);
  const scope = makeScope(request);
  for (const type of each(request.isShared ? ['connect'] : ['message', 'messageerror'])) attribute(scope, type, undefined, scope);
  const inside = request.isShared ? undefined : messaging.attach(request.port);
  if (inside !== undefined) {
    inside.keep();
    ports.listen(scope, undefined, inside, (init, type) => fire(scope, scope, messageEvent(scope, init, type)));
    define(scope, 'postMessage', (message, options) => ports.post(scope, inside, message, options));
  }
  installImports(scope, request.url, request.type === 'module');
  reports.setHandOn((error, { message = '', filename = '', lineno = 0, colno = 0 }) => {
    link.send({ type: 'error', report: { message, filename, lineno, colno, shown: require('internal/util/util').inspect(error) } });
  });
  // Step 12 of https://html.spec.whatwg.org/#run-a-worker, "enable the port message queue", follows the program's run: what comes
  // before waits.
  let early = [];
  runProgram(scope, request, link, () => {
    if (inside !== undefined) inside.start();
    const waiting = early;
    early = undefined;
    for (const end of each(waiting)) connect(scope, end);
  });
  return {
    // Of shared workers: a window has connected.
    take({ port: end }) {
      if (early === undefined) connect(scope, end);
      else early.push(end);
    },
  };
}

// https://html.spec.whatwg.org/#dom-sharedworker step 10.
function connect(scope, end) {
  const port = ports.makePort(scope, end);
  queueTask(sources.dom, () => fire(scope, scope, new scope.MessageEvent('connect', { data: '', ports: [port], source: port })));
}

module.exports = { start, makeConsole };
