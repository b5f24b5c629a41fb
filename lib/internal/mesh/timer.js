// natives: none
// timer(name, when, handler): the handler runs once in the whole mesh at each time that is due, in one of the processes that have the
// timer. The time lies in a bucket; at that time all of them ask for a lock, and the one that gets it runs the handler and writes the next
// time. One that dies meanwhile loses the lock with its lease, and another runs it.
'use strict';

const { validateFunction, validateInteger } = require('internal/util/validators');
const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE },
} = require('internal/errors/coded');
const { MeshError } = require('internal/mesh/errors');
const { checkName } = require('internal/mesh/names');
const { create } = require('internal/mesh/store');

const kLongestTimer = 2 ** 31 - 1;
const kDay = 86_400_000;

// --- when

// { text, first(now), next(after) }: next of a time that is over is undefined for one that comes once.
function scheduleOf(when) {
  if (when instanceof Date || require('internal/util/util').types.isDate(when)) {
    const at = dateGetTime.call(when);
    if (Number.isNaN(at)) throw new ERR_INVALID_ARG_VALUE('when', when, 'is no time');
    return { text: `at ${at}`, isAbsolute: true, first: () => at, next: () => undefined };
  }
  if (typeof when === 'number') {
    validateInteger(when, 'when', 0);
    return { text: `in ${when}`, isAbsolute: false, first: (time) => time + when, next: () => undefined };
  }
  if (typeof when === 'string') return cronSchedule(when);
  if (typeof when !== 'object' || when === null) throw new ERR_INVALID_ARG_TYPE('when', ['Date', 'number', 'string', 'Object'], when);
  if (when.cron !== undefined) return cronSchedule(`${when.cron}`);
  validateInteger(when.every, 'when.every', 10);
  // Multiples since 1970, so that all processes mean the same times.
  const next = (after) => (Math.floor(after / when.every) + 1) * when.every;
  return { text: `every ${when.every}`, isAbsolute: false, first: next, next };
}

const kFields = [
  ['minute', 0, 59],
  ['hour', 0, 23],
  ['day', 1, 31],
  ['month', 1, 12],
  ['weekday', 0, 7],
];

function cronField(text, { 0: name, 1: low, 2: high }) {
  const values = new Set();
  for (const part of each(stringSplit.call(text, ','))) {
    const found = regexpExec.call(/^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/, part);
    if (found === null) return undefined;
    const step = found[3] === undefined ? 1 : Number(found[3]);
    const begin = found[1] === undefined ? low : Number(found[1]);
    let end = begin;
    if (found[2] !== undefined) end = Number(found[2]);
    else if (found[1] === undefined || found[3] !== undefined) end = high;
    if (begin < low || end > high || begin > end || step === 0) return undefined;
    for (let i = begin; i <= end; i += step) values.add(name === 'weekday' ? i % 7 : i);
  }
  return values;
}

// Five fields, in UTC: minute, hour, day of the month, month, day of the week.
function cronSchedule(text) {
  const parts = stringSplit.call(
    replaceMatches(stringTrim.call(text), /\s+/g, () => ' '),
    ' ',
  );
  const fields = parts.length === 5 ? arrayMap.call(parts, (part, i) => cronField(part, kFields[i])) : [undefined];
  if (arrayIncludes.call(fields, undefined)) throw new ERR_INVALID_ARG_VALUE('when', text, "is no cron line such as '*/5 * * * *'");
  const [minutes, hours, days, months, weekdays] = each(fields);
  const anyDay = parts[2] === '*',
    anyWeekday = parts[4] === '*';
  const isDay = (date) => {
    if (!months.has(date.getUTCMonth() + 1)) return false;
    const byDay = days.has(date.getUTCDate());
    const byWeekday = weekdays.has(date.getUTCDay());
    return anyDay || anyWeekday ? byDay && byWeekday : byDay || byWeekday;
  };
  const next = (after) => {
    const first = Math.floor(after / 60_000) * 60_000 + 60_000;
    for (let day = Math.floor(first / kDay) * kDay; day < first + kDay * 366 * 9; day += kDay) {
      if (!isDay(new Date(day))) continue;
      for (let minute = day < first ? (first - day) / 60_000 : 0; minute < 1440; minute++) {
        if (hours.has(Math.floor(minute / 60)) && minutes.has(minute % 60)) return day + minute * 60_000;
      }
    }
    throw new ERR_INVALID_ARG_VALUE('when', text, 'never comes');
  };
  next(0);
  return { text: `cron ${arrayJoin.call(parts, ' ')}`, isAbsolute: false, first: next, next };
}

// --- the timer

// Whether an entry is what a timer writes; without `due` it has fired and does not again.
function isRecord({ value, error }) {
  if (error !== undefined || typeof value !== 'object' || value === null || typeof value.schedule !== 'string') return false;
  return value.due === undefined || Number.isSafeInteger(value.due);
}

class MeshTimer {
  #mesh;
  #name;
  #schedule;
  #handler;
  #locks;
  #bucket;
  #broker;
  #due;
  #timer;
  #started;
  #stopWatch;
  #isStopped = false;
  #isFiring = false;

