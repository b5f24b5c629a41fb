// natives: none
// Jobs that a consumer of a cluster has passed although they were not done. A replica of a stream that is behind, or numbers its messages
// differently for a while, makes the server take a job for acknowledged (nats-server 2.9.10, when links are cut and disks are full): it
// lies in the stream, below the number up to which everything was acknowledged, and is never given out. A worker pushes such jobs again,
// under an id that all workers give it, and then deletes the old message. One that was done, and kept nevertheless, is done again.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { kClosed } = require('internal/mesh/errors');
const { checkFields, isTemporary } = require('internal/mesh/jetstream');

const kEvery = 15_000; // ms between two looks
const kAgain = 5000; // the second of two: a message that was acknowledged meanwhile is gone
const kMostAtOnce = 1024;

class StrandedJobs {
  #js;
  #stream;
  #consumer;
  #subject;
  #events;
  #suspects = new Set(); // numbers of the messages that the last look has found
  #last = -Infinity; // time of it
  #isLooking = false;
  #lowest; // a number that was out at the last look, and is not in the stream

  // events: { failed(error), recovered(sequences) }
  constructor(js, stream, { durable_name: consumer, filter_subject: subject }, events) {
    this.#js = js;
    this.#stream = stream;
    this.#consumer = consumer;
    this.#subject = subject;
    this.#events = events;
  }

  // Called with each answer of the consumer; does something now and then.
  look() {
    if (!this.#js.isCluster || this.#isLooking) return;
    const time = Date.now();
    if (time >= this.#last && time - this.#last < (this.#suspects.size > 0 || this.#lowest !== undefined ? kAgain : kEvery)) return;
    this.#last = time;
    this.#isLooking = true;
    promiseThen(this.#search(), undefined, (error) => {
      this.#isLooking = false;
      if (error.code !== kClosed && !isTemporary(error)) this.#events.failed(error);
    });
  }

  async #search() {
    const info = await this.#js.ask(`CONSUMER.INFO.${this.#stream}.${this.#consumer}`);
    const { ack_floor: floor } = checkFields(info, ['ack_floor'], []);
    await this.#forgetGone(checkFields(floor, [], ['stream_seq']).stream_seq + 1, info.num_ack_pending);
    const found = new Set();
    for (let seq = 1; found.size < kMostAtOnce; ) {
      const message = await this.#js.message(this.#stream, { seq, next_by_subj: this.#subject });
      if (message === undefined || message.seq > floor.stream_seq) break;
      if (this.#suspects.has(message.seq)) await this.#pushAgain(message);
      else found.add(message.seq);
      seq = message.seq + 1;
    }
    this.#suspects = found;
    this.#isLooking = false;
  }

  // The lowest number that is out, although all of the stream lies behind it: the consumer would try to give it out for ever (2.9.10).
  async #forgetGone(lowest, out) {
    const before = this.#lowest;
    this.#lowest = undefined;
    if (!(out > 0) || checkFields((await this.#js.streamInfo(this.#stream)).state, [], ['first_seq']).first_seq <= lowest) return;
    if (before !== lowest) this.#lowest = lowest;
    else this.#js.connection.publishBytes(`PUB $JS.ACK.${this.#stream}.${this.#consumer}.1.${lowest}.1.0.0 `, '', Buffer.from('+ACK'));
  }

  async #pushAgain({ seq, subject, header, bytes }) {
    // Its lines behind 'NATS/1.0' without the id; the number that it was pushed with stays the job's.
    let lines = '';
    for (const line of each(stringSplit.call(header, '\r\n'))) {
      if (line === '' || regexpTest.call(/^(?:NATS\/|Nats-|Rondo-Sequence:)/, line)) continue;
      lines += `${line}\r\n`;
    }
    const first = regexpExec.call(/\r\nRondo-Sequence: (\d+)\r\n/, header)?.[1] ?? seq;
    const publish = () => this.#js.publish(subject, `${lines}Rondo-Sequence: ${first}\r\n`, `s.${seq}.${first}`, bytes);
    const { duplicate } = await this.#js.persist(publish, 30_000);
    // Another worker may have deleted it. One that cannot be deleted now is found again, and its copy is a duplicate.
    await promiseThen(this.#js.api(`STREAM.MSG.DELETE.${this.#stream}`, { seq, no_erase: true }), undefined, () => {});
    if (duplicate !== true) this.#events.recovered([Number(first)]);
  }
}

module.exports = { StrandedJobs };
