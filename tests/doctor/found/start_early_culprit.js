// expect slow-start compileRules
// The costly function comes first, many short ones after it.
function compileRules() { const end = process.threadCpuUsage().user + 700_000; let n = 0; while (process.threadCpuUsage().user < end) n += new RegExp(`^a${n % 100}(b|c)*$`).test('abc') ? 1 : 2; return n; }
compileRules();
for (let i = 0; i < 6; i++) { const name = `part${i}`; const part = { [name]() { const end = process.threadCpuUsage().user + 40_000; while (process.threadCpuUsage().user < end); } }[name]; part(); }
setTimeout(() => {}, 10);
