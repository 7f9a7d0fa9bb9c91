import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import { int, pointer, string, type TraceField, u16, u64 } from '../../tracepoint/fields.js';
import { coverMethod } from '../realm/lookalike.js';
import { getOwnPropertyDescriptor, reflectApply, SafeWeakMap } from '../realm/primordials.js';
import { type Undo, undoAll } from '../realm/undo.js';
import { idOf } from './boundary/object-ids.js';
import {
  connectionOf,
  handleOf,
  type PeerAndDescriptor,
  SocketBytes,
  socketId,
  streamClasses,
} from './boundary/stream-handle.js';
import { errorCode, numberOf, ownValue } from './boundary/values.js';
import { type NodeEventSource, nodeEventSystem } from './node-event-system.js';

type ServerStart = [id: number, skaddr: number, method: unknown, url: unknown, connection: PeerAndDescriptor];
type HostStart = [id: number, skaddr: number, method: unknown, host: unknown, url: unknown];
type ClientStart = [...HostStart, connection: PeerAndDescriptor];
type FetchStart = [id: number, method: unknown, host: unknown, url: unknown];
type Answered = [id: number, skaddr: number, status: number];
type ClientAnswered = [id: number, skaddr: number, status: number, host: unknown, connection: PeerAndDescriptor];
type ServerEnd = [
  id: number,
  skaddr: number,
  method: unknown,
  url: unknown,
  status: number,
  bytes: number,
  duration: number,
  error: string,
  connection: PeerAndDescriptor,
];
type ClientEnd = [
  id: number,
  skaddr: number,
  method: unknown,
  host: unknown,
  url: unknown,
  status: number,
  bytes: number,
  duration: number,
  error: string,
];
type FetchEnd = [id: number, skaddr: number, method: unknown, host: unknown, url: unknown, status: number, duration: number];
type FetchError = [id: number, skaddr: number, method: unknown, host: unknown, url: unknown, error: string, duration: number];
type HttpEvents = {
  server_request_start: ServerStart;
  server_request_end: ServerEnd;
  client_request_start: ClientStart;
  client_response: ClientAnswered;
  client_request_end: ClientEnd;
  undici_request_create: FetchStart;
  undici_request_headers: Answered;
  undici_request_end: FetchEnd;
  undici_request_error: FetchError;
};

const HOST = 'method=%s host=%s url=%s';
const HOST_ARGS = '__get_str(method), __get_str(host), __get_str(url)';

/** The first fields of what is told of a client's request once it has its connection. */
const connectedRequest = {
  id: u64((id) => id),
  skaddr: pointer((_id, skaddr) => skaddr),
  method: string((_id, _skaddr, method) => method as string),
  host: string((_id, _skaddr, _method, host) => host as string),
  url: string((_id, _skaddr, _method, _host, url) => url as string),
} satisfies Record<string, TraceField<HostStart>>;

const answered = {
  args: ['id', 'skaddr', 'status'],
  fields: {
    id: u64((id) => id),
    skaddr: pointer((_id, skaddr) => skaddr),
    status: u16((_id, _skaddr, status) => status),
  } satisfies Record<string, TraceField<Answered>>,
  print: '"id=%llu skaddr=%p status=%u", REC->id, REC->skaddr, REC->status',
} as const;

