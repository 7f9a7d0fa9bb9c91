import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A file with a part of what one cpu of a process recorded: whole sub-buffers, named `PID.cpuN.SEGMENT`. */
export interface SegmentFile {
  readonly path: string;
  readonly pid: number;
  readonly cpu: number;
  /** Grows by one with each segment of the cpu. */
  readonly segment: number;
}

const NAME = /^(\d+)\.cpu(\d+)\.(\d+)$/;
/** Digits of a segment's number, so that names sort as the segments do. */
const DIGITS = 6;

export const segmentPath = (folder: string, pid: number, cpu: number, segment: number): string =>
  join(folder, `${pid}.cpu${cpu}.${String(segment).padStart(DIGITS, '0')}`);

/** The segments in the folder of a recording, each cpu's in their order. */
export const segmentFiles = (folder: string): readonly SegmentFile[] => segmentFilesIn(folder, readdirSync(folder));

/** The segments among the names of a folder's files. */
export function segmentFilesIn(folder: string, names: readonly string[]): readonly SegmentFile[] {
  return names
    .flatMap((name) => {
      const [, pid, cpu, segment] = NAME.exec(name) ?? [];
      return segment === undefined
        ? []
        : [{ path: join(folder, name), pid: Number(pid), cpu: Number(cpu), segment: Number(segment) }];
    })
    .sort((a, b) => a.pid - b.pid || a.cpu - b.cpu || a.segment - b.segment);
}

/** The present state of a segment. */
export interface SegmentState extends SegmentFile {
  readonly bytes: number;
  /** When it was last written to, in nanoseconds. */
  readonly written: bigint;
}

/** The segments with their sizes, sorted by the time of the last write. */
export function segmentStates(folder: string): readonly SegmentState[] {
  return segmentFiles(folder)
    .flatMap((file) => {
      // Another process may have removed it in the meantime.
      const stat = statSync(file.path, { bigint: true, throwIfNoEntry: false });
      return stat === undefined ? [] : [{ ...file, bytes: Number(stat.size), written: stat.mtimeNs }];
    })
    .sort((a, b) => (a.written < b.written ? -1 : a.written > b.written ? 1 : a.segment - b.segment));
}
