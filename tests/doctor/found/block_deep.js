// expect synchronous-block countLeaves|buildTree
// A recursion: the function that is met is on the stack many times.
function buildTree(depth) { return depth === 0 ? 1 : [buildTree(depth - 1), buildTree(depth - 1)]; }
function countLeaves(tree) { return Array.isArray(tree) ? countLeaves(tree[0]) + countLeaves(tree[1]) : 1; }
const tree = buildTree(16);
setTimeout(function survey() { const end = process.threadCpuUsage().user + 500_000; let n = 0; while (process.threadCpuUsage().user < end) n += countLeaves(tree); console.log(n); }, 40);
