import childProcess, { ChildProcess } from 'node:child_process';
import { types } from 'node:util';
import type { ThreadContexts } from '../async/thread-contexts.js';
import { replaceMethod } from '../realm/lookalike.js';
import {
  getOwnPropertyDescriptor,
  getPrototypeOf,
  lastIndexOf,
  reflectApply,
  SafeMap,
  SafeWeakMap,
  slice,
} from '../realm/primordials.js';
import { type Undo, undoAll } from '../realm/undo.js';
import { sharedHook } from './boundary/shared-hook.js';
import { replaceExports } from './builtin-methods.js';
import type { SourceThread } from './node-event-system.js';

/** A child process of the program. */
export interface Child {
  readonly pid: number;
  /** The program that it executes, as it was named. */
  readonly file: string;
  /** The name that the kernel gives it: the file's name without its folder. */
  readonly comm: string;
}

/** Hears of child processes. What it is told of may have been earlier: then `eventTime` says when. */
export interface ChildListener {
  forked?(child: Child): void;
  /** The thread waits for a child, or Node asks for the status of one that ended. @param pid 0: of whichever ends */
  waits?(pid: number): void;
  exited?(child: Child): void;
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** After the contexts themselves. */
const LEVEL = 2;
type Listen = (listener: ChildListener) => Undo;

const SYNC = ['spawnSync', 'execFileSync', 'execSync'] as const;

const { isProxy } = types;

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');
const ownValue = (object: unknown, key: string): unknown =>
  typeof object === 'object' && object !== null && !isProxy(object) ? getOwnPropertyDescriptor(object, key)?.value : undefined;
const childOf = (pid: number, file: string): Child => ({ pid, file, comm: slice(file, lastIndexOf(file, '/') + 1) });

/** The file that spawnSync() executes with such arguments. */
function executed(args: readonly unknown[]): string {
  const shell = ownValue(args[args.length - 1], 'shell');
  return shell === true ? '/bin/sh' : asText(shell) || asText(args[0]);
}

/** The async id of the handle of a child that was started. */
function handleId(child: unknown): number | undefined {
  const handle = ownValue(child, '_handle');
  if (typeof handle !== 'object' || handle === null) return undefined;
  for (let holder: object | null = handle; holder !== null; holder = getPrototypeOf(holder) as object | null) {
    const method: unknown = getOwnPropertyDescriptor(holder, 'getAsyncId')?.value;
    if (typeof method === 'function') return reflectApply(method, handle, []) as number;
  }
  return undefined;
}

/**
 * Child processes: those of spawn(), exec(), execFile(), fork() and cluster from their start to their end, those of spawnSync()
 * when they have ended, of execSync() and execFileSync() only that the thread waits, because Node does not tell their pid.
 */
const watchChildren = ({ clock, contexts, eventTime }: SourceThread): Listen =>
  sharedHook<ChildListener>((listeners) => {
    const forEach = (tell: (listener: ChildListener) => void): void => {
      for (let i = 0; i < listeners.length; i++) tell(listeners[i]!);
    };
    const running = new SafeMap<number, Child>();
    const started = (self: unknown, options: unknown): void => {
      const id = handleId(self);
      const pid = ownValue(self, 'pid');
      if (id === undefined || typeof pid !== 'number') return;
      const child = childOf(pid, asText(ownValue(options, 'file')));
      running.set(id, child);
      forEach((one) => one.forked?.(child));
    };
    const ended = (id: number): void => {
      const child = running.get(id);
      if (child === undefined) return;
      running.delete(id);
      forEach((one) => one.exited?.(child));
      forEach((one) => one.waits?.(child.pid));
    };
    const waited = (from: number, result: unknown, args: readonly unknown[]): void => {
      const pid = ownValue(result, 'pid');
      const child = typeof pid === 'number' && pid > 0 ? childOf(pid, executed(args)) : undefined;
      eventTime.at = from;
      if (child !== undefined) forEach((one) => one.forked?.(child));
      forEach((one) => one.waits?.(child?.pid ?? 0));
      eventTime.at = 0;
      if (child !== undefined) forEach((one) => one.exited?.(child));
    };
    return undoAll([
      contexts.listen({ level: LEVEL, running: ended }),
      replaceMethod<Method>(
        ChildProcess.prototype,
        'spawn',
        (original) =>
          ({
            spawn(this: unknown, ...args: unknown[]): unknown {
              const result = reflectApply(original, this, args);
              tried(() => started(this, args[0]));
              return result;
            },
          }).spawn,
      ),
      replaceExports(
        [childProcess],
        SYNC,
        (original) =>
          ({
            sync(this: unknown, ...args: unknown[]): unknown {
              const from = clock();
              let result: unknown;
              try {
                result = reflectApply(original, this, args);
                return result;
              } finally {
                tried(() => waited(from, result, args));
              }
            },
          }).sync,
      ),
    ]);
  });

function tried(work: () => void): void {
  try {
    work();
  } catch {
    // The stack is full, or memory is short: nothing is recorded.
  }
}

const byContexts = new SafeWeakMap<ThreadContexts, Listen>();

/** Hears of the program's child processes from now on, until what it returns is called. */
export function listenToChildren(thread: SourceThread, listener: ChildListener): Undo {
  let listen = byContexts.get(thread.contexts);
  if (listen === undefined) {
    listen = watchChildren(thread);
    byContexts.set(thread.contexts, listen);
  }
  return listen(listener);
}
