// Types of rondo:mesh. docs/mesh.md describes it. `/// <reference path="…/mesh.d.ts" />`, or list it in tsconfig's "files".
declare module 'rondo:mesh' {
  import { EventEmitter } from 'node:events';

  export class MeshError extends Error {
    readonly code: string;
  }

  export interface ConnectOptions {
    /** Addresses of NATS servers, 'nats://host:4222' or 'tls://user:password@host'. None: the mesh of this process and its workers. */
    servers?: string | string[];
    user?: string;
    password?: string;
    token?: string;
    /** An NKey seed, 'SU…'. */
    nkey?: string;
    /** Path of a credentials file: a JWT and an NKey seed. */
    credentials?: string;
    /** Options of node:tls; true: the usual ones. */
    tls?: boolean | import('node:tls').ConnectionOptions;
    /** Name of the connection, as the server shows it. */
    name?: string;
    /** ms until a server must have answered. 5000. */
    timeout?: number;
    /** Copies that a cluster keeps of queues and stores. 3 in a cluster, else 1. */
    replicas?: number;
    /** ms after which a lock or a peer that is not renewed is gone; the first of a mesh decides for all. 10000. */
    lease?: number;
    /** Path of the journal of an embedded mesh. Without it, queues and stores are in memory. */
    storage?: string;
  }

  /** BroadcastChannel's interface: every other channel of that name in the mesh gets a message, at most once, in the order of its sender. */
  export interface Channel<T = any> extends EventTarget {
    readonly name: string;
    onmessage: ((event: MessageEvent<T>) => void) | null;
    onmessageerror: ((event: MessageEvent<MeshError>) => void) | null;
    postMessage(message: T): void;
    close(): void;
  }

  export interface CallOptions {
    /** ms. 30000. */
    timeout?: number;
    signal?: AbortSignal;
  }
  export interface CallContext {
    /** Aborted when the caller does not wait any more. */
    readonly signal: AbortSignal;
    /** ms since 1970, on this machine's clock. */
    readonly deadline: number;
  }
  export interface ServeOptions {
    /** Calls at once. 100. */
    concurrency?: number;
    /** Calls that wait for their turn; more are told to come again. 1000. */
    waiting?: number;
  }
  export interface Service {
    readonly name: string;
    readonly running: number;
    /** Takes no more calls; resolves when those that run are answered. */
    close(): Promise<void>;
  }

  export interface QueueOptions {
    /** Jobs in the queue, beyond which push() waits. 1,000,000. */
    limit?: number;
    /** In how many lines jobs with an order are kept; one of each is out at a time. 4. */
    partitions?: number;
    /** How often a job is given out before it is dead. 10. */
    attempts?: number;
    /** ms for which a key is remembered. 120000. */
    window?: number;
    /** ms after which a job of a silent worker is given to another. 30000. */
    lease?: number;
  }
  export interface PushOptions {
    /** ms before which it is given to no worker. */
    delay?: number;
    /** A second push with the same key within the queue's window does nothing. */
    key?: string;
    /** Jobs of one order are done one after another, in the order of pushing. */
    order?: string;
    signal?: AbortSignal;
  }
  export interface Job<T = any> {
    readonly value: T;
    readonly key: string | undefined;
    readonly order: string | undefined;
    /** How often it has been given to a worker, this time included. */
    readonly attempt: number;
    readonly sequence: number;
    readonly pushed: Date;
    /** Of a dead job. */
    readonly reason: string | undefined;
    done(): Promise<void>;
    /** Gives it back, for not before `ms` from now; without a number later and later. */
    retry(ms?: number): Promise<void>;
    /** Puts it among the dead ones. */
    fail(reason?: string | Error): Promise<void>;
    /** Calls run(job) in the trace of who pushed it. */
    run<R>(run: (job: Job<T>) => R): R;
  }
  export interface Queue<T = any> {
    readonly name: string;
    /** Resolves when the job is kept: false when one with its key was pushed before. */
    push(value: T, options?: PushOptions): Promise<boolean>;
    count(): Promise<number>;
    work(options?: { concurrency?: number; signal?: AbortSignal }): AsyncIterableIterator<Job<T>>;
    dead(options?: { concurrency?: number; signal?: AbortSignal }): AsyncIterableIterator<Job<T>>;
  }

