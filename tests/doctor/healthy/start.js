for (const m of ['fs', 'http', 'https', 'zlib', 'crypto', 'net', 'stream', 'util', 'events', 'readline', 'child_process', 'worker_threads']) require(m); setTimeout(() => {}, 100);
