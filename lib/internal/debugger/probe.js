// natives: none
// `rondo inspect --probe`: starts a program with breakpoints at the probes' places, evaluates their expressions at each stop, and prints a
// report at the end. A report that cannot be relied on makes the exit code 1.
'use strict';

const { Client } = require('internal/debugger/client');
const { launch } = require('internal/debugger/launch');
const { placeText } = require('internal/debugger/probe_options');
const { jsonText, makeReport, placesOf, plainText, withoutIds } = require('internal/debugger/probe_report');

const kAtEnd = 'Waiting for the debugger to disconnect...';
// Lines of the debugger's server among the program's own.
const kServerLine =
  /^(?:Waiting for the debugger to disconnect\.\.\.|Debugger attached\.|For help, see: .*|Debugger (?:listening|ending) on .*)$/;
const kIsOver = Symbol('isOver'); // thrown behind a command that no one waits for any more
const kMayHaveClosed = 'The program may have closed the inspector.';
const kReview = 'If the failure repeats, review the probe expression.';

class ProbeSession {
  #options;
  #probes;
  #client = new Client();
  #child;
  #errors = ''; // text on the program's standard error
  #urls = new Map(); // script id → url
  #indexes = new Map(); // breakpoint → indexes of its probes
  #results = [];
  #isConnected = false;
  #isStarted = false; // the program's own code runs
  #isLeaving = false; // the program has ended and waits for us to go
  #isOver = false;
  #current; // the command without an answer: { method, probe: { index, location } }
  #last; // index of the probe that was evaluated last
  #timer;
  #end = Promise.withResolvers();

  constructor(options) {
    this.#options = options;
    this.#probes = arrayMap.call(options.probes, (probe) => ({ maxHit: Infinity, ...probe, hits: 0 }));
  }

