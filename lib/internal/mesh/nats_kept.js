// natives: none
// The last acknowledged jobs of a producer in a cluster. An acknowledgement means that a majority of the servers has a job; a server that
// becomes the stream's leader without the last messages loses it nevertheless (nats-server 2.9.10 after a full disk), and gives its
// number to another. A number that comes again, or a stream that ends before a number that was given, makes the jobs from there on be
// published again, under their ids: a server that has one takes it for a duplicate.
'use strict';

const { kClosed } = require('internal/mesh/errors');
const { checkFields } = require('internal/mesh/jetstream');

const kKeptFor = 60_000; // ms; longer, while the stream has jobs that are as old
const kMostBytes = 64 << 20;
const kEvery = 2000; // ms between two questions for the stream's last number

class KeptJobs {
  #js;
  #stream;
  #created;
  #events;
  #jobs = []; // { subject, header, id, bytes, sequence, time }, oldest first
  #first = 0; // those before are forgotten
  #bytes = 0;
  #oldest = Infinity; // number of the stream's first message when it was last asked: those before are done
  #highest = 0; // number that an acknowledgement gave
  #timer;

  recovering = undefined; // a promise while jobs are published again: others wait, for the order

  // events: { failed(error), recovered(sequences) }
  // created: when the stream was made, as its info says. One that was deleted and made again has lost its jobs on purpose.
  constructor(js, stream, created, events) {
    this.#js = js;
    this.#stream = stream;
    this.#created = created;
    this.#events = events;
  }

  // After an acknowledgement. `isDuplicate`: its number is an old one.
  add(subject, header, id, bytes, sequence, isDuplicate) {
    const time = Date.now();
    this.#forget(time);
    arrayPush.call(this.#jobs, { subject, header, id, bytes, sequence, time });
    this.#bytes += bytes.length + header.length;
    if (!isDuplicate && sequence <= this.#highest) this.#recover(sequence, id);
    else if (sequence > this.#highest) this.#highest = sequence;
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#check(), kEvery);
    this.#timer.unref();
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #forget(time) {
    const jobs = this.#jobs;
    while (this.#first < jobs.length) {
      const job = jobs[this.#first];
      const isYoung = job.time <= time && time - job.time < kKeptFor;
      if (this.#bytes <= kMostBytes && (isYoung || job.sequence >= this.#oldest)) break;
      this.#bytes -= job.bytes.length + job.header.length;
      jobs[this.#first++] = undefined;
    }
    if (this.#first < 1024 || this.#first < jobs.length / 2) return;
    this.#jobs = arraySlice.call(jobs, this.#first);
    this.#first = 0;
  }

  async #check() {
    this.#forget(Date.now());
    if (this.#first === this.#jobs.length) return this.stop();
    if (this.recovering !== undefined || !this.#js.connection.isConnected) return;
    const highest = this.#highest;
    try {
      const { state } = checkFields(await this.#js.ask(`STREAM.INFO.${this.#stream}`), ['state'], []);
      if (Number.isSafeInteger(state.first_seq)) this.#oldest = state.first_seq;
      if (state.last_seq < highest) this.#recover(state.last_seq + 1);
    } catch {} // the next time
  }

  #recover(sequence, id) {
    this.#highest = sequence;
    const before = this.recovering;
    const recovering = this.#publishAgain(before, sequence, id);
    this.recovering = recovering;
    const end = (error) => {
      if (this.recovering === recovering) this.recovering = undefined;
      if (error !== undefined && error.code !== kClosed) this.#events.failed(error);
    };
    promiseThen(recovering, () => end(), end);
  }

  // Those from the number on; not the one with the id, which has just been stored.
  async #publishAgain(before, sequence, id) {
    if (before !== undefined) await promiseThen(before, undefined, () => {});
    const { created } = await this.#js.streamInfo(this.#stream, Infinity);
    if (created !== this.#created) {
      this.#created = created;
      this.#jobs = [];
      this.#first = this.#bytes = 0;
      return;
    }
    const lost = arrayFilter.call(this.#jobs, (job) => job !== undefined && job.sequence >= sequence && job.id !== id);
    arraySort.call(lost, (a, b) => a.sequence - b.sequence);
    const sequences = [];
    for (const job of each(lost)) {
      const answer = await this.#js.persist(() => this.#js.publish(job.subject, job.header, job.id, job.bytes));
      if (answer.duplicate !== true) arrayPush.call(sequences, job.sequence);
      job.sequence = answer.seq;
      if (answer.seq > this.#highest) this.#highest = answer.seq;
    }
    if (sequences.length > 0) this.#events.recovered(sequences);
  }
}

module.exports = { KeptJobs };
