// S173, S188, S196, S199, S202: the loop can be looked at: its kind, its queues, the task that runs.
const { kind, queues } = rondo.loop;
console.log(kind, queues > 1, rondo.task.source);
const first = rondo.task.id;
setTimeout(() => console.log(rondo.task.source, rondo.task.id > first));