/** Requests of `node:http` and `node:https`, as server and as client, and those of undici, on which fetch() is built. */
export const http = nodeEventSystem<HttpEvents>('http', {
  events: {
    server_request_start: {
      args: ['id', 'skaddr', 'method', 'url', 'connection'],
      fields: {
        id: u64((id) => id),
        skaddr: pointer((_id, skaddr) => skaddr),
        method: string((_id, _skaddr, method) => method as string),
        url: string((_id, _skaddr, _method, url) => url as string),
        remote: string((_id, _skaddr, _method, _url, { address }) => address),
        port: u16((_id, _skaddr, _method, _url, { port }) => port),
        fd: int((_id, _skaddr, _method, _url, { fd }) => fd),
      } satisfies Record<string, TraceField<ServerStart>>,
      print: '"id=%llu skaddr=%p method=%s url=%s", REC->id, REC->skaddr, __get_str(method), __get_str(url)',
    },
    server_request_end: {
      args: ['id', 'skaddr', 'method', 'url', 'status', 'bytes', 'duration', 'error', 'connection'],
      fields: {
        id: u64((id) => id),
        skaddr: pointer((_id, skaddr) => skaddr),
        method: string((_id, _skaddr, method) => method as string),
        url: string((_id, _skaddr, _method, url) => url as string),
        status: u16((_id, _skaddr, _method, _url, status) => status),
        bytes: u64((_id, _skaddr, _method, _url, _status, bytes) => bytes),
        duration: u64((_id, _skaddr, _method, _url, _status, _bytes, duration) => duration),
        error: string((_id, _skaddr, _method, _url, _status, _bytes, _duration, error) => error),
        remote: string((_id, _skaddr, _method, _url, _status, _bytes, _duration, _error, { address }) => address),
        port: u16((_id, _skaddr, _method, _url, _status, _bytes, _duration, _error, { port }) => port),
        fd: int((_id, _skaddr, _method, _url, _status, _bytes, _duration, _error, { fd }) => fd),
      } satisfies Record<string, TraceField<ServerEnd>>,
      print:
        '"id=%llu skaddr=%p method=%s url=%s status=%u bytes=%llu duration=%llu error=%s", REC->id, REC->skaddr, __get_str(method), __get_str(url), REC->status, REC->bytes, REC->duration, __get_str(error)',
    },
    client_request_start: {
      args: ['id', 'skaddr', 'method', 'host', 'url', 'connection'],
      fields: {
        ...connectedRequest,
        port: u16((_id, _skaddr, _method, _host, _url, { port }) => port),
        fd: int((_id, _skaddr, _method, _host, _url, { fd }) => fd),
      } satisfies Record<string, TraceField<ClientStart>>,
      print: `"id=%llu skaddr=%p ${HOST}", REC->id, REC->skaddr, ${HOST_ARGS}`,
    },
    client_response: {
      ...answered,
      args: ['id', 'skaddr', 'status', 'host', 'connection'],
      fields: {
        ...answered.fields,
        host: string((_id, _skaddr, _status, host) => host as string),
        port: u16((_id, _skaddr, _status, _host, { port }) => port),
        fd: int((_id, _skaddr, _status, _host, { fd }) => fd),
      } satisfies Record<string, TraceField<ClientAnswered>>,
    },
    client_request_end: {
      args: ['id', 'skaddr', 'method', 'host', 'url', 'status', 'bytes', 'duration', 'error'],
      fields: {
        ...connectedRequest,
        status: u16((_id, _skaddr, _method, _host, _url, status) => status),
        bytes: u64((_id, _skaddr, _method, _host, _url, _status, bytes) => bytes),
        duration: u64((_id, _skaddr, _method, _host, _url, _status, _bytes, duration) => duration),
        error: string((_id, _skaddr, _method, _host, _url, _status, _bytes, _duration, error) => error),
      } satisfies Record<string, TraceField<ClientEnd>>,
      print: `"id=%llu skaddr=%p ${HOST} status=%u bytes=%llu duration=%llu error=%s", REC->id, REC->skaddr, ${HOST_ARGS}, REC->status, REC->bytes, REC->duration, __get_str(error)`,
    },
    undici_request_create: {
      args: ['id', 'method', 'host', 'url'],
      fields: {
        id: u64((id) => id),
        method: string((_id, method) => method as string),
        host: string((_id, _method, host) => host as string),
        url: string((_id, _method, _host, url) => url as string),
      } satisfies Record<string, TraceField<FetchStart>>,
      print: `"id=%llu ${HOST}", REC->id, ${HOST_ARGS}`,
    },
    undici_request_headers: answered,
    undici_request_end: {
      args: ['id', 'skaddr', 'method', 'host', 'url', 'status', 'duration'],
      fields: {
        ...connectedRequest,
        status: u16((_id, _skaddr, _method, _host, _url, status) => status),
        duration: u64((_id, _skaddr, _method, _host, _url, _status, duration) => duration),
      } satisfies Record<string, TraceField<FetchEnd>>,
      print: `"id=%llu skaddr=%p ${HOST} status=%u duration=%llu", REC->id, REC->skaddr, ${HOST_ARGS}, REC->status, REC->duration`,
    },
    undici_request_error: {
      args: ['id', 'skaddr', 'method', 'host', 'url', 'error', 'duration'],
      fields: {
        ...connectedRequest,
        error: string((_id, _skaddr, _method, _host, _url, error) => error),
        duration: u64((_id, _skaddr, _method, _host, _url, _error, duration) => duration),
      } satisfies Record<string, TraceField<FetchError>>,
      print: `"id=%llu skaddr=%p ${HOST} error=%s duration=%llu", REC->id, REC->skaddr, ${HOST_ARGS}, __get_str(error), REC->duration`,
    },
  },
  sources: [servers(), clients(), undici()],
});

/** A request that a server has begun to answer. */
interface Received {
  readonly id: number;
  readonly skaddr: number;
  readonly method: unknown;
  /** The URL as it came: frameworks change the request's own. */
  readonly url: unknown;
  readonly socket: unknown;
  readonly connection: PeerAndDescriptor;
  readonly time: number;
  /** Bytes that its connection had carried then. */
  readonly bytes: number;
}

