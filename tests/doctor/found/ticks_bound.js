// expect tick-recursion drain
// A method that was bound, in a class.
class Queue {
  constructor() { this.end = process.threadCpuUsage().user + 900_000; this.done = 0; }
  drain() { this.done++; if (process.threadCpuUsage().user < this.end) process.nextTick(this.drain.bind(this)); }
}
setTimeout(() => new Queue().drain(), 20);
