import { TraceError } from '../../base/errno.js';
import type { FileOpener, OpenFlags } from '../tracefs/node.js';

/** The unchecked fields of a message: each is checked before it is used. */
export type Arguments = Readonly<Record<string, unknown>>;

export function stringArgument(args: Arguments, name: string): string {
  const value = args[name];
  if (typeof value !== 'string') throw new TraceError('EINVAL', `${name} is not a string`);
  return value;
}

/** A whole number from 0 to `most`. */
export function numberArgument(args: Arguments, name: string, most = Number.MAX_SAFE_INTEGER): number {
  const value = args[name];
  if (!Number.isSafeInteger(value) || (value as number) < 0 || (value as number) > most) {
    throw new TraceError('EINVAL', `${name} is not a number from 0 to ${most}`);
  }
  return value as number;
}

/** A switch; one that is absent is undefined. */
export function switchArgument(args: Arguments, name: string): boolean | undefined {
  const value = args[name];
  if (value !== undefined && typeof value !== 'boolean') throw new TraceError('EINVAL', `${name} is neither true nor false`);
  return value;
}

export function flagsArgument(args: Arguments): OpenFlags {
  const flags = args['flags'];
  if (typeof flags !== 'object' || flags === null) throw new TraceError('EINVAL', 'flags are missing');
  const flag = (name: keyof OpenFlags): boolean => switchArgument(flags as Arguments, name) ?? false;
  return {
    read: flag('read'),
    write: flag('write'),
    truncate: flag('truncate'),
    append: flag('append'),
    nonblock: flag('nonblock'),
    exclusive: flag('exclusive'),
  };
}

/** The task that the client says it asks for; one that says nothing is task 0, `<...>`. */
export function callerArgument(args: Arguments): FileOpener {
  const { pid, comm } = args;
  return {
    pid: Number.isSafeInteger(pid) && (pid as number) > 0 ? (pid as number) : 0,
    comm: typeof comm === 'string' && comm !== '' ? comm.slice(0, 15) : '<...>',
  };
}
