import { TraceError } from '../../base/errno.js';
import { processMachine } from '../machines/process-machine.js';
import type { AddressRange } from '../process/address-range.js';
import type { ProcessMemory } from '../process/process-memory.js';

/** Code begins at a multiple of so many bytes: a cache line. */
const ALIGNMENT = 64;
const { reach: REACH } = processMachine;

/** Executable memory of the traced process. What is written there stays: a signal may have interrupted a thread in it. */
export class CodeArea {
  readonly range: AddressRange;
  readonly #memory: ProcessMemory;
  #end: number;

  /** @param header what it begins with */
  constructor(memory: ProcessMemory, range: AddressRange, header: Uint8Array) {
    this.#memory = memory;
    this.range = range;
    memory.write(range.start, header);
    this.#end = range.start + header.length;
  }

  /** Whether a call or jump at an address reaches all of it. */
  reaches(address: number): boolean {
    return Math.abs(address - this.range.start) < REACH && Math.abs(address - this.range.end) < REACH;
  }

  /**
   * Writes what `build` makes for an address.
   * @throws TraceError ENOMEM when the area is full
   */
  put<T>(build: (address: number) => { readonly bytes: Uint8Array; readonly result: T }): T {
    const address = Math.ceil(this.#end / ALIGNMENT) * ALIGNMENT;
    const { bytes, result } = build(address);
    const end = address + bytes.length;
    if (end > this.range.end) throw new TraceError('ENOMEM', 'the memory for code near a text is full');
    this.#memory.write(address, bytes);
    this.#end = end;
    return result;
  }
}
