import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { replaceMethod } from '../../realm/lookalike.js';
import { reflectApply, SafeMap, SafeWeakMap } from '../../realm/primordials.js';
import { type Undo, undoAll } from '../../realm/undo.js';
import { atCompletion } from './completion.js';
import { nativeBinding } from './native-binding.js';
import { nextId } from './object-ids.js';
import { ParserReads } from './parser-reads.js';
import { sharedHook } from './shared-hook.js';
import { fdOf, handleOf, kindOf, streamClasses } from './stream-handle.js';
import { numberOf, ownValue } from './values.js';

/**
 * Hears what happens to TCP sockets, pipes and UNIX sockets. No function may throw; `handle` is Node's own object of the stream.
 */
export interface StreamListener {
  bind?(handle: object, address: string, ret: number): void;
  listen?(handle: object, backlog: number, ret: number): void;
  /** @param address as text, with its port */
  connecting?(handle: object, id: number, address: string): void;
  /** @param status 0, or an error of the system as a negative number */
  connected?(handle: object, id: number, status: number): void;
  /** A connection that was accepted, before the program sees it. */
  accepted?(handle: object): void;
  /** After the program has seen it. */
  accept?(server: object | undefined, handle: object): void;
  /**
   * Data was given to the system, which has taken it already or will.
   * @param pieces how many buffers it is in, if it is a vector; else 0
   * @param isTaken it has taken it already
   */
  queued?(handle: object, id: number, bytes: number, pieces: number, isTaken: boolean): void;
  sent?(handle: object, id: number, bytes: number, status: number, pieces: number): void;
  /** @param bytes how many came, or a negative number: the end (-4095) or an error */
  read?(handle: object, bytes: number): void;
  shutdown?(handle: object): void;
  closed?(handle: object): void;
}

type Method = (this: object, ...args: unknown[]) => unknown;
type Run = (original: Method, handle: object, args: unknown[]) => unknown;

const WRITES = ['writeBuffer', 'writev', 'writeAsciiString', 'writeUtf8String', 'writeUcs2String', 'writeLatin1String'];
/** What Node calls with all that a net.Socket reads. */
const TAKES_READS = 'onStreamRead';
const CONNECTION = 'net.server.socket';
const REQUEST = 'http.server.request.start';

// Node's own, before the program could replace it.
const activeHandles = (process as unknown as { _getActiveHandles?(): unknown[] })._getActiveHandles;

interface StreamWrap {
  readonly streamBaseState: ArrayLike<number>;
  readonly kReadBytesOrError: number;
  readonly kBytesWritten: number;
  readonly kLastWriteWasAsync: number;
}

