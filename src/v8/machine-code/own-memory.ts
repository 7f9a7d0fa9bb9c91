import { closeSync, openSync, readFileSync, readSync, writeSync } from '../../base/untraced-fs.js';
import { MEMORY, mayWriteMemory } from './may-write-memory.js';

/** Why machine code cannot be placed, in words. */
export class PlacingRefused extends Error {}

/** A part of the process's memory. */
export interface MemoryRange {
  readonly from: number;
  readonly to: number;
}

/** A range as /proc/self/maps has it. */
export interface Mapping extends MemoryRange {
  /** Whether it may be run. */
  readonly isCode: boolean;
  /** The number of the file that it was mapped from; 0: of none. */
  readonly inode: number;
  readonly name: string;
}

const MAPS = '/proc/self/maps';

/** All mappings of the process. */
export const mappings = (): Mapping[] =>
  readFileSync(MAPS, 'latin1')
    .split('\n')
    .flatMap((line) => {
      const [range = '', modes = '', , , inode, name = ''] = line.split(/\s+/);
      const [from = 0, to = 0] = range.split('-').map((hex) => Number.parseInt(hex, 16));
      return to > 0 ? [{ from, to, isCode: modes[2] === 'x', inode: Number(inode), name }] : [];
    });

/** The parts of `ranges` that were in none of those before. */
export const added = (ranges: readonly MemoryRange[], before: readonly MemoryRange[]): MemoryRange[] =>
  before.reduce<MemoryRange[]>(
    (left, { from, to }) =>
      left.flatMap((range) =>
        [
          { from: range.from, to: Math.min(range.to, from) },
          { from: Math.max(range.from, to), to: range.to },
        ].filter((part) => part.from < part.to),
      ),
    [...ranges],
  );

/** The memory of the process as its kernel shows it: code, too, can be read and written. */
export class OwnMemory {
  readonly #fd: number;

  /** @throws PlacingRefused */
  constructor() {
    if (!mayWriteMemory()) throw new PlacingRefused(`the permission model forbids to write ${MEMORY}`);
    try {
      this.#fd = openSync(MEMORY, 'r+');
    } catch (error) {
      throw new PlacingRefused(`${MEMORY} cannot be written: ${(error as Error).message}`);
    }
  }

  /** What can be read of a range. */
  read({ from, to }: MemoryRange): Buffer {
    const bytes = Buffer.alloc(to - from);
    return bytes.subarray(0, readSync(this.#fd, bytes, 0, bytes.length, from));
  }

  /** Writes code, and sees that it is there. @throws PlacingRefused */
  write(code: Uint8Array, address: number): void {
    try {
      writeSync(this.#fd, code, 0, code.length, address);
    } catch (error) {
      throw new PlacingRefused(`${MEMORY} cannot be written where code is: ${(error as Error).message}`);
    }
    const isThere = this.read({ from: address, to: address + code.length }).equals(code);
    if (!isThere) throw new PlacingRefused('what was written into memory is not there');
  }

  close(): void {
    closeSync(this.#fd);
  }
}
