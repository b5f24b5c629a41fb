// natives: inspector
//
// Debugger.setLoopBreakpoint, a command of our own: the program stops at its next statement when a phase of the loop begins, a timer is
// late or a queue is long.

'use strict';

const binding = native('inspector');
const { ProtocolError, required } = require('internal/inspector/protocol_error');

const kInvalidParams = -32602;
const kKinds = { __proto__: null, phase: 0, lateTimer: 1, poolQueue: 2, readyEvents: 3, taskQueue: 4 };
const kPhases = { __proto__: null, timers: 1, pending: 2, idle: 3, prepare: 4, poll: 5, check: 6, closing: 7 };

const rules = new Map(); // number → { id, session, kind, phase, limit }
let lastRule = 0;

function chosen(table, params, name) {
  const value = required(params, name, 'string');
  if (table[value] === undefined) {
    const known = arrayJoin.call(Object.keys(table), ', ');
    throw new ProtocolError(kInvalidParams, 'Invalid parameters', `${name}: one of ${known} expected`);
  }
  return value;
}

function limitOf(params) {
  const limit = required(params, 'limit', 'number');
  if (limit >= 0) return limit;
  throw new ProtocolError(kInvalidParams, 'Invalid parameters', 'limit: a number from 0 on expected');
}

// { kind: 'phase', phase } | { kind: 'lateTimer' | 'poolQueue' | 'readyEvents' | 'taskQueue', limit } → { breakpointId }
function set(session, params) {
  const kind = chosen(kKinds, params, 'kind');
  const phase = kind === 'phase' ? chosen(kPhases, params, 'phase') : undefined;
  const limit = kind === 'phase' ? undefined : limitOf(params);
  const number = ++lastRule;
  const id = `loop:${number}:${kind}:${phase ?? limit}`;
  rules.set(number, { id, session: session.number, kind, phase, limit });
  binding.setLoopStop(number, kKinds[kind], kPhases[phase] ?? 0, limit ?? 0);
  return { breakpointId: id };
}

function drop(number) {
  rules.delete(number);
  binding.removeLoopStop(number);
}

function remove(session, id) {
  for (const [number, rule] of eachEntry(Array.from(rules))) {
    if (rule.id !== id || rule.session !== session.number) continue;
    drop(number);
    return true;
  }
  return false;
}

function clear(session) {
  for (const [number, rule] of eachEntry(Array.from(rules))) if (rule.session === session.number) drop(number);
}

// The stop that rule `number` asked for, as the event tells it: `value` is the timer's delay in milliseconds or the queue's length.
function describe(session, number, value) {
  const rule = rules.get(number);
  if (rule === undefined) return undefined;
  const { id, kind, phase, limit } = rule;
  const data = kind === 'phase' ? { kind, phase } : { kind, limit, value };
  return { reason: 'loop', data, hitBreakpoints: rule.session === session.number ? [id] : [] };
}

module.exports = { clear, describe, remove, set };