/** A request that a client has sent. */
interface Sent {
  readonly time: number;
  readonly socket: unknown;
  /** Bytes that its connection had carried then. */
  readonly bytes: number;
  /** The connection's number: a socket that is closed has none, and one that tries several addresses another for each. */
  skaddr: number;
  status: number;
  error: string;
}

type Channels = Readonly<Record<string, (message: unknown) => void>>;

/** Listens to channels of node:diagnostics_channel. */
function listen(channels: Channels): Undo {
  for (const [name, listener] of Object.entries(channels)) subscribe(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(channels)) unsubscribe(name, listener);
  };
}

type Emit = (this: object, ...args: unknown[]) => boolean;

/**
 * Hears what all objects of a class of node:http emit, for events that no channel tells: their end (`close`), the socket
 * that a client's request gets. Called when the module is loaded anyway.
 */
function hearEvents(
  className: 'ClientRequest' | 'ServerResponse',
  heard: (object: object, args: readonly unknown[]) => void,
): Undo {
  const classes = createRequire(import.meta.url)('node:http') as typeof import('node:http');
  const prototype = ownValue(classes[className], 'prototype');
  if (typeof prototype !== 'object' || prototype === null) return () => {};
  return coverMethod<Emit>(
    prototype,
    'emit',
    (original) =>
      ({
        emit(this: object, ...args: unknown[]): boolean {
          heard(this, args);
          return reflectApply(original, this, args);
        },
      }).emit,
  );
}

/** A property of a client's request: its own, or on newer versions a getter of node:http's classes. */
function propertyOf(request: object, key: 'path' | 'socket'): unknown {
  const own = ownValue(request, key);
  if (own !== undefined) return own;
  const { ClientRequest, OutgoingMessage } = createRequire(import.meta.url)('node:http') as typeof import('node:http');
  for (const { prototype } of [ClientRequest, OutgoingMessage]) {
    const getter = getOwnPropertyDescriptor(prototype, key)?.get;
    if (getter === undefined) continue;
    try {
      return reflectApply(getter, request, []);
    } catch {
      return undefined;
    }
  }
  return undefined;
}

function servers(): NodeEventSource<HttpEvents> {
  return {
    events: ['server_request_start', 'server_request_end'],
    start({ server_request_start: started, server_request_end: ended }, { clock }) {
      streamClasses();
      const begun = new SafeWeakMap<object, Received>();
      const sockets = new SocketBytes('_bytesDispatched');
      let undoEvents: Undo | undefined;
      function end(response: object, error: string): void {
        const received = begun.get(response);
        if (received === undefined) return;
        begun.delete(response);
        const { id, skaddr, method, url, socket, connection, time } = received;
        const bytes = Math.max(0, sockets.of(socket) - received.bytes);
        const status = numberOf(ownValue(response, 'statusCode'));
        ended(id, skaddr, method, url, status, bytes, clock() - time, error, connection);
      }
      const channels = listen({
        'http.server.request.start'(message) {
          const request = ownValue(message, 'request');
          const response = ownValue(message, 'response');
          if (typeof response !== 'object' || response === null || typeof request !== 'object') return;
          undoEvents ??= hearEvents('ServerResponse', (one, [event]) => {
            if (event === 'close') end(one, 'aborted');
          });
          const socket = ownValue(message, 'socket');
          const id = idOf(request);
          const handle = handleOf(socket);
          const skaddr = socketId(handle);
          const connection = connectionOf(handle);
          const [method, url] = [ownValue(request, 'method'), ownValue(request, 'url')];
          begun.set(response, { id, skaddr, method, url, socket, connection, time: clock(), bytes: sockets.of(socket) });
          started(id, skaddr, method, url, connection);
        },
        'http.server.response.finish'(message) {
          const response = ownValue(message, 'response');
          if (typeof response === 'object' && response !== null) end(response, '');
        },
      });
      return undoAll([() => undoEvents?.(), channels]);
    },
  };
}

/** Whether the program has loaded node:http: to load it for the program could be noticed. */
const isClientLoaded = (): boolean =>
  (process as unknown as { moduleLoadList?: readonly string[] }).moduleLoadList?.includes('NativeModule _http_client') ?? false;

