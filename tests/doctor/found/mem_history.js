// expect memory-leak record
class Metrics { constructor() { this.history = []; } record(name, value) { this.history.push({ name, value, at: new Date(), tags: { host: 'h' + value, zone: 'z' + value } }); } }
const metrics = new Metrics(); let n = 0;
setInterval(() => { for (let i = 0; i < 1500; i++) metrics.record('requests', n++); }, 10); setTimeout(() => process.exit(0), 60_000);
