import { join } from 'node:path';

/** A part of a process's recording, besides its segments: the file `PID.PART` in the recording's folder. */
export type Part =
  /** The command line, as /proc has it. */
  | 'command'
  /** The name of its trace clock. */
  | 'clock'
  /** The functions, as kallsyms has them. */
  | 'symbols'
  /** Where they are defined, as kallsyms_places has it. */
  | 'places'
  /** The format files of the events. */
  | 'events'
  /** The names of its tasks. */
  | 'comms'
  /** Events, lost events and bytes until now, in JSON. */
  | 'progress'
  /** Recording goes on, and the process can be asked for its last pages (LastPages). */
  | 'open'
  /** The process was asked for its last pages. */
  | 'asked'
  /** The process ended before all of its buffers were read. */
  | 'cut'
  | ReturnType<typeof statsOf>;

/** The part with a cpu's statistics, as per_cpu/cpuN/stats has them. */
export const statsOf = (cpu: number) => `cpu${cpu}.stats` as const;

/** The name of a part's file. */
export const partName = (pid: number, part: Part): string => `${pid}.${part}`;

/** The path of a part's file. */
export const partPath = (folder: string, pid: number, part: Part): string => join(folder, partName(pid, part));

const SLOT = '.process';

/** The name of the file that has the pid of the recording's process number `slot`. */
export const slotName = (slot: number): string => `${slot}${SLOT}`;

/** The numbers of the processes whose files are among these names, the first one first. */
export const slotsIn = (names: readonly string[]): readonly number[] =>
  names
    .filter((name) => name.endsWith(SLOT))
    .map((name) => Number.parseInt(name, 10))
    .sort((a, b) => a - b);