  constructor(mesh, locks, name, when, handler) {
    this.#mesh = mesh;
    this.#locks = locks;
    this.#name = checkName(name);
    this.#schedule = scheduleOf(when);
    validateFunction(handler, 'handler');
    this.#handler = handler;
  }

  get name() {
    return this.#name;
  }
  // The time at which it fires next; undefined when it does not any more.
  get due() {
    return this.#due === undefined ? undefined : new Date(this.#due);
  }

  async start() {
    const broker = this.#mesh.broker ?? (await this.#mesh.ready());
    this.#broker = broker;
    this.#bucket = await broker.bucket('rondo_timers', 0);
    await this.#agree();
    broker.hold();
    this.#mesh.closing.add(this.#stopNow);
    await new Promise((resolve, reject) => {
      this.#started = resolve;
      const watching = this.#bucket.watch(this.#name, (entry) => this.#see(entry), resolve);
      promiseThen(watching, (stop) => this.#watches(stop), reject);
    });
    return this;
  }

  #watches(stop) {
    if (this.#isStopped) stop();
    else this.#stopWatch = stop;
  }

  // The time of all: the one that is written, or ours, if there is none for this schedule.
  async #agree() {
    for (;;) {
      const entry = await this.#bucket.get(this.#name);
      const record = entry === undefined || entry.isDeleted || !isRecord(entry) ? undefined : entry.value;
      const isSame = record?.schedule === this.#schedule.text;
      if (isSame && (record.due !== undefined || this.#schedule.isAbsolute)) return;
      const fresh = { schedule: this.#schedule.text, due: this.#schedule.first(Date.now()) };
      try {
        if (entry === undefined) {
          if ((await create(this.#bucket, this.#name, fresh)) !== undefined) return;
        } else {
          await this.#bucket.put(this.#name, fresh, entry.revision);
          return;
        }
      } catch (error) {
        if (error.code !== 'ERR_MESH_REVISION') throw error;
      }
    }
  }

  #see(entry) {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    if (!entry.isDeleted && !isRecord(entry)) return this.#restore(entry);
    const record = entry.isDeleted ? undefined : entry.value;
    if (record?.schedule !== this.#schedule.text || record.due === undefined) {
      this.#due = undefined;
      if (record === undefined || record.schedule !== this.#schedule.text || !this.#isFiring) this.#stopNow();
      return;
    }
    this.#due = record.due;
    this.#arm();
  }

  // A peer wrote what is no record: the time that was known is written again, by one of those that have the timer.
  #restore({ revision, error }) {
    this.#mesh.warn(error ?? new MeshError('ERR_MESH_BAD_MESSAGE', `What is stored for the timer '${this.#name}' is not of a timer`));
    const due = this.#due ?? (this.#isFiring ? undefined : this.#schedule.first(Date.now()));
    const record = { schedule: this.#schedule.text, due };
    promiseThen(this.#bucket.put(this.#name, record, revision), undefined, (failure) => {
      if (failure.code !== 'ERR_MESH_REVISION') this.#mesh.failed(failure);
    });
  }

  #arm() {
    const wait = Math.max(0, this.#due - Date.now());
    this.#timer = setTimeout(
      () => {
        if (wait > kLongestTimer) this.#arm();
        else this.#fire(this.#due);
      },
      Math.min(wait, kLongestTimer),
    );
    this.#timer.unref(); // start() holds the loop
  }

  async #fire(due) {
    if (this.#isFiring) return;
    this.#isFiring = true;
    try {
      const held = await this.#locks.acquire(`timer-${this.#name}`, this.#name, { ifAvailable: false, steal: false });
      try {
        await Promise.race([held.lost, this.#run(due, held.lock)]);
      } finally {
        await held.release();
      }
    } catch (error) {
      // Lost, or written by another meanwhile: that one has done it.
      if (error.code !== 'ERR_MESH_LOST' && error.code !== 'ERR_MESH_REVISION') this.#mesh.failed(error);
    } finally {
      this.#isFiring = false;
    }
    if (this.#isStopped) return;
    if (this.#due === undefined) this.#stopNow();
    else this.#arm();
  }

  // In the lock: if nobody has done it.
  async #run(due, lock) {
    const entry = await this.#bucket.get(this.#name);
    if (this.#isStopped || entry === undefined || entry.isDeleted || entry.value?.due !== due) return;
    const handler = this.#handler;
    try {
      await handler({ name: this.#name, due: new Date(due), token: lock.token, signal: lock.signal });
    } catch (error) {
      this.#mesh.failed(error); // it has fired nevertheless
    }
    if (lock.signal.aborted) return;
    const next = this.#schedule.next(Math.max(due, Date.now()));
    this.#due = next;
    await this.#bucket.put(this.#name, { schedule: this.#schedule.text, due: next, fired: due }, entry.revision, { fence: lock.token });
  }

  #stopNow = () => {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#due = undefined;
    clearTimeout(this.#timer);
    this.#started?.();
    this.#stopWatch?.();
    this.#mesh.closing.delete(this.#stopNow);
    this.#broker?.release();
  };

  // This process has it no more; others do.
  stop() {
    this.#stopNow();
  }
  // The timer is gone from the whole mesh.
  async cancel() {
    this.#stopNow();
    await this.#bucket.remove(this.#name);
  }
}

module.exports = { MeshTimer };
