import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A row of what a process has counted. */
export interface CountedRow {
  /** `SYSTEM:EVENT`, with ` if FILTER` behind it where there is one; or a word of set_ftrace_filter. */
  readonly name: string;
  readonly count: number;
}

/** What a process of `fentry stat -- COMMAND` writes into `PID.counts`. */
export interface ProcessCounts {
  readonly pid: number;
  /** The process has run its last code, and counts nothing more. */
  readonly isLast: boolean;
  readonly events: readonly CountedRow[];
  /** The calls of functions. Words that match none are left out. */
  readonly functions: readonly CountedRow[];
}

const SUFFIX = '.counts';

/** The name of a process's file. */
export const countsFile = (pid: number): string => `${pid}${SUFFIX}`;

/** What the processes have written into the folder so far. */
export const countsIn = (folder: string): readonly ProcessCounts[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as ProcessCounts);
