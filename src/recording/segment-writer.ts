import { closeSync, fstatSync, openSync } from 'node:fs';
import type { RecordingSpace } from './recording-space.js';
import { segmentFiles, segmentPath } from './segment-files.js';

/** Writes what one cpu of a process records, in segments. */
export class SegmentWriter {
  readonly #folder: string;
  readonly #space: RecordingSpace;
  readonly #pid: number;
  readonly #cpu: number;
  #fd: number | undefined;
  #segment: number;
  /** Bytes in the segment. */
  #size = 0;
  #bytes = 0;

  constructor(folder: string, space: RecordingSpace, pid: number, cpu: number) {
    this.#folder = folder;
    this.#space = space;
    this.#pid = pid;
    this.#cpu = cpu;
    // An earlier process with the same id may have left some.
    this.#segment = segmentFiles(folder).findLast((one) => one.pid === pid && one.cpu === cpu)?.segment ?? -1;
  }

  /** The total of bytes that were written. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Writes whole sub-buffers. Throws the errors of writeSync; for a full disk only if nothing older can be removed. */
  write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      const fd = this.#open();
      const piece = bytes.subarray(done, done + this.#space.segmentBytes - this.#size);
      this.#space.write(fd, piece);
      this.#size += piece.length;
      this.#bytes += piece.length;
      done += piece.length;
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #open(): number {
    if (this.#fd !== undefined && this.#size < this.#space.segmentBytes && fstatSync(this.#fd).nlink > 0) return this.#fd;
    this.close();
    this.#space.makeRoom(this.#pid, this.#cpu);
    this.#segment++;
    this.#size = 0;
    this.#fd = openSync(segmentPath(this.#folder, this.#pid, this.#cpu, this.#segment), 'ax', 0o600);
    return this.#fd;
  }
}