/** Listens to all streams of the thread that are sockets or pipes, those that are open already too. */
export const listenToStreams = sharedHook<StreamListener>((listeners) => {
  const classes = streamClasses();
  const wrap = nativeBinding('stream_wrap') as StreamWrap | undefined;
  if (classes === undefined || wrap === undefined) return () => {};
  const { streamBaseState: state, kReadBytesOrError, kBytesWritten, kLastWriteWasAsync } = wrap;
  const seen = new SafeWeakMap<object, true>();
  const reading = new SafeMap<object, [own: unknown, original: unknown]>();
  const tell = <K extends keyof StreamListener>(name: K, ...args: Parameters<NonNullable<StreamListener[K]>>): void => {
    for (let i = 0; i < listeners.length; i++) {
      const listener = listeners[i]![name] as ((...args: unknown[]) => void) | undefined;
      if (listener !== undefined) reflectApply(listener, undefined, args);
    }
  };
  const parsers = new ParserReads((handle, bytes) => tell('read', handle, bytes));

  /**
   * Puts a function before the one that takes what a socket reads. No other function of Node's is replaced: an agent compares
   * the one that guards its idle connections, and sets this one again when a connection is used: before a write.
   */
  function hearReads(handle: object): void {
    const target = handle as { onread: unknown };
    const original = target.onread;
    if (ownValue(original, 'name') !== TAKES_READS) return;
    const before = reading.get(handle);
    if (before?.[0] === original) return;
    const own = before !== undefined && before[1] === original ? before[0] : tellReads(handle, original as Method);
    reading.set(handle, [own, original]);
    target.onread = own;
  }
  const tellReads = (handle: object, original: Method): Method =>
    function (this: object, ...args: unknown[]): unknown {
      tell('read', handle, numberOf(state[kReadBytesOrError]));
      return reflectApply(original, this, args);
    };
  function stopReads(): void {
    for (const [handle, [own, original]] of reading) {
      const target = handle as { onread: unknown };
      if (target.onread === own) target.onread = original;
    }
    reading.clear();
  }

  /** A handle whose first operation is a read is a connection that was accepted. */
  function meet(handle: object): void {
    if (seen.has(handle)) return;
    seen.set(handle, true);
    if (kindOf(handle) === 'tcp' && fdOf(handle) >= 0) tell('accepted', handle);
  }

  const replace = (holder: object | undefined, key: string, run: Run): Undo =>
    holder === undefined
      ? () => {}
      : replaceMethod<Method>(
          holder,
          key,
          (original) =>
            ({
              [key](this: object, ...args: unknown[]): unknown {
                return kindOf(this) === undefined ? reflectApply(original, this, args) : run(original, this, args);
              },
            })[key]!,
        );

  const connect: Run = (original, handle, args) => {
    const request = args[0];
    const address = args[1];
    const port = args[2];
    const id = nextId();
    seen.set(handle, true);
    const isHeard = atCompletion(request as object, 'oncomplete', (found) => tell('connected', handle, id, numberOf(found[0])));
    const ret = numberOf(reflectApply(original, handle, args));
    // Now it has a descriptor.
    tell('connecting', handle, id, addressText(address, port));
    if (ret !== 0 || !isHeard) tell('connected', handle, id, ret);
    return ret;
  };
  const bind: Run = (original, handle, args) => {
    seen.set(handle, true);
    const ret = numberOf(reflectApply(original, handle, args));
    tell('bind', handle, addressText(args[0], args[1]), ret);
    return ret;
  };
  const listen: Run = (original, handle, args) => {
    seen.set(handle, true);
    const ret = numberOf(reflectApply(original, handle, args));
    tell('listen', handle, numberOf(args[0]), ret);
    return ret;
  };
  const write =
    (key: string): Run =>
    (original, handle, args) => {
      hearReads(handle);
      const ret = reflectApply(original, handle, args);
      const bytes = numberOf(state[kBytesWritten]);
      const id = nextId();
      const pieces = key === 'writev' ? piecesOf(args) : 0;
      const status = numberOf(ret);
      const isTaken =
        ret !== 0 ||
        state[kLastWriteWasAsync] === 0 ||
        !atCompletion(args[0] as object, 'oncomplete', ([end]) => tell('sent', handle, id, bytes, numberOf(end), pieces));
      tell('queued', handle, id, bytes, pieces, isTaken);
      if (isTaken) tell('sent', handle, id, bytes, status, pieces);
      return ret;
    };
  const readStart: Run = (original, handle, args) => {
    meet(handle);
    hearReads(handle);
    return reflectApply(original, handle, args);
  };
  const shutdown: Run = (original, handle, args) => {
    tell('shutdown', handle);
    return reflectApply(original, handle, args);
  };
  const close: Run = (original, handle, args) => {
    tell('closed', handle);
    reading.delete(handle);
    parsers.forget(handle);
    return reflectApply(original, handle, args);
  };

  /** A connection of a server; its parser, if it has one, reads it in C++. */
  function onConnection(message: unknown): void {
    const socket = ownValue(message, 'socket');
    const handle = handleOf(socket);
    if (handle === undefined) return;
    meet(handle);
    parsers.hear(socket, handle);
    tell('accept', handleOf(ownValue(socket, 'server')), handle);
  }
  function onRequest(message: unknown): void {
    const socket = ownValue(message, 'socket');
    const handle = handleOf(socket);
    if (handle !== undefined) parsers.hear(socket, handle);
  }
  /** Connections and servers that were there before. */
  function meetPresent(): void {
    for (const socket of activeHandles?.call(process) ?? []) {
      const handle = handleOf(socket);
      if (handle === undefined || kindOf(handle) === undefined) continue;
      seen.set(handle, true);
      hearReads(handle);
      parsers.hear(socket, handle);
    }
  }

  subscribe(CONNECTION, onConnection);
  subscribe(REQUEST, onRequest);
  const { tcp, pipe, stream, handle: every, tls } = classes;
  const undos: Undo[] = [
    stopReads,
    () => parsers.stop(),
    () => unsubscribe(CONNECTION, onConnection),
    () => unsubscribe(REQUEST, onRequest),
    ...['connect', 'connect6'].map((key) => replace(tcp, key, connect)),
    replace(pipe, 'connect', connect),
    ...['bind', 'bind6'].map((key) => replace(tcp, key, bind)),
    replace(pipe, 'bind', bind),
    replace(tcp, 'listen', listen),
    replace(pipe, 'listen', listen),
    replace(tcp, 'reset', close),
    replace(every, 'close', close),
    ...[stream, tls].flatMap((holder) => [
      ...WRITES.map((key) => replace(holder, key, write(key))),
      replace(holder, 'readStart', readStart),
      replace(holder, 'shutdown', shutdown),
    ]),
  ];
  meetPresent();
  return undoAll(undos);
});

/** How many buffers writev() is given: texts stand with their encodings. */
function piecesOf([, chunks, areBuffers]: readonly unknown[]): number {
  const length = numberOf(ownValue(chunks, 'length'));
  return areBuffers === true ? length : length / 2;
}

function addressText(address: unknown, port: unknown): string {
  if (typeof address !== 'string') return '';
  if (typeof port !== 'number') return address;
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
