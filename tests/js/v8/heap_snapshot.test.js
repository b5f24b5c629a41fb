// Heap snapshots in the format of V8: what holds what, of this thread and of a worker.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const v8 = require('node:v8');
const { Worker } = require('node:worker_threads');

// The text as tools take it apart: nodes with their edges.
function read(text) {
  const { snapshot: { meta, node_count, edge_count }, nodes, edges, strings } = JSON.parse(text);
  const width = meta.node_fields.length;
  assert.strictEqual(nodes.length, node_count * width);
  assert.strictEqual(edges.length, edge_count * 3);
  const all = [];
  let edge = 0;
  for (let at = 0; at < nodes.length; at += width) {
    const [type, name, id, size, count] = nodes.slice(at, at + 5);
    const node = { type: meta.node_types[0][type], name: strings[name], id, size, edges: [] };
    assert(node.type !== undefined && node.name !== undefined);
    for (let i = 0; i < count; i++, edge += 3) {
      const kind = meta.edge_types[0][edges[edge]];
      assert.strictEqual(edges[edge + 2] % width, 0);
      node.edges.push({ kind, name: kind === 'element' ? edges[edge + 1] : strings[edges[edge + 1]], to: edges[edge + 2] / width });
    }
    all.push(node);
  }
  assert.strictEqual(edge, edges.length);
  assert.strictEqual(new Set(all.map(({ id }) => id)).size, node_count);
  return all;
}

const named = (all, name) => all.filter((node) => node.name === name);
const targets = (all, node, name) => node.edges.filter((edge) => edge.name === name).map(({ to }) => all[to]);

async function textOf(stream) {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += chunk;
  return text;
}

class Keeper {
  constructor() {
    this.kept = new Kept();
    this.list = [{ in: 'list' }, 1, new Kept()];
  }
}
class Kept { text = 'a text that is held'; }

async function ownHeap() {
  globalThis.keeper = new Keeper();
  const all = read(await textOf(v8.getHeapSnapshot()));
  assert.deepStrictEqual([all[0].type, all[0].name], ['synthetic', '(root)']);
  const [keeper, ...others] = named(all, 'Keeper').filter(({ type }) => type === 'object');
  assert.deepStrictEqual(others, []);
  const [kept] = targets(all, keeper, 'kept');
  assert.strictEqual(kept.name, 'Kept');
  assert(kept.size > 0);
  assert.strictEqual(targets(all, kept, 'text')[0].type, 'string');
  const [list] = targets(all, keeper, 'list');
  assert.deepStrictEqual(targets(all, list, 2).map(({ name }) => name), ['Kept']);
  assert(all[0].edges.length > 0, 'the root holds something');

  // The same object has the same number in the next one; what is gone is not there.
  delete globalThis.keeper.kept;
  const later = read(await textOf(v8.getHeapSnapshot({ exposeInternals: true })));
  assert.strictEqual(named(later, 'Keeper').find(({ type }) => type === 'object').id, keeper.id);
  assert.strictEqual(named(all, 'Kept').filter(({ type }) => type === 'object').length, 2);
  assert.strictEqual(named(later, 'Kept').filter(({ type }) => type === 'object').length, 1);
  assert(named(all, '(internal)').length > 0);
  assert.strictEqual(named(later, '(internal)').length, 0);
}

function files() {
  const folder = fs.mkdtempSync(path.join(require('node:os').tmpdir(), 'heap-'));
  process.chdir(folder);
  assert.strictEqual(v8.writeHeapSnapshot('my.heapsnapshot'), 'my.heapsnapshot');
  read(fs.readFileSync('my.heapsnapshot', 'utf8'));
  const name = v8.writeHeapSnapshot();
  assert.match(name, new RegExp(`^Heap\\.\\d{8}\\.\\d{6}\\.${process.pid}\\.0\\.\\d{3}\\.heapsnapshot$`));
  read(fs.readFileSync(name, 'utf8'));
  assert.throws(() => v8.writeHeapSnapshot('.'), { code: 'EISDIR', syscall: 'open' });
  assert.throws(() => v8.writeHeapSnapshot('no/such/folder'), { code: 'ENOENT', path: 'no/such/folder' });
  for (const bad of [1, true, [], null, () => {}]) assert.throws(() => v8.writeHeapSnapshot(bad), { code: 'ERR_INVALID_ARG_TYPE' });
  for (const bad of [1, true, null]) assert.throws(() => v8.getHeapSnapshot(bad), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => v8.getHeapSnapshot({ exposeInternals: 1 }), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => v8.getHeapSnapshot({ exposeNumericValues: true }), { code: 'ERR_INVALID_ARG_VALUE' });
  fs.rmSync(folder, { recursive: true });
}

async function ofWorker() {
  const worker = new Worker('class OnlyThere {} globalThis.one = new OnlyThere(); require("worker_threads").parentPort.on("message", () => process.exit())',
    { eval: true });
  await require('node:events').once(worker, 'online');
  const all = read(await textOf(await worker.getHeapSnapshot()));
  assert.strictEqual(named(all, 'OnlyThere').filter(({ type }) => type === 'object').length, 1);
  assert.strictEqual(named(all, 'Keeper').length, 0);
  assert.throws(() => worker.getHeapSnapshot(1), { code: 'ERR_INVALID_ARG_TYPE' });
  worker.postMessage('end');
  await require('node:events').once(worker, 'exit');
  await assert.rejects(worker.getHeapSnapshot(), { code: 'ERR_WORKER_NOT_RUNNING' });
}

ownHeap().then(files).then(ofWorker);

// As DevTools' loader wants it: the root leads to '(GC roots)' and to global objects, to each node once, and every node is reached.
{
  const file = v8.writeHeapSnapshot(path.join(require('node:os').tmpdir(), `roots-${process.pid}.heapsnapshot`));
  const { snapshot, nodes, edges, strings } = JSON.parse(fs.readFileSync(file, 'utf8'));
  fs.unlinkSync(file);
  const fields = snapshot.meta.node_fields.length;
  const types = snapshot.meta.node_types[0];
  const count = nodes.length / fields;
  const firstEdge = [0];
  for (let i = 0; i < count; i++) firstEdge.push(firstEdge[i] + nodes[i * fields + 4]);
  const targetsOf = (i) => Array.from({ length: firstEdge[i + 1] - firstEdge[i] }, (_, k) => edges[(firstEdge[i] + k) * 3 + 2] / fields);
  const nameOf = (i) => strings[nodes[i * fields + 1]];
  const ofRoot = targetsOf(0);
  assert.strictEqual(nameOf(ofRoot[0]), '(GC roots)');
  assert.strictEqual(types[nodes[ofRoot[0] * fields]], 'synthetic');
  assert(ofRoot.slice(1).length > 0 && ofRoot.slice(1).every((i) => nameOf(i) === 'global'));
  for (const list of [ofRoot, targetsOf(ofRoot[0])]) assert.strictEqual(new Set(list).size, list.length);
  const reached = new Set([0]);
  for (const i of reached) for (const to of targetsOf(i)) reached.add(to);
  assert.strictEqual(reached.size, count);
  assert.strictEqual(new Set(Array.from({ length: count }, (_, i) => nodes[i * fields + 2])).size, count);
}
