import { renameSync, statfsSync, unlinkSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { processExists } from '../base/socket-directory.js';
import { type SegmentState, segmentStates } from './segment-files.js';

/** The default size of a recording, in bytes of events: some 30 million events. */
export const DEFAULT_RECORDING_BYTES = 2 ** 30;

/** How much of a recording is kept, in bytes of sub-buffers. */
export interface RecordingLimits {
  /** Bytes of all processes together; undefined: as much as fits on the disk. */
  readonly bytes?: number | undefined;
  /** Bytes of each cpu of each process. */
  readonly cpuBytes?: number | undefined;
}

/** Why events were thrown away. */
export const DROP_REASONS = ['size', 'disk'] as const;
export type DropReason = (typeof DROP_REASONS)[number];

const SUBBUF = 4096;
/** A recording has at least so many segments; one segment is thrown away at a time. */
const PIECES = 32;
const CPU_PIECES = 8;
const MOST_SEGMENT = 32 * 2 ** 20;
/** The space on the disk that stays free for others: this part of the disk, and at most so many bytes. */
const FREE_PART = 50;
const MOST_FREE = 64 * 2 ** 20;

/** Errors of a full disk. */
const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

const wholePages = (bytes: number): number => Math.max(SUBBUF, Math.floor(bytes / SUBBUF) * SUBBUF);

/**
 * The space that a recording may use in its folder. Every process of the recording checks all of it: a process that begins a
 * new segment removes the oldest ones, so that the newest events stay, as with `trace-cmd record -m`.
 */
export class RecordingSpace {
  readonly #folder: string;
  readonly #limits: RecordingLimits;
  /** Bytes of a segment, whole sub-buffers. */
  readonly segmentBytes: number;

  constructor(folder: string, limits: RecordingLimits) {
    this.#folder = folder;
    this.#limits = limits;
    const { bytes = Number.POSITIVE_INFINITY, cpuBytes = Number.POSITIVE_INFINITY } = limits;
    const most = Math.min(bytes, this.#roomOnDisk([]));
    this.segmentBytes = wholePages(Math.min(most / PIECES, cpuBytes / CPU_PIECES, MOST_SEGMENT));
  }

  /** Removes the oldest segments until a new segment of a cpu fits. */
  makeRoom(pid: number, cpu: number): void {
    const states = segmentStates(this.#folder);
    const { bytes, cpuBytes } = this.#limits;
    const disk = this.#roomOnDisk(states);
    this.#trim(states, Math.min(bytes ?? disk, disk), bytes === undefined || disk < bytes ? 'disk' : 'size');
    if (cpuBytes === undefined) return;
    this.#trim(
      states.filter((one) => one.pid === pid && one.cpu === cpu),
      cpuBytes,
      'size',
    );
  }

  /** Writes all the bytes to a file. Throws the errors of writeSync; for a full disk only if no older segment can be removed. */
  write(fd: number, bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += this.whereFull(() => writeSync(fd, bytes, done));
  }

  /** Replaces a file; a reader sees the old text or the new one, never a part. */
  replaceFile(name: string, text: string): void {
    const path = join(this.#folder, name);
    this.whereFull(() => writeFileSync(`${path}.new`, text, { mode: 0o600 }));
    renameSync(`${path}.new`, path);
  }

  /** Runs a function that writes to the disk; while the disk is full, removes the oldest segment and runs it again. */
  whereFull<T>(work: () => T): T {
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!FULL.has((error as NodeJS.ErrnoException).code) || !this.#dropOldest()) throw error;
      }
    }
  }

  #dropOldest(): boolean {
    const states = segmentStates(this.#folder);
    const oldest = states.find((one) => isFinished(one, states));
    return oldest !== undefined && this.#drop(oldest, 'disk');
  }

  /** How many bytes the segments may have in all: the recording that is made from them must fit beside them. */
  #roomOnDisk(states: readonly SegmentState[]): number {
    try {
      const { bavail, blocks, bsize } = statfsSync(this.#folder);
      const spare = Math.min(MOST_FREE, (blocks * bsize) / FREE_PART);
      return Math.max(0, (bavail * bsize + bytesOf(states) - spare) / 2);
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  }

  #trim(states: readonly SegmentState[], most: number, reason: DropReason): void {
    let bytes = bytesOf(states);
    for (const state of states) {
      if (bytes + this.segmentBytes <= most) return;
      if (isFinished(state, states) && this.#drop(state, reason)) bytes -= state.bytes;
    }
  }

  #drop(state: SegmentState, reason: DropReason): boolean {
    try {
      unlinkSync(state.path);
    } catch (error) {
      // Another process has removed it.
      return (error as NodeJS.ErrnoException).code === 'ENOENT';
    }
    try {
      writeFileSync(join(this.#folder, `dropped.${reason}`), '', { mode: 0o600 });
    } catch {
      // The disk is full.
    }
    return true;
  }
}

const bytesOf = (states: readonly SegmentState[]): number => states.reduce((sum, { bytes }) => sum + bytes, 0);

/** Whether a segment is complete: its process has begun another one, or has ended. */
function isFinished({ pid, cpu, segment }: SegmentState, all: readonly SegmentState[]): boolean {
  return all.some((one) => one.pid === pid && one.cpu === cpu && one.segment > segment) || !processExists(pid);
}
