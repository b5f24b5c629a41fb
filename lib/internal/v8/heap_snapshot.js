// natives: process
//
// Heap snapshots: the engine's list of its live cells, written in the format of V8's.
'use strict';

const { heapSnapshot } = native('process');
const { getOptionValue } = require('internal/process/options');
const { validateBoolean, validateObject } = require('internal/util/validators');

const kNodeFields = ['type', 'name', 'id', 'self_size', 'edge_count', 'trace_node_id', 'detachedness'];
const kNodeTypes = [
  'hidden',
  'array',
  'string',
  'object',
  'code',
  'closure',
  'regexp',
  'number',
  'native',
  'synthetic',
  'concatenated string',
  'sliced string',
  'symbol',
  'bigint',
  'object shape',
];
const kEdgeTypes = ['context', 'element', 'property', 'internal', 'hidden', 'shortcut', 'weak'];
const kMeta = {
  node_fields: kNodeFields,
  node_types: [kNodeTypes, 'string', 'number', 'number', 'number', 'number', 'number'],
  edge_fields: ['type', 'name_or_index', 'to_node'],
  edge_types: [kEdgeTypes, 'string_or_number', 'node'],
  trace_function_info_fields: ['function_id', 'name', 'script_name', 'script_id', 'line', 'column'],
  trace_node_fields: ['id', 'function_info_index', 'count', 'size', 'children'],
  sample_fields: ['timestamp_us', 'last_assigned_id'],
  location_fields: ['object_index', 'script_id', 'line', 'column'],
};

// Classes of cells that have a type of their own there; all others are objects, the engine's own cells hidden.
const kTypeOfClass = {
  __proto__: null,
  string: 'string',
  symbol: 'symbol',
  bigint: 'bigint',
  Function: 'closure',
  RegExp: 'regexp',
  Structure: 'object shape',
  HeapBigInt: 'bigint',
  FunctionExecutable: 'code',
  ProgramExecutable: 'code',
  EvalExecutable: 'code',
  ModuleProgramExecutable: 'code',
  NativeExecutable: 'code',
  FunctionCodeBlock: 'code',
  ProgramCodeBlock: 'code',
  EvalCodeBlock: 'code',
  ModuleProgramCodeBlock: 'code',
  UnlinkedFunctionExecutable: 'code',
  UnlinkedFunctionCodeBlock: 'code',
  UnlinkedProgramCodeBlock: 'code',
};
const kTypeOfEdge = { __proto__: null, Internal: 'internal', Property: 'property', Index: 'element', Variable: 'context' };
const kRoot = 0; // the number of the engine's root
const kGlobalClass = 'global';
const kPiece = 10_000; // numbers in a piece of the text

// exposeInternals: cells of the engine's own are called by their class. Numbers are no cells of this engine: there is nothing to expose.
function checkedOptions(options) {
  if (options === undefined) return { exposeInternals: false };
  validateObject(options, 'options');
  const { exposeInternals = false, exposeNumericValues = false } = options;
  validateBoolean(exposeInternals, 'options.exposeInternals');
  validateBoolean(exposeNumericValues, 'options.exposeNumericValues');
  if (exposeNumericValues) {
    const {
      codes: { ERR_INVALID_ARG_VALUE },
    } = require('internal/errors/coded');
    throw new ERR_INVALID_ARG_VALUE('options.exposeNumericValues', true, 'is not supported: this engine has no cells for numbers');
  }
  return { exposeInternals };
}

// `text` is the engine's; null where the heap is too large for it.
function parse(text) {
  if (text === null) {
    const error = new Error('The heap is too large for a snapshot: it has more than 512 MiB');
    error.code = 'ERR_STRING_TOO_LONG';
    throw error;
  }
  return JSON.parse(text);
}