function clients(): NodeEventSource<HttpEvents> {
  return {
    events: ['client_request_start', 'client_response', 'client_request_end'],
    start({ client_request_start: started, client_response: answered, client_request_end: ended }, { clock }) {
      streamClasses();
      const begun = new SafeWeakMap<object, Sent>();
      const sockets = new SocketBytes('bytesRead');
      let undoEvents: Undo | undefined;
      const nameOf = (request: object): [method: unknown, host: unknown, url: unknown] => [
        ownValue(request, 'method'),
        ownValue(request, 'host'),
        propertyOf(request, 'path'),
      ];
      /** A request has its connection and sends nothing before: `_http_client` emits `socket` first. */
      function begin(request: object, socket: unknown): void {
        if (begun.has(request) || socket === undefined || socket === null) return;
        const handle = handleOf(socket);
        const skaddr = socketId(handle);
        begun.set(request, { time: clock(), socket, bytes: sockets.of(socket), skaddr, status: 0, error: '' });
        started(idOf(request), skaddr, ...nameOf(request), connectionOf(handle));
      }
      function skaddrOf(start: Sent): number {
        const handle = handleOf(start.socket);
        if (handle !== undefined) start.skaddr = socketId(handle);
        return start.skaddr;
      }
      function end(request: object): void {
        const start = begun.get(request);
        if (start === undefined) return;
        begun.delete(request);
        const bytes = Math.max(0, sockets.of(start.socket) - start.bytes);
        ended(idOf(request), skaddrOf(start), ...nameOf(request), start.status, bytes, clock() - start.time, start.error);
      }
      const heard: Readonly<Record<string, (request: object, socket: unknown) => void>> = {
        socket: begin,
        finish(request) {
          const start = begun.get(request);
          if (start !== undefined) skaddrOf(start);
        },
        close: end,
      };
      function hear(): void {
        undoEvents ??= hearEvents('ClientRequest', (request, [event, socket]) => {
          if (event === 'socket' || event === 'finish' || event === 'close') heard[event]!(request, socket);
        });
      }
      if (isClientLoaded()) hear();
      const channels = listen({
        // The first sign of a first request: the newer Nodes tell of it, and all tell of its connection.
        'http.client.request.created': hear,
        'net.client.socket'() {
          if (undoEvents === undefined && isClientLoaded()) hear();
        },
        'http.client.request.start'(message) {
          const request = ownValue(message, 'request');
          if (typeof request !== 'object' || request === null) return;
          hear();
          begin(request, propertyOf(request, 'socket'));
        },
        'http.client.response.finish'(message) {
          const request = ownValue(message, 'request');
          const start = begun.get(request as object);
          if (start === undefined) return;
          start.status = numberOf(ownValue(ownValue(message, 'response'), 'statusCode'));
          const connection = connectionOf(handleOf(start.socket));
          answered(idOf(request as object), skaddrOf(start), start.status, ownValue(request, 'host'), connection);
        },
        'http.client.request.error'(message) {
          const start = begun.get(ownValue(message, 'request') as object);
          if (start !== undefined) start.error = errorCode(ownValue(message, 'error'));
        },
      });
      return undoAll([() => undoEvents?.(), channels]);
    },
  };
}

function undici(): NodeEventSource<HttpEvents> {
  return {
    events: ['undici_request_create', 'undici_request_headers', 'undici_request_end', 'undici_request_error'],
    start(trace, { clock }) {
      const begun = new SafeWeakMap<object, { time: number; status: number; skaddr: number }>();
      const nameOf = (request: object): [method: unknown, host: unknown, url: unknown] => [
        ownValue(request, 'method'),
        ownValue(request, 'origin'),
        ownValue(request, 'path'),
      ];
      /** The message's request, if it is an object. */
      const requestOf = (message: unknown): object | undefined => {
        const request = ownValue(message, 'request');
        return typeof request === 'object' && request !== null ? request : undefined;
      };
      return listen({
        'undici:request:create'(message) {
          const request = requestOf(message);
          if (request === undefined) return;
          begun.set(request, { time: clock(), status: 0, skaddr: 0 });
          trace.undici_request_create(idOf(request), ...nameOf(request));
        },
        'undici:client:sendHeaders'(message) {
          const request = requestOf(message);
          const start = request && begun.get(request);
          if (start !== undefined) start.skaddr = socketId(handleOf(ownValue(message, 'socket')));
        },
        'undici:request:headers'(message) {
          const request = requestOf(message);
          const start = request && begun.get(request);
          if (request === undefined || start === undefined) return;
          start.status = numberOf(ownValue(ownValue(message, 'response'), 'statusCode'));
          trace.undici_request_headers(idOf(request), start.skaddr, start.status);
        },
        'undici:request:trailers'(message) {
          const request = requestOf(message);
          const start = request && begun.get(request);
          if (request === undefined || start === undefined) return;
          begun.delete(request);
          trace.undici_request_end(idOf(request), start.skaddr, ...nameOf(request), start.status, clock() - start.time);
        },
        'undici:request:error'(message) {
          const request = requestOf(message);
          const start = request && begun.get(request);
          if (request === undefined || start === undefined) return;
          begun.delete(request);
          const error = errorCode(ownValue(message, 'error'));
          trace.undici_request_error(idOf(request), start.skaddr, ...nameOf(request), error, clock() - start.time);
        },
      });
    },
  };
}
