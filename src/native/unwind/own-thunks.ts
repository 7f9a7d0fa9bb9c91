import { attempt } from '../../base/attempt.js';
import { unwindTable } from '../code/unwind-table.js';
import { HEADER_BYTES, parseHeader } from '../control/code-header.js';
import { CallFrames, type FrameRow } from '../dwarf/call-frame.js';
import type { NativeMachine } from '../elf/elf-file.js';
import { searchOf } from '../elf/frame-search.js';
import { MACHINES } from '../machines/machines.js';
import { type AddressRange, bytesIn, isWithin } from '../process/address-range.js';
import { ROOM_BYTES } from '../process/near-room.js';
import { isExecutable, type MappedRange } from '../process/process-maps.js';

/** Code memory begins at a multiple of so many bytes from where a mapping begins. */
const STEP = Math.min(...ROOM_BYTES);

/**
 * The memory of fentry's own code in a process whose native functions are traced: a call that function_graph follows returns
 * there, and a table says where it goes on from there.
 */
export class OwnThunks {
  readonly #areas: readonly { readonly code: AddressRange; readonly frames: CallFrames }[];

  constructor(machine: NativeMachine, ranges: readonly MappedRange[], read: (address: number, length: number) => Buffer) {
    const anonymous = ranges.filter((range) => isExecutable(range) && range.path === '');
    const starts = anonymous.flatMap(({ start, end }) =>
      Array.from({ length: Math.ceil((end - start) / STEP) }, (_, i) => start + i * STEP),
    );
    this.#areas = starts.flatMap((at) => {
      const header = attempt(() => parseHeader(read(at, HEADER_BYTES), at));
      if (header === undefined || !header.isKnown) return [];
      const { code, data } = header;
      const table = unwindTable({ machine: MACHINES[machine], arena: data.start, start: code.start, bytes: bytesIn(code) });
      return [{ code, frames: new CallFrames(searchOf(Buffer.from(table), 0)) }];
    });
  }

  has(address: number): boolean {
    return this.#areas.some(({ code }) => isWithin(address, [code]));
  }

  row(address: number): FrameRow | undefined {
    return this.#areas.find(({ code }) => isWithin(address, [code]))?.frames.row(address);
  }
}
