// Types of rondo:serve. docs/serve.md describes it. `/// <reference path="…/serve.d.ts" />`, or list it in tsconfig's "files".
declare module 'rondo:serve' {
  export interface RequestInfo {
    readonly remoteAddress: string | undefined;
    readonly remotePort: number | undefined;
    readonly server: Server;
    /** A response which, returned from `fetch`, turns the connection into a WebSocket. */
    upgrade<Data = unknown>(options?: { data?: Data; protocol?: string; headers?: HeadersInit }): Response;
  }

  export interface ServerWebSocket<Data = unknown> {
    data: Data;
    readonly protocol: string;
    readonly url: string;
    readonly readyState: 0 | 1 | 2 | 3;
    readonly bufferedAmount: number;
    readonly remoteAddress: string | undefined;
    /** How many bytes wait for the client, or -1 when the message was dropped. */
    send(data: string | ArrayBufferLike | ArrayBufferView): number;
    ping(data?: string | ArrayBufferLike | ArrayBufferView): number;
    pong(data?: string | ArrayBufferLike | ArrayBufferView): number;
    close(code?: number, reason?: string): void;
    terminate(): void;
  }

  export interface WebSocketHandlers<Data = any> {
    open?(socket: ServerWebSocket<Data>): void | Promise<void>;
    message?(socket: ServerWebSocket<Data>, message: string | Uint8Array): void | Promise<void>;
    close?(socket: ServerWebSocket<Data>, code: number, reason: string): void | Promise<void>;
    drain?(socket: ServerWebSocket<Data>): void | Promise<void>;
    ping?(socket: ServerWebSocket<Data>, data: Uint8Array): void | Promise<void>;
    pong?(socket: ServerWebSocket<Data>, data: Uint8Array): void | Promise<void>;
    maxPayloadLength?: number;
    /** Seconds; 0: never. */
    idleTimeout?: number;
    backpressureLimit?: number;
  }

  export interface ServeOptions {
    fetch(request: Request, info: RequestInfo): Response | Promise<Response>;
    error?(error: unknown, info: RequestInfo): Response | Promise<Response>;
    websocket?: WebSocketHandlers;
    port?: number | string;
    hostname?: string;
    /** As `tls.createServer` of node:tls takes it. */
    tls?: object;
    reusePort?: boolean;
    maxRequestBodySize?: number;
    maxHeaderSize?: number;
    /** Seconds; 0: never. */
    idleTimeout?: number;
    /** Seconds; 0: never. */
    requestTimeout?: number;
  }

  export class Server {
    constructor(options: ServeOptions);
    readonly port: number;
    readonly hostname: string;
    readonly url: URL;
    readonly pendingRequests: number;
    readonly connections: number;
    stop(closeActive?: boolean): Promise<void>;
    ref(): this;
    unref(): this;
    [Symbol.asyncDispose](): Promise<void>;
  }

  /** Listens at once. */
  export function serve(options: ServeOptions): Server;
}