// Places of the nodes that the engine's root leads to, each once: it may have several reasons to keep one. Those that no edge leads to are
// kept by the stack, of which the engine tells nothing, and count as such, too.
function rootsOf(edges, place) {
  const found = new Set();
  const targets = new Map(); // place → places
  for (let at = 0; at < edges.length; at += 4) {
    const from = place.get(edges[at]),
      to = place.get(edges[at + 1]);
    if (from === undefined || to === undefined) continue;
    if (edges[at] === kRoot) found.add(to);
    else if (targets.has(from)) arrayPush.call(targets.get(from), to);
    else targets.set(from, [to]);
  }
  const root = place.get(kRoot);
  found.delete(root);
  const isReached = new Uint8Array(place.size);
  const waiting = Array.from(found);
  const reach = () => {
    while (waiting.length > 0) {
      const next = arrayPop.call(waiting);
      if (isReached[next] === 1) continue;
      isReached[next] = 1;
      for (const to of each(targets.get(next) ?? [])) if (isReached[to] === 0) arrayPush.call(waiting, to);
    }
  };
  reach();
  for (let index = 0; index < isReached.length; index++) {
    if (isReached[index] === 1 || index === root) continue;
    found.add(index);
    arrayPush.call(waiting, index);
    reach();
  }
  return Array.from(found);
}

// V8's root leads to '(GC roots)' and to the global objects, from which DevTools counts distances: a node is put behind the engine's root.
//
// Nodes of the engine's list are [number, size, class, flags], its edges [from, to, type, name or index], by number of `from`.
function convert({ nodes, nodeClassNames, edges, edgeTypes, edgeNames }, exposeInternals) {
  const strings = ['', '(root)', '(internal)'];
  const known = new Map();
  const stringIndex = (text) => {
    let index = known.get(text);
    if (index === undefined) {
      index = arrayPush.call(strings, text) - 1;
      known.set(text, index);
    }
    return index;
  };
  const classes = arrayMap.call(nodeClassNames, (name) => ({
    name: stringIndex(name),
    type: arrayIndexOf.call(kNodeTypes, kTypeOfClass[name] ?? 'object'),
  }));
  const kObject = arrayIndexOf.call(kNodeTypes, 'object');
  const kHidden = arrayIndexOf.call(kNodeTypes, 'hidden');
  const kSynthetic = arrayIndexOf.call(kNodeTypes, 'synthetic');
  const types = arrayMap.call(edgeTypes, (name) => arrayIndexOf.call(kEdgeTypes, kTypeOfEdge[name]));
  const indexOfNames = arrayMap.call(edgeNames, stringIndex);

  const order = []; // places in `nodes`: those of the root first, then by number, as the edges are
  for (let at = 0; at < nodes.length; at += 4) arrayPush.call(order, at);
  arraySort.call(order, (a, b) => nodes[a] - nodes[b]);
  const place = new Map();
  for (let i = 0; i < order.length; i++) place.set(nodes[order[i]], i);

  const isGlobal = (index) => nodeClassNames[nodes[order[index] + 2]] === kGlobalClass && (nodes[order[index] + 3] & 1) === 0;
  const roots = rootsOf(edges, place);
  const globals = arrayFilter.call(roots, isGlobal);

  const outNodes = [];
  const counts = new Uint32Array(order.length);
  for (let at = 0; at < edges.length; at += 4) {
    if (edges[at] !== kRoot && place.has(edges[at]) && place.has(edges[at + 1])) counts[place.get(edges[at])]++;
  }
  for (let i = 0; i < order.length; i++) {
    const at = order[i];
    const { name, type } = classes[nodes[at + 2]];
    const isInternal = (nodes[at + 3] & 1) !== 0;
    if (nodes[at] === kRoot) {
      arrayPush.call(outNodes, kSynthetic, 1, 1, 0, globals.length + 1, 0, 0);
      arrayPush.call(outNodes, kSynthetic, stringIndex('(GC roots)'), 2, 0, roots.length, 0, 0);
    } else
      arrayPush.call(
        outNodes,
        isInternal && type === kObject ? kHidden : type,
        isInternal && !exposeInternals ? 2 : name,
        nodes[at] * 2 + 1,
        nodes[at + 1],
        counts[i],
        0,
        0,
      );
  }

  const outEdges = [];
  const add = (type, name, to) => arrayPush.call(outEdges, arrayIndexOf.call(kEdgeTypes, type), name, to * kNodeFields.length);
  add('element', 1, 1);
  for (const index of each(globals)) add('shortcut', stringIndex('global'), index + 1);
  for (let i = 0; i < roots.length; i++) add('element', i + 1, roots[i] + 1);
  const starts = new Uint32Array(order.length + 1);
  starts[0] = outEdges.length / 3;
  for (let i = 0; i < order.length; i++) starts[i + 1] = starts[i] + counts[i];
  outEdges.length = starts[order.length] * 3;
  const next = bytesSlice.call(starts);
  for (let at = 0; at < edges.length; at += 4) {
    const from = place.get(edges[at]);
    const to = place.get(edges[at + 1]);
    if (edges[at] === kRoot || from === undefined || to === undefined) continue;
    const type = edgeTypes[edges[at + 2]];
    const index = next[from]++;
    outEdges[index * 3] = types[edges[at + 2]];
    outEdges[index * 3 + 1] = type === 'Index' ? edges[at + 3] : type === 'Internal' ? 0 : indexOfNames[edges[at + 3]];
    outEdges[index * 3 + 2] = (to + 1) * kNodeFields.length;
  }
  return { nodes: outNodes, edges: outEdges, strings };
}

