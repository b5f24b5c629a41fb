// expect late-timer ping
import { Worker, isMainThread } from 'node:worker_threads';
if (isMainThread) setTimeout(() => process.exit(0), 20_000 + 0 * new Worker(new URL(import.meta.url)).threadId);
else { setInterval(function ping() {}, 30); setTimeout(function rebuild() { const end = process.threadCpuUsage().user + 500_000; while (process.threadCpuUsage().user < end); }, 200); }