  async run() {
    const { args, host, port, waitsForPort } = this.#options;
    try {
      const started = await launch(args, host, port, (text, which) => this.#onOutput(text, which), waitsForPort);
      this.#child = started.child;
      this.#child.on('exit', (code, signal) => this.#onExit(code, signal));
      this.#client.on('close', () => this.#onClose());
      this.#client.on('event', (method, params) => this.#onEvent(method, params));
      await this.#client.connect(started.host, started.port);
      this.#isConnected = true;
      await this.#start();
      const { code, last } = await this.#end.promise;
      return { code, report: makeReport(this.#probes, [...each(this.#results), last]) };
    } finally {
      clearTimeout(this.#timer);
      this.#client.reset();
      if (this.#child?.exitCode === null && this.#child.signalCode === null) this.#child.kill();
    }
  }

  async #start() {
    try {
      await this.#call('Runtime.enable');
      await this.#call('Debugger.enable');
      await this.#setBreakpoints();
      this.#isStarted = true;
      this.#timer = setTimeout(() => this.#onTimeout(), this.#options.timeout);
      await this.#call('Runtime.runIfWaitingForDebugger');
    } catch (error) {
      if (error !== kIsOver) throw error;
    }
  }

  async #setBreakpoints() {
    const places = new Map();
    for (let index = 0; index < this.#probes.length; index++) {
      const key = placeText(this.#probes[index].target);
      if (places.has(key)) arrayPush.call(places.get(key), index);
      else places.set(key, [index]);
    }
    for (const indexes of each(Array.from(places.values()))) {
      const { target, condition } = this.#probes[indexes[0]];
      const escaped = replaceMatches(target.suffix, /[/\\.?*()^${}|[\]]/g, '\\$&');
      const params = { urlRegex: `^(.*[\\/\\\\])?${escaped}$`, lineNumber: target.line - 1 };
      if (target.column !== undefined) params.columnNumber = target.column - 1;
      if (condition !== undefined) params.condition = condition;
      const { breakpointId } = await this.#call('Debugger.setBreakpointByUrl', params);
      this.#indexes.set(breakpointId, indexes);
    }
  }

  #onEvent(method, params) {
    if (method === 'Debugger.scriptParsed') this.#urls.set(params.scriptId, params.url);
    if (method !== 'Debugger.paused' || this.#isOver || !this.#isStarted) return;
    promiseThen(this.#onPaused(params), undefined, (error) => {
      if (error === kIsOver) return;
      this.#fail('Probe mode encountered an unexpected internal failure', 'This is an error of the debugger.', { internal: error });
    });
  }

  async #onPaused({ hitBreakpoints, callFrames }) {
    const top = callFrames[0];
    for (const id of each(top === undefined ? [] : hitBreakpoints)) {
      const { scriptId, lineNumber, columnNumber } = top.location;
      const location = { url: this.#urls.get(scriptId), line: lineNumber + 1, column: columnNumber + 1 };
      for (const index of each(this.#indexes.get(id) ?? [])) await this.#evaluate(index, top.callFrameId, location);
    }
    if (arraySome.call(this.#probes, ({ hits, maxHit }) => hits >= maxHit)) this.#finish(0, { event: 'completed' });
    else await this.#call('Debugger.resume');
  }

  async #evaluate(index, callFrameId, location) {
    const probe = this.#probes[index];
    const params = { callFrameId, expression: probe.expr, generatePreview: true };
    const { result, exceptionDetails } = await this.#call('Debugger.evaluateOnCallFrame', params, { index, location });
    this.#last = index;
    const hit = { probe: index, event: 'hit', hit: ++probe.hits, location };
    if (exceptionDetails === undefined) hit.result = withoutIds(result);
    else
      hit.error = {
        message: result?.description ?? 'Probe expression failed',
        details: { exception: withoutIds(exceptionDetails) },
      };
    arrayPush.call(this.#results, hit);
  }

  async #call(method, params, probe) {
    if (this.#isOver) throw kIsOver;
    const command = { method, probe };
    this.#current = command;
    try {
      const result = await this.#client.send(method, params);
      if (this.#isOver) throw kIsOver;
      return result;
    } catch (error) {
      if (error !== kIsOver) this.#onFailure(method, probe, error);
      throw kIsOver;
    } finally {
      if (this.#current === command) this.#current = undefined;
    }
  }

  #onFailure(method, probe, error) {
    if (this.#isLeaving) {
      if (probe !== undefined) this.#fail('Target process exited during probe evaluation', kReview);
    } else if (!this.#isStarted) {
      this.#fail('Probe mode failed before user code ran', kMayHaveClosed, { protocol: error });
    } else if (method === 'Debugger.evaluateOnCallFrame') {
      const advice = `The rejection details are recorded on the probe hit. ${kReview}`;
      this.#fail('The inspector could not evaluate a probe expression', advice, { protocol: error });
    } else if (this.#last !== undefined) {
      const advice = 'If the failure repeats, review the most-recently-evaluated probe expression.';
      this.#fail('Probe session failed after a probe evaluation', advice, { protocol: error });
    } else {
      this.#fail('Probe session failed during inspector activity', 'This is an error of the debugger.', { protocol: error });
    }
  }

  #onOutput(text, which) {
    if (which !== 'stderr') return;
    const before = this.#errors.length;
    this.#errors += text;
    if (!this.#isConnected || !stringIncludes.call(this.#errors, kAtEnd, Math.max(0, before - kAtEnd.length))) return;
    this.#isLeaving = true;
    this.#client.reset();
  }

  #onExit(code, signal) {
    if (!this.#isConnected || this.#isOver) return;
    if (this.#current?.probe !== undefined) return this.#fail('Target process exited during probe evaluation', kReview);
    if (!this.#isStarted || code !== 0 || signal !== null) return this.#finish(0, this.#exitEvent(code, signal));
    const pending = this.#pending();
    return this.#finish(0, pending.length === 0 ? { event: 'completed' } : { event: 'miss', pending });
  }

  #onClose() {
    if (!this.#isConnected || this.#isLeaving || this.#isOver) return;
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return this.#onExit(exitCode, signalCode);
    if (!this.#isStarted)
      return this.#fail('Inspector connection lost before probes started', 'The program may have closed the inspector.');
    if (this.#current !== undefined && (this.#current.probe !== undefined || this.#last !== undefined)) {
      const advice = 'A probe expression may have caused the disconnection. If the failure repeats, review the probe expressions.';
      return this.#fail('Inspector connection lost during probe activity', advice);
    }
    return this.#fail('Inspector connection lost', 'The target was likely terminated externally.');
  }

  #onTimeout() {
    if (this.#current !== undefined) {
      const isProbes = this.#current.probe !== undefined || this.#last !== undefined;
      const advice = isProbes
        ? 'The probe expression may be slow, hanging, or interfering with the inspector connection. ' +
          'Try increasing `--timeout`; if the failure persists, review the probe expressions.'
        : 'Try increasing `--timeout`.';
      this.#fail('Probe session timed out', advice);
      return;
    }
    const pending = this.#pending();
    const awaited = pending.length === 0 ? 'target completion' : `probes: ${placesOf(this.#probes, pending)}`;
    const message = `Timed out after ${this.#options.timeout}ms waiting for ${awaited}`;
    this.#finish(1, { event: 'timeout', pending, error: { code: 'probe_timeout', message } });
  }

  // Indexes of probes that were never hit.
  #pending() {
    const pending = [];
    for (let index = 0; index < this.#probes.length; index++) {
      if (this.#probes[index].hits === 0) arrayPush.call(pending, index);
    }
    return pending;
  }

  get #programErrors() {
    const lines = stringSplit.call(this.#errors, /\r\n|\r|\n/);
    if (lines[lines.length - 1] === '') arrayPop.call(lines);
    return arrayJoin.call(
      arrayFilter.call(lines, (line) => !regexpTest.call(kServerLine, line)),
      '\n',
    );
  }

  #exitEvent(exitCode, signal) {
    const pending = this.#pending();
    const how = signal === null ? `with code ${exitCode}` : `with signal ${signal}`;
    const awaited = pending.length === 0 ? 'target completion' : `probes: ${placesOf(this.#probes, pending)}`;
    const error = { code: 'probe_target_exit', message: `Target exited ${how} before ${awaited}` };
    if (exitCode !== null) error.exitCode = exitCode;
    if (signal !== null) error.signal = signal;
    error.stderr = this.#programErrors;
    return { event: 'error', pending, error };
  }

  // Of the connection or the debugger: the report cannot be relied on. `protocol`: error of a command; `internal`: one of ours.
  #fail(reason, advice, { protocol, internal } = {}) {
    if (this.#isOver) return;
    const { exitCode = null, signalCode = null } = this.#child ?? {};
    const probe = this.#current?.probe;
    if (probe === undefined && (signalCode !== null || (exitCode !== null && exitCode !== 0))) {
      this.#finish(0, this.#exitEvent(exitCode, signalCode));
      return;
    }
    const method = this.#current?.method;
    const refusal =
      protocol === undefined || protocol.code === 'ERR_DEBUGGER_ERROR' ? undefined : { message: protocol.message, code: protocol.code };
    const isOfHit = probe !== undefined && refusal !== undefined;
    if (probe !== undefined) this.#addFailedHit(probe, isOfHit ? refusal : undefined);
    const pending = this.#pending();
    const before = pending.length === 0 ? '' : ` before probes: ${placesOf(this.#probes, pending)}`;
    const index = probe?.index ?? (method === undefined ? undefined : this.#last);
    const details = {
      ...(method !== undefined && { lastCdpMethod: method }),
      ...(refusal !== undefined && !isOfHit && { protocolError: refusal }),
      ...(internal !== undefined && { internalError: { message: internal?.message, stack: internal?.stack } }),
    };
    const error = {
      code: 'probe_failure',
      message: `${reason}${before}. ${advice}`,
      ...(index !== undefined && { probe: index }),
      stderr: this.#programErrors,
      ...(Object.keys(details).length > 0 && { details }),
    };
    this.#finish(1, { event: 'error', pending, error });
  }

  #addFailedHit({ index, location }, refusal) {
    const error =
      refusal === undefined
        ? { message: 'Probe evaluation did not complete' }
        : { message: 'Probe evaluation failed at the protocol layer', details: { protocolError: refusal } };
    arrayPush.call(this.#results, { probe: index, event: 'hit', hit: ++this.#probes[index].hits, location, error });
  }

  #finish(code, last) {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#end.resolve({ code, last });
  }
}

async function run(options) {
  try {
    const { code, report } = await new ProbeSession(options).run();
    process.stdout.write(options.json ? jsonText(report, options.preview) : plainText(report), () => process.exit(code));
  } catch (error) {
    process.stderr.write(error.childStderr ?? '');
    process.stderr.write(`${error.message}\n`, () => process.exit(1));
  }
}

module.exports = { run };