function* list(values) {
  for (let at = 0; at < values.length; at += kPiece)
    yield (at === 0 ? '' : ',') + arrayJoin.call(arraySlice.call(values, at, at + kPiece), ',');
}

// The text of the file, piece by piece.
function* pieces(text, { exposeInternals }) {
  const { nodes, edges, strings } = convert(parse(text), exposeInternals);
  const snapshot = { meta: kMeta, node_count: nodes.length / kNodeFields.length, edge_count: edges.length / 3, trace_function_count: 0 };
  yield `{"snapshot":${JSON.stringify(snapshot)},\n"nodes":[`;
  yield* list(nodes);
  yield '],\n"edges":[';
  yield* list(edges);
  yield '],\n"trace_function_infos":[],\n"trace_tree":[],\n"samples":[],\n"locations":[],\n"strings":[';
  yield* list(arrayMap.call(strings, (each) => JSON.stringify(each)));
  yield ']}';
}

// All of it comes with the first read, as in Node.
function stream(text, options) {
  const { Readable } = require('internal/streams/stream');
  return new Readable({
    read() {
      for (const piece of each(pieces(text, options))) this.push(piece);
      this.push(null);
    },
  });
}

let sequence = 0;

// Heap.{date}.{time}.{pid}.{thread}.{number}.heapsnapshot
function defaultName() {
  const now = new Date();
  const digits = (value, length = 2) => stringPadStart.call(`${value}`, length, '0');
  const date = digits(dateGetFullYear.call(now), 4) + digits(dateGetMonth.call(now) + 1) + digits(dateGetDate.call(now));
  const time = digits(dateGetHours.call(now)) + digits(dateGetMinutes.call(now)) + digits(dateGetSeconds.call(now));
  const { threadId } = requireLater('internal/worker/worker_threads');
  return `Heap.${date}.${time}.${process.pid}.${threadId}.${digits(++sequence, 3)}.heapsnapshot`;
}

function getHeapSnapshot(options) {
  const checked = checkedOptions(options);
  return stream(heapSnapshot(), checked);
}

function writeHeapSnapshot(filename, options) {
  const fs = require('internal/fs/fs');
  if (filename !== undefined) filename = require('internal/fs/utils').getValidatedPath(filename);
  const checked = checkedOptions(options);
  filename ??= require('internal/path/path').join(getOptionValue('--diagnostic-dir') || '', defaultName());
  const file = fs.openSync(filename, 'w');
  try {
    for (const piece of each(pieces(heapSnapshot(), checked))) fs.writeFileSync(file, piece);
  } finally {
    fs.closeSync(file);
  }
  return filename;
}

// The text of a snapshot of now, piece by piece.
const snapshotPieces = (options) => pieces(heapSnapshot(), options);

module.exports = { checkedOptions, getHeapSnapshot, snapshotPieces, stream, take: heapSnapshot, writeHeapSnapshot };