  export interface StoreEntry<T = any> {
    readonly key: string;
    readonly value: T;
    readonly revision: number;
  }
  export interface StoreWriteOptions {
    /** The revision that must be the last one; 0: the key must not be there. */
    revision?: number;
    /** A lock's token: a write with a smaller one than the last of this key is refused. */
    fence?: number;
  }
  export interface Store<T = any> {
    readonly name: string;
    get(key: string): Promise<T | undefined>;
    entry(key: string): Promise<StoreEntry<T> | undefined>;
    /** The new revision. */
    set(key: string, value: T, options?: StoreWriteOptions): Promise<number>;
    delete(key: string, options?: StoreWriteOptions): Promise<number>;
    keys(): Promise<string[]>;
    entries(): Promise<StoreEntry<T>[]>;
    /** Entries of now, then changes; between two steps the last change of each key counts. */
    watch(key?: string, options?: { signal?: AbortSignal }): AsyncIterableIterator<StoreEntry<T | undefined> & { readonly isDeleted: boolean; readonly error?: MeshError }>;
  }

  export interface Lock {
    readonly name: string;
    readonly mode: 'exclusive';
    /** Larger than that of every holder before. */
    readonly token: number;
    /** Aborted when the lock is lost. */
    readonly signal: AbortSignal;
  }
  export interface LockOptions {
    mode?: 'exclusive';
    ifAvailable?: boolean;
    steal?: boolean;
    signal?: AbortSignal;
  }
  export interface Leadership extends AsyncDisposable {
    readonly name: string;
    readonly token: number;
    readonly signal: AbortSignal;
    resign(): Promise<void>;
  }

  /** A moment, ms from now, a cron line in UTC, or an interval. */
  export type When = Date | number | string | { cron: string } | { every: number };
  export interface Firing {
    readonly name: string;
    readonly due: Date;
    readonly token: number;
    readonly signal: AbortSignal;
  }
  export interface Timer {
    readonly name: string;
    readonly due: Date | undefined;
    /** This process has it no more. */
    stop(): void;
    /** No process has it any more. */
    cancel(): Promise<void>;
  }

  export interface Peer {
    readonly id: string;
    readonly host: string;
    readonly pid: number;
    readonly thread: number;
    readonly name: string | undefined;
    readonly since: Date;
    readonly isSelf: boolean;
  }

  export class Mesh extends EventEmitter {
    private constructor();
    readonly kind: 'embedded' | 'nats';
    on(event: 'connected', listener: () => void): this;
    on(event: 'disconnected' | 'error' | 'warning', listener: (error: Error) => void): this;
    /** Jobs that the servers had lost after they were acknowledged, and that were pushed again; their numbers. */
    on(event: 'recovered', listener: (jobs: { queue: string; sequences: number[] }) => void): this;
    on(event: string | symbol, listener: (...args: any[]) => void): this;
    channel<T = any>(name: string): Channel<T>;
    call<R = any>(name: string, args?: unknown, options?: CallOptions): Promise<R>;
    serve<A = any, R = any>(name: string, handler: (args: A, context: CallContext) => R | Promise<R>, options?: ServeOptions): Promise<Service>;
    queue<T = any>(name: string, options?: QueueOptions): Queue<T>;
    store<T = any>(name: string, options?: { ttl?: number }): Store<T>;
    lock<R>(name: string, callback: (lock: Lock) => R | Promise<R>): Promise<R>;
    lock<R>(name: string, options: LockOptions, callback: (lock: Lock | null) => R | Promise<R>): Promise<R>;
    timer(name: string, when: When, handler: (firing: Firing) => void | Promise<void>): Promise<Timer>;
    leader(name: string, options?: { signal?: AbortSignal }): Promise<Leadership>;
    peers(): Promise<Peer[]>;
    flush(): Promise<void>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
  }

  export function connect(options?: ConnectOptions): Promise<Mesh>;
  /** The mesh of this thread, as RONDO_MESH says. */
  export const mesh: Mesh;
  export const channel: Mesh['channel'];
  export const call: Mesh['call'];
  export const serve: Mesh['serve'];
  export const queue: Mesh['queue'];
  export const store: Mesh['store'];
  export const lock: Mesh['lock'];
  export const timer: Mesh['timer'];
  export const leader: Mesh['leader'];
  export const peers: Mesh['peers'];
  export const flush: Mesh['flush'];
  export const close: Mesh['close'];
}
