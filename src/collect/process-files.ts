import { existsSync, readFileSync, statSync, truncateSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { processExists } from '../base/socket-directory.js';
import { type Part, partPath } from '../recording/part-files.js';
import type { SegmentFile } from '../recording/segment-files.js';
import { LINE_FILES, type LineFile, type ProcessPosition, type ProcessState } from './collector-state.js';
import { endOf, piecesOf, type SegmentPiece, type SegmentPosition } from './spool-position.js';

/** Where a thread's records begin. */
const START: SegmentPosition = { segment: 0, offset: 0 };
/** A file of lines that was read is emptied when it is so large. */
const EMPTY_LINES = 1 << 16;
/** Milliseconds in which a process that begins to record has said so. */
const BEGINNING = 5000;

/** What a process counts of its records. */
export interface RecordCounts {
  /** Taken out of its buffers. */
  readonly events: number;
  /** Found no room there, or were written over. */
  readonly lost: number;
}

/** The file of lines of a process. */
export const linesPath = (folder: string, pid: number, file: LineFile): string => join(folder, `${pid}.${file}`);

/** The files that a process's records are in, and those that the collector has of it. */
export class ProcessFiles {
  readonly #folder: string;
  readonly #pid: number;

  constructor(folder: string, pid: number) {
    this.#folder = folder;
    this.#pid = pid;
  }

  /** Whether more may come: it runs, and has not ended its recording. */
  get isRecorded(): boolean {
    if (!processExists(this.#pid)) return false;
    const { mtimeMs = Number.POSITIVE_INFINITY } = statSync(this.#part('command'), { throwIfNoEntry: false }) ?? {};
    return Date.now() - mtimeMs < BEGINNING || existsSync(this.#part('open')) || existsSync(this.#part('asked'));
  }

  /** What it has counted until now, or some time ago if it was killed. */
  get counts(): RecordCounts {
    try {
      return JSON.parse(readFileSync(this.#part('progress'), 'utf8')) as RecordCounts;
    } catch {
      // It was never written.
      return { events: 0, lost: 0 };
    }
  }

  /**
   * Up to where it can be read now, at most so many bytes.
   * @param all its segments
   */
  next(known: ProcessState | undefined, all: readonly SegmentFile[], most: number): ProcessPosition & { readonly bytes: number } {
    const cpus: Record<string, SegmentPosition> = {};
    const lines: Partial<Record<LineFile, number>> = {};
    let bytes = 0;
    for (const [cpu, files] of this.#threads(all)) {
      const from = known?.cpus[cpu] ?? START;
      const end = endOf(files, from, most - bytes);
      bytes += bytesOf(piecesOf(files, from, end));
      cpus[cpu] = end;
    }
    for (const file of LINE_FILES) {
      lines[file] = this.linesSize(file);
      bytes += lines[file] - (known?.lines[file] ?? 0);
    }
    return { cpus, lines, bytes, lost: Math.max(this.counts.lost, known?.lost ?? 0) };
  }

  /** The pieces of each thread between what is known and a position. */
  pieces(known: ProcessState | undefined, to: ProcessPosition, all: readonly SegmentFile[]) {
    const threads = this.#threads(all);
    return Object.entries(to.cpus).map(([cpu, end]): readonly [cpu: number, pieces: readonly SegmentPiece[]] => {
      return [Number(cpu), piecesOf(threads.get(Number(cpu)) ?? [], known?.cpus[cpu] ?? START, end)];
    });
  }

  /** Whether nothing is behind a position. */
  isAll({ cpus }: Pick<ProcessPosition, 'cpus'>, all: readonly SegmentFile[]): boolean {
    return Array.from(this.#threads(all)).every(([cpu, files]) => {
      const from = cpus[cpu] ?? START;
      return bytesOf(piecesOf(files, from, endOf(files, from, Number.MAX_SAFE_INTEGER))) === 0;
    });
  }

  linesSize(file: LineFile): number {
    return statSync(linesPath(this.#folder, this.#pid, file), { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Removes segments that were read whole, and empties files of lines that were. */
  removeRead({ cpus, lines, isOver }: ProcessState, all: readonly SegmentFile[]): void {
    for (const file of all) {
      const end = cpus[file.cpu] ?? START;
      if (file.segment < end.segment || (isOver && file.segment === end.segment)) removeQuietly(file.path);
    }
    for (const file of LINE_FILES) {
      const read = lines[file] ?? 0;
      if (read >= EMPTY_LINES && this.linesSize(file) === read) truncateSync(linesPath(this.#folder, this.#pid, file));
    }
  }

  #part(part: Part): string {
    return partPath(this.#folder, this.#pid, part);
  }

  /** The segments of each thread. */
  #threads(all: readonly SegmentFile[]): ReadonlyMap<number, readonly SegmentFile[]> {
    const threads = new Map<number, SegmentFile[]>();
    for (const file of all) {
      const files = threads.get(file.cpu) ?? [];
      files.push(file);
      threads.set(file.cpu, files);
    }
    return threads;
  }
}

const bytesOf = (pieces: readonly SegmentPiece[]): number => pieces.reduce((sum, { from, to }) => sum + to - from, 0);

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    // The process has removed it itself.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
