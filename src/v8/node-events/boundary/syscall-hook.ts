import { replaceMethod } from '../../realm/lookalike.js';
import { reflectApply } from '../../realm/primordials.js';
import { type Undo, undoAll } from '../../realm/undo.js';
import { CallsInFlight } from './calls-in-flight.js';
import { FS_VIA, type FsRequest, listenToFs } from './fs-hook.js';
import { nativeBinding } from './native-binding.js';
import { nextId } from './object-ids.js';
import { listenToProcessCalls } from './process-calls.js';
import { sharedHook } from './shared-hook.js';
import { endpointText, endsOf, fdOf } from './stream-handle.js';
import { listenToStreams } from './stream-hook.js';
import { SYSCALLS, type SyscallName } from './syscall-table.js';
import { numberOf, ownValue } from './values.js';

/** Hears of each system call that Node's library asks for. Must not throw. */
export interface SyscallListener {
  /**
   * @param values in the order of the event's fields
   * @param place EventCall.place
   */
  enter(name: SyscallName, nr: number, req: number, values: readonly unknown[], place: number): void;
  /** @param ret of the call, or its error as a negative number */
  exit(name: SyscallName, nr: number, req: number, ret: number, place: number): void;
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** What libuv asks for at each read of a stream. */
const READ_BYTES = 65536;
const SHUT_WR = 1;
const UV_EOF = -4095;

/** Listens to the calls of files, sockets, pipes, and processes. */
export const listenToSyscalls = sharedHook<SyscallListener>((listeners) => {
  const inFlight = new CallsInFlight();
  /** @param isWaited the thread does nothing else until the call is over */
  function enter(name: SyscallName, req: number, values: readonly unknown[], isWaited = true): void {
    const place = isWaited ? 0 : inFlight.begin(req);
    for (let i = 0; i < listeners.length; i++) listeners[i]!.enter(name, SYSCALLS[name].nr, req, values, place);
  }
  function exit(name: SyscallName, req: number, ret: number): void {
    const place = inFlight.end(req);
    for (let i = 0; i < listeners.length; i++) listeners[i]!.exit(name, SYSCALLS[name].nr, req, ret, place);
  }
  function both(name: SyscallName, values: readonly unknown[], ret: number): void {
    const req = nextId();
    enter(name, req, values);
    exit(name, req, ret);
  }

  const nameOf = ({ call, args }: FsRequest): SyscallName =>
    (typeof call.syscall === 'string' ? call.syscall : call.syscall(args)) as SyscallName;
  const files = listenToFs({
    enter: (request) => enter(nameOf(request), request.id, request.call.values(request.args), request.via === FS_VIA.sync),
    exit: (request, ret) => exit(nameOf(request), request.id, ret),
  });

  const streams = listenToStreams({
    bind: (handle, address, ret) => both('bind', [fdOf(handle), address], ret),
    listen: (handle, backlog, ret) => both('listen', [fdOf(handle), backlog], ret),
    connecting: (handle, id, address) => enter('connect', id, [fdOf(handle), address], false),
    connected: (_handle, id, status) => exit('connect', id, status),
    accept: (server, handle) =>
      both('accept4', [server === undefined ? -1 : fdOf(server), endpointText(endsOf(handle).peer)], fdOf(handle)),
    queued: (handle, id, bytes, pieces, isTaken) =>
      enter(pieces > 0 ? 'writev' : 'write', id, [fdOf(handle), pieces > 0 ? pieces : bytes], isTaken),
    sent: (_handle, id, bytes, status, pieces) => exit(pieces > 0 ? 'writev' : 'write', id, status < 0 ? status : bytes),
    read: (handle, bytes) => both('read', [fdOf(handle), READ_BYTES], bytes === UV_EOF ? 0 : bytes),
    shutdown: (handle) => both('shutdown', [fdOf(handle), SHUT_WR], 0),
    closed: (handle) => both('close', [fdOf(handle)], 0),
  });

  /** Calls `run` around a method that starts or signals a process. */
  const around = (
    holder: unknown,
    key: string,
    name: SyscallName,
    values: (args: unknown[], self: unknown) => unknown[],
  ): Undo =>
    typeof holder !== 'object' || holder === null
      ? () => {}
      : replaceMethod<Method>(
          holder,
          key,
          (original) =>
            ({
              [key](this: unknown, ...args: unknown[]): unknown {
                const req = nextId();
                enter(name, req, values(args, this));
                const result = reflectApply(original, this, args);
                // A number, or what spawnSync() makes its result of.
                exit(name, req, numberOf(typeof result === 'object' ? ownValue(result, 'error') : result));
                return result;
              },
            })[key]!,
        );
  const processes = ownValue(nativeBinding('process_wrap')?.Process, 'prototype');
  // Node 24 passes the file and the arguments themselves.
  const spawned = ([first, second]: unknown[]): unknown[] =>
    typeof first === 'string' ? [first, commandLine(second)] : [ownValue(first, 'file'), commandLine(ownValue(first, 'args'))];
  const told = listenToProcessCalls({
    enter(name, values) {
      const req = nextId();
      enter(name, req, values);
      return req;
    },
    exit,
  });
  return undoAll([
    () => inFlight.clear(),
    told,
    files,
    streams,
    around(processes, 'spawn', 'execve', spawned),
    around(nativeBinding('spawn_sync'), 'spawn', 'execve', spawned),
    around(processes, 'kill', 'kill', ([signal], self) => [numberOf((self as { readonly pid?: unknown }).pid), signal]),
    around(process, '_kill', 'kill', ([pid, signal]) => [pid, signal]),
  ]);
});

/** The most arguments of a command that a record shows. */
const MOST_ARGUMENTS = 64;

/** A command's arguments as one text. */
function commandLine(args: unknown): string {
  const count = Math.min(numberOf(ownValue(args, 'length')), MOST_ARGUMENTS);
  let text = '';
  for (let i = 0; i < count; i++) {
    const one = ownValue(args, i);
    text += `${i === 0 ? '' : ' '}${typeof one === 'string' ? one : '?'}`;
  }
  return text;
}
