import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { SegmentFile } from '../recording/segment-files.js';
import { DEFAULT_SUBBUF_BYTES } from '../ring-buffer/index.js';

/** A place in what a thread has recorded. */
export interface SegmentPosition {
  readonly segment: number;
  /** Bytes of the segment before it: whole sub-buffers. */
  readonly offset: number;
}

/** A piece of a segment. */
export interface SegmentPiece {
  readonly file: SegmentFile;
  readonly from: number;
  readonly to: number;
  /** Whether segments before it are missing: they were removed, as the space was full. */
  readonly isBehindGap: boolean;
}

const wholePages = (bytes: number): number => bytes - (bytes % DEFAULT_SUBBUF_BYTES);

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Where a thread's records end now, at most so many bytes behind a position. */
export function endOf(files: readonly SegmentFile[], from: SegmentPosition, most: number): SegmentPosition {
  let left = wholePages(most);
  let end = from;
  for (const file of files) {
    if (file.segment < from.segment || left <= 0) continue;
    const start = file.segment === from.segment ? from.offset : 0;
    const size = Math.max(start, wholePages(sizeOf(file.path)));
    const taken = Math.min(size - start, left);
    left -= taken;
    end = { segment: file.segment, offset: start + taken };
    if (start + taken < size) break;
  }
  return end;
}

/** The pieces between two places. */
export function piecesOf(files: readonly SegmentFile[], from: SegmentPosition, to: SegmentPosition): readonly SegmentPiece[] {
  const pieces: SegmentPiece[] = [];
  let next = from.segment;
  for (const file of files) {
    if (file.segment < from.segment || file.segment > to.segment) continue;
    const start = file.segment === from.segment ? from.offset : 0;
    const end = file.segment === to.segment ? to.offset : wholePages(sizeOf(file.path));
    if (end > start || file.segment > next) pieces.push({ file, from: start, to: end, isBehindGap: file.segment > next });
    next = file.segment + 1;
  }
  return pieces;
}

/** The bytes of a piece; fewer if the segment was removed meanwhile. */
export function readPiece({ file, from, to }: SegmentPiece): Uint8Array {
  const bytes = new Uint8Array(to - from);
  let fd: number;
  try {
    fd = openSync(file.path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return bytes.subarray(0, 0);
    throw error;
  }
  try {
    let done = 0;
    for (let read = -1; done < bytes.length && read !== 0; done += read) {
      read = readSync(fd, bytes, done, bytes.length - done, from + done);
    }
    return bytes.subarray(0, wholePages(done));
  } finally {
    closeSync(fd);
  }
}
