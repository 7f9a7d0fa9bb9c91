import os from 'node:os';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';
import { reflectApply } from '../../realm/primordials.js';
import { type Undo, undoAll } from '../../realm/undo.js';
import { replaceExports } from '../builtin-methods.js';
import type { SyscallName } from './syscall-table.js';
import { numberOf, ownValue } from './values.js';

type Args = readonly unknown[];

/** A function of `process` or `os` that is one system call. */
interface ProcessCall {
  readonly syscall: SyscallName;
  /** The arguments of that call, in the order of its event's fields; undefined: the function makes none. */
  readonly values: (args: Args, result: unknown) => readonly unknown[] | undefined;
  /** What the call returned, as the system would: 0 if it is not said. */
  readonly ret?: (result: unknown) => number;
}

const PRIO_PROCESS = 0;
const RUSAGE_SELF = 0;
const RUSAGE_THREAD = 1;
/** What setresuid() and setresgid() leave as it is. */
const UNCHANGED = 0xffffffff;
/** What getpriority() returns for a nice value of 0. */
const NICE_ZERO = 20;
const OCTAL = 8;
/** A system call without arguments. */
const none = (): readonly unknown[] => [];

const getter = (syscall: SyscallName): ProcessCall => ({ syscall, values: none, ret: numberOf });
/** A function that takes an id. Of one that is a name, only the system's library knows the number. */
const setter = (syscall: SyscallName, values: (id: number) => readonly unknown[]): ProcessCall => ({
  syscall,
  values: ([id]) => (typeof id === 'number' ? values(id) : undefined),
});
const usage = (who: number): ProcessCall => ({ syscall: 'getrusage', values: () => [who] });

const OF_PROCESS: Readonly<Record<string, ProcessCall>> = {
  getuid: getter('getuid'),
  geteuid: getter('geteuid'),
  getgid: getter('getgid'),
  getegid: getter('getegid'),
  setuid: setter('setuid', (id) => [id]),
  setgid: setter('setgid', (id) => [id]),
  seteuid: setter('setresuid', (id) => [UNCHANGED, id, UNCHANGED]),
  setegid: setter('setresgid', (id) => [UNCHANGED, id, UNCHANGED]),
  setgroups: { syscall: 'setgroups', values: ([groups]) => [numberOf(ownValue(groups, 'length'))] },
  cpuUsage: usage(RUSAGE_SELF),
  resourceUsage: usage(RUSAGE_SELF),
  threadCpuUsage: usage(RUSAGE_THREAD),
};

const OF_OS: Readonly<Record<string, ProcessCall>> = {
  getPriority: {
    syscall: 'getpriority',
    values: ([pid = 0]) => [PRIO_PROCESS, pid],
    ret: (nice) => NICE_ZERO - numberOf(nice),
  },
  setPriority: {
    syscall: 'setpriority',
    values: ([pid, nice]) => (nice === undefined ? [PRIO_PROCESS, 0, pid] : [PRIO_PROCESS, pid, nice]),
  },
};

/** Hears of system calls that functions of `process` and `os` make. */
export interface ProcessCallListener {
  /** A call has begun. Returns its number. */
  enter(name: SyscallName, values: readonly unknown[]): number;
  exit(name: SyscallName, req: number, ret: number): void;
}

/** The number of the error that such a function throws, negative; undefined if it is Node that refuses something. */
function errnoOf(error: unknown): number | undefined {
  const errno = ownValue(error, 'errno') ?? ownValue(ownValue(error, 'info'), 'errno');
  return typeof errno === 'number' && errno !== 0 ? -Math.abs(errno) : undefined;
}

/**
 * Listens to the functions of `process` and `os` that are system calls. One of chdir(), which may take long, is told when it
 * begins, all others when they have ended: a function that has refused its arguments has made no call.
 */
export function listenToProcessCalls({ enter, exit }: ProcessCallListener): Undo {
  const around =
    (calls: Readonly<Record<string, ProcessCall>>) => (original: (this: unknown, ...args: unknown[]) => unknown, key: string) => {
      const { syscall, values, ret = () => 0 } = calls[key]!;
      const told = (args: Args, result: unknown, end: number): void => {
        const given = values(args, result);
        if (given !== undefined) exit(syscall, enter(syscall, given), end);
      };
      return {
        [key](this: unknown, ...args: unknown[]): unknown {
          let result: unknown;
          try {
            result = reflectApply(original, this, args);
          } catch (error) {
            const errno = errnoOf(error);
            if (errno !== undefined) told(args, undefined, errno);
            throw error;
          }
          told(args, result, ret(result));
          return result;
        },
      }[key]!;
    };
  const changeFolder = (original: (this: unknown, ...args: unknown[]) => unknown) =>
    ({
      chdir(this: unknown, ...args: unknown[]): unknown {
        const folder = args[0];
        const req = isMainThread && typeof folder === 'string' ? enter('chdir', [folder]) : undefined;
        let ret = 0;
        try {
          return reflectApply(original, this, args);
        } catch (error) {
          ret = errnoOf(error) ?? 0;
          throw error;
        } finally {
          if (req !== undefined) exit('chdir', req, ret);
        }
      },
    }).chdir;
  const changeMask = (original: (this: unknown, ...args: unknown[]) => unknown) =>
    ({
      umask(this: unknown, ...args: unknown[]): unknown {
        const result = reflectApply(original, this, args);
        const mask = args[0];
        // To know the mask, Node sets another, and sets it back.
        const masks = mask === undefined ? [0, result] : [typeof mask === 'string' ? Number.parseInt(mask, OCTAL) : mask];
        for (let i = 0; i < masks.length; i++) exit('umask', enter('umask', [masks[i]]), i === 0 ? numberOf(result) : 0);
        return result;
      },
    }).umask;
  return undoAll([
    replaceExports([process], Object.keys(OF_PROCESS), around(OF_PROCESS)),
    replaceExports([process], ['chdir'], changeFolder),
    replaceExports([process], ['umask'], changeMask),
    replaceExports([os], Object.keys(OF_OS), around(OF_OS)),
  ]);
}
