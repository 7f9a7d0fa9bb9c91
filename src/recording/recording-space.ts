import { renameSync, statfsSync, unlinkSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { processExists } from '../base/socket-directory.js';
import { type SegmentState, segmentStates } from './segment-files.js';

/** Bytes of events that a recording keeps unless it is told otherwise: some 30 million events. */
export const DEFAULT_RECORDING_BYTES = 2 ** 30;

/** How much of a recording is kept, in bytes of sub-buffers. */
export interface RecordingLimits {
  /** Of all processes together; undefined: as much as there is room for. */
  readonly bytes?: number | undefined;
  /** Of each cpu of each process. */
  readonly cpuBytes?: number | undefined;
}

/** Why events were thrown away. */
export const DROP_REASONS = ['size', 'disk'] as const;
export type DropReason = (typeof DROP_REASONS)[number];

const SUBBUF = 4096;
/** A recording is kept in at least so many pieces: what is thrown away at a time is one of them. */
const PIECES = 32;
const CPU_PIECES = 8;
const MOST_SEGMENT = 32 * 2 ** 20;
/** What is left free on the disk for others: this part of it, and at most so many bytes. */
const FREE_PART = 50;
const MOST_FREE = 64 * 2 ** 20;

/** Errors of a disk that has no room. */
const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

const wholePages = (bytes: number): number => Math.max(SUBBUF, Math.floor(bytes / SUBBUF) * SUBBUF);

/**
 * The room that a recording may take in its folder. Every process of the recording watches over all of it: whoever begins a new
 * segment throws the oldest ones away, so that the newest events stay, as with `trace-cmd record -m`.
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

  /** Throws away what a new segment of a cpu has no room beside. */
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

  /** Writes all the bytes to a file. Throws what writeSync does; where the disk is full, only when no older segment can go. */
  write(fd: number, bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += this.whereFull(() => writeSync(fd, bytes, done));
  }

  /** Writes a file of this name anew; a reader sees the old text or the new one, never a part. */
  replaceFile(name: string, text: string): void {
    const path = join(this.#folder, name);
    this.whereFull(() => writeFileSync(`${path}.new`, text, { mode: 0o600 }));
    renameSync(`${path}.new`, path);
  }

  /** Runs what writes to the disk, again without the oldest segment as often as it finds no room. */
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

  /** Bytes that segments may have in all: beside them there must be room for the recording that is made of them. */
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
      // Another process was faster.
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

/** Whether nobody writes to a segment any more. */
function isFinished({ pid, cpu, segment }: SegmentState, all: readonly SegmentState[]): boolean {
  return all.some((one) => one.pid === pid && one.cpu === cpu && one.segment > segment) || !processExists(pid);
}
