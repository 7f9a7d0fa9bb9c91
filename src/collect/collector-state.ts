import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { SegmentPosition } from './spool-position.js';
import type { ThreadCallsData } from './thread-calls.js';

/** Files of lines that the collector itself writes into its space, a line for each row or for rows of one moment. */
export const LINE_FILES = ['turns', 'histograms'] as const;
export type LineFile = (typeof LINE_FILES)[number];

/** How far a process was read. */
export interface ProcessPosition {
  /** By threads. */
  readonly cpus: Readonly<Record<string, SegmentPosition>>;
  /** Bytes of each file of lines. */
  readonly lines: Readonly<Partial<Record<LineFile, number>>>;
  /** Records that were lost until then because a buffer was full, as the process counts them. */
  readonly lost: number;
}

/** What is stored of a process: all that is before the position. */
export interface ProcessState extends ProcessPosition {
  readonly pid: number;
  readonly open: Readonly<Record<string, ThreadCallsData>>;
  /** Whether the tasks of its records are async contexts, if that is known. */
  readonly hasContexts?: boolean;
  /** Records that were read, and those that pages say were lost before them. */
  readonly records: number;
  readonly missed: number;
  /** All of it was read, and its process has ended. */
  readonly isOver: boolean;
}

/** What a collector must know to go on where another one was killed. */
export interface CollectorState {
  readonly version: 1;
  /** Names its batches: unique. */
  readonly run: string;
  /** The number of the next batch. */
  readonly batch: number;
  /** Microseconds from the clock of the records to the time of day. */
  readonly clock: number;
  /** By the numbers of processes in the recording. */
  readonly processes: Readonly<Record<string, ProcessState>>;
  /** Up to where the next batch goes: decided before it is stored, so that it is the same if it is stored again. */
  readonly pending?: Readonly<Record<string, ProcessPosition>>;
}

const FILE = 'state.json';

/** Reads the state; undefined if there is none yet. */
export function readState(folder: string): CollectorState | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as CollectorState;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces the state: after a crash, the old one is there or the new one. */
export function writeState(folder: string, state: CollectorState): void {
  const path = join(folder, FILE);
  const fd = openSync(`${path}.new`, 'w', 0o600);
  try {
    const bytes = Buffer.from(JSON.stringify(state));
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(`${path}.new`, path);
}
