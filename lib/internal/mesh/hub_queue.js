// natives: none
// A queue of the embedded mesh. A job lies in `jobs` until a worker has acknowledged it: ready, delayed, or out with a lease; when the
// lease ends, or the thread that has it, it is ready again, before younger ones.
'use strict';

const kSweepMost = 1000;
const kLongestTimer = 2 ** 31 - 1;

// First in, first out, with a place in front for those that come back.
class Line {
  #items = [];
  #at = 0;
  get length() {
    return this.#items.length - this.#at;
  }
  add(item) {
    arrayPush.call(this.#items, item);
  }
  // Among those that came back, the oldest first.
  giveBack(item) {
    let at = this.#at;
    while (at < this.#items.length && this.#items[at].sequence < item.sequence) at++;
    if (at === this.#at && at > 0) this.#items[--this.#at] = item;
    else arraySplice.call(this.#items, at, 0, item);
  }
  take() {
    const item = this.#items[this.#at];
    this.#items[this.#at++] = undefined;
    if (this.#at > 1024 && this.#at * 2 > this.#items.length) {
      this.#items = arraySlice.call(this.#items, this.#at);
      this.#at = 0;
    }
    return item;
  }
  skipDone() {
    while (this.#items[this.#at]?.isDone) this.take();
  }
  peek() {
    return this.#items[this.#at];
  }
}

class HubQueue {
  #name;
  #record;
  #jobs = new Map(); // sequence -> job
  #dead = new Map();
  #last = 0;
  #ready = new Line();
  #deadReady = new Line();
  #partitions = []; // { line, out }
  #keys = new Map(); // key -> { sequence, until }
  #consumers = [];
  #deadConsumers = [];
  #nextConsumer = 0;
  #full = []; // appends that wait for room
  #out = new Set();
  #sweeper;

  constructor(name, settings, record) {
    this.#name = name;
    this.settings = settings;
    this.#record = record;
    for (let i = 0; i < settings.partitions; i++) arrayPush.call(this.#partitions, { line: new Line(), out: undefined });
  }

  get partitions() {
    return this.settings.partitions;
  }
  get lease() {
    return this.settings.lease;
  }
  count() {
    return this.#jobs.size;
  }

  // --- in

  // { sequence, isDuplicate }, or a promise of it.
  append(bytes, meta, ticket) {
    const known = meta.key === undefined ? undefined : this.#keys.get(meta.key);
    if (known !== undefined && known.until > Date.now()) return { sequence: known.sequence, isDuplicate: true };
    if (this.#jobs.size >= this.settings.limit) {
      return new Promise((resolve, reject) => arrayPush.call(this.#full, { bytes, meta, ticket, resolve, reject }));
    }
    const job = this.#make(++this.#last, bytes, meta, Date.now());
    if (meta.key !== undefined) this.#remember(meta.key, job);
    const written = this.#record(['q.a', this.#name, job.sequence, bytes, meta, job.time]);
    const answer = { sequence: job.sequence, isDuplicate: false };
    if (written === undefined) {
      this.#place(job);
      return answer;
    }
    const placed = () => {
      this.#place(job);
      return answer;
    };
    return promiseThen(written, placed, (error) => {
      this.#jobs.delete(job.sequence);
      if (meta.key !== undefined) this.#keys.delete(meta.key);
      throw error;
    });
  }

  // An append that waits is not wanted any more.
  forget(ticket) {
    const at = arrayFindIndex.call(this.#full, (one) => one.ticket === ticket);
    if (at >= 0) arraySplice.call(this.#full, at, 1);
  }

  #make(sequence, bytes, meta, time) {
    const job = {
      sequence,
      bytes,
      meta,
      time,
      deliveries: 0,
      leaseEnd: 0,
      consumer: undefined,
      isDead: false,
      isDone: false,
      notBefore: undefined,
    };
    this.#jobs.set(sequence, job);
    return job;
  }

  #remember(key, job) {
    const now = Date.now();
    this.#keys.set(key, { sequence: job.sequence, until: now + this.settings.window });
    for (const [old, entry] of eachEntry([...each(this.#oldest(2))])) if (entry.until < now) this.#keys.delete(old);
  }
  *#oldest(count) {
    for (const entry of each(this.#keys)) {
      if (count-- === 0) return;
      yield entry;
    }
  }

  // Where it waits for a worker.
  #place(job, isBack = false) {
    if (job.isDone) return undefined;
    const due = isBack ? job.notBefore : job.meta.due;
    const wait = due === undefined ? 0 : due - Date.now();
    if (wait > 0 && job.meta.order === undefined) return this.#delay(job, wait, isBack);
    const line = this.#lineOf(job);
    if (isBack) line.giveBack(job);
    else line.add(job);
    if (wait > 0) this.#delay(undefined, wait);
    this.#dispatch();
    return undefined;
  }
  #delay(job, wait, isBack) {
    const timer = setTimeout(
      () => {
        if (job === undefined) this.#dispatch();
        else this.#place(job, isBack);
      },
      Math.min(wait, kLongestTimer),
    );
    timer.unref();
  }
  #lineOf(job) {
    if (job.isDead) return this.#deadReady;
    return job.meta.order === undefined ? this.#ready : this.#partitions[job.meta.order.partition].line;
  }

  #room() {
    while (this.#full.length > 0 && this.#jobs.size < this.settings.limit) {
      const { bytes, meta, resolve, reject } = arrayShift.call(this.#full);
      try {
        resolve(this.append(bytes, meta));
      } catch (error) {
        reject(error);
      }
    }
  }

  // --- out

  // onJob(job) for each; the answer has finished(), close().
  consume(client, concurrency, isDead, onJob) {
    const list = isDead ? this.#deadConsumers : this.#consumers;
    const consumer = { free: concurrency, onJob, jobs: new Set(), isClosed: false };
    arrayPush.call(list, consumer);
    const close = () => {
      client.stops.delete(close);
      if (consumer.isClosed) return;
      consumer.isClosed = true;
      arraySplice.call(list, arrayIndexOf.call(list, consumer), 1);
      for (const job of each([...each(consumer.jobs)])) this.giveBack(job, 0);
    };
    client.stops.add(close);
    this.#sweep();
    this.#dispatch();
    return {
      finished: () => {
        consumer.free++;
        this.#dispatch();
      },
      close,
    };
  }

  #dispatch() {
    for (const line of each([this.#deadReady, this.#ready])) line.skipDone();
    while (this.#deadReady.length > 0 && this.#hand(this.#deadReady, this.#deadConsumers)) {}
    while (this.#ready.length > 0 && this.#hand(this.#ready, this.#consumers)) {}
    for (const partition of each(this.#partitions)) {
      partition.line.skipDone();
      const job = partition.out === undefined ? partition.line.peek() : undefined;
      if (job === undefined || (job.notBefore ?? job.meta.due ?? 0) > Date.now()) continue;
      if (!this.#hand(partition.line, this.#consumers)) return;
      partition.out = job;
    }
  }

  // To the next worker that has a place.
  #hand(line, consumers) {
    for (let i = 0; i < consumers.length; i++) {
      const consumer = consumers[this.#nextConsumer++ % consumers.length];
      if (consumer.free <= 0) continue;
      const job = line.take();
      line.skipDone();
      consumer.free--;
      consumer.jobs.add(job);
      job.consumer = consumer;
      job.deliveries++;
      job.leaseEnd = Date.now() + this.settings.lease;
      this.#out.add(job);
      consumer.onJob(job);
      return true;
    }
    return false;
  }

  #take(job) {
    if (!this.#out.delete(job)) return false;
    job.consumer.jobs.delete(job);
    job.consumer = undefined;
    const partition = job.meta.order === undefined || job.isDead ? undefined : this.#partitions[job.meta.order.partition];
    if (partition?.out === job) partition.out = undefined;
    return true;
  }

  job(sequence, isDead) {
    return (isDead ? this.#dead : this.#jobs).get(sequence);
  }
  // Done, even if its lease had ended: it is not given to anybody again.
  acknowledge(job) {
    const isOut = this.#take(job);
    (job.isDead ? this.#dead : this.#jobs).delete(job.sequence);
    this.#record([job.isDead ? 'q.e' : 'q.d', this.#name, job.sequence]);
    if (!isOut) job.isDone = true; // it lies in a line
    this.#room();
    this.#dispatch();
  }
  giveBack(job, ms) {
    if (!this.#take(job)) return;
    job.notBefore = ms > 0 ? Date.now() + ms : 0;
    this.#place(job, true);
  }
  progress(job) {
    if (this.#out.has(job)) job.leaseEnd = Date.now() + this.settings.lease;
  }

  // A dead one has the number of the job that it was.
  bury(sequence, bytes, details) {
    if (this.#dead.has(sequence)) return undefined;
    const job = {
      sequence,
      bytes,
      meta: { ...details, order: undefined, due: undefined },
      time: Date.now(),
      deliveries: 0,
      leaseEnd: 0,
      isDead: true,
    };
    this.#dead.set(sequence, job);
    const written = this.#record(['q.b', this.#name, sequence, bytes, details]);
    this.#deadReady.add(job);
    this.#dispatch();
    return written;
  }

  // Leases that have ended.
  #sweep() {
    if (this.#sweeper !== undefined) return;
    this.#sweeper = setInterval(
      () => {
        const now = Date.now();
        for (const job of each([...each(this.#out)])) if (job.leaseEnd < now) this.giveBack(job, 0);
        if (this.#out.size === 0 && this.#consumers.length === 0 && this.#deadConsumers.length === 0) {
          clearInterval(this.#sweeper);
          this.#sweeper = undefined;
        }
      },
      Math.min(kSweepMost, Math.max(10, this.settings.lease / 4)),
    );
    this.#sweeper.unref();
  }

  // --- the journal

  replay(record) {
    const sequence = record[2];
    switch (record[0]) {
      case 'q.a': {
        this.#last = Math.max(this.#last, sequence);
        const [, , , bytes, meta, time] = each(record);
        const job = this.#make(sequence, bytes, meta, time);
        if (meta.key !== undefined) this.#keys.set(meta.key, { sequence, until: time + this.settings.window });
        return this.#place(job);
      }
      case 'q.k':
        return this.#keys.set(record[3], { sequence, until: record[4] });
      case 'q.l':
        this.#last = Math.max(this.#last, sequence);
        return undefined;
      case 'q.b':
        return this.bury(sequence, record[3], record[4]);
      default: {
        const job = this.job(sequence, record[0] === 'q.e');
        if (job !== undefined) this.acknowledge(job);
      }
    }
    return undefined;
  }

  *snapshot() {
    yield ['q', this.#name, this.settings];
    yield ['q.l', this.#name, this.#last];
    const now = Date.now();
    for (const [key, { sequence, until }] of eachEntry([...each(this.#keys)])) {
      if (until > now && !this.#jobs.has(sequence)) yield ['q.k', this.#name, sequence, key, until];
    }
    for (const job of each([...each(this.#jobs.values())])) yield ['q.a', this.#name, job.sequence, job.bytes, job.meta, job.time];
    for (const job of each([...each(this.#dead.values())])) yield ['q.b', this.#name, job.sequence, job.bytes, job.meta];
  }
}

module.exports = { HubQueue };
