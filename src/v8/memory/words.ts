import { closeSync, openSync, readSync } from 'node:fs';
import { addressOf } from '../../base/address.js';

const PAGE = 4096;
/** The most pages that are read at once. */
const MOST = 4096;
const NOTHING = Buffer.alloc(0);

/** Memory as it was when it was copied. */
export interface CopiedMemory {
  /** The address of the first byte. */
  readonly from: number;
  readonly bytes: Buffer;
}

/** The memory of a process that is read, piece by piece, while a thread of it sleeps. Each page is read once. */
export class Words {
  readonly #fd: number;
  readonly #pages = new Map<number, Buffer>();
  readonly #copy: CopiedMemory | undefined;

  /**
   * @param copy what is read of it in place of the process's memory
   * @throws Error as openSync, if the system does not let this process in
   */
  constructor(pid: number, copy?: CopiedMemory) {
    this.#fd = openSync(`/proc/${pid}/mem`, 'r');
    this.#copy = copy;
  }

  /** @throws Error if not all of it is mapped */
  bytes(address: number, length: number): Buffer {
    const { from: start, bytes: copied } = this.#copy ?? { from: 0, bytes: NOTHING };
    const offset = address - start;
    if (offset >= 0 && offset + length <= copied.length) return copied.subarray(offset, offset + length);
    const first = Math.floor(address / PAGE);
    const last = Math.floor((address + length - 1) / PAGE);
    if (last - first >= MOST) throw new RangeError('too much at once');
    const from = address - first * PAGE;
    if (first === last) return this.#page(first).subarray(from, from + length);
    const pages: Buffer[] = [];
    for (let page = first; page <= last; page++) pages.push(this.#page(page));
    return Buffer.concat(pages).subarray(from, from + length);
  }

  /** The 64 bits there, as an address. */
  word(address: number): number {
    const bytes = this.bytes(address, 8);
    return addressOf(bytes.readUInt32LE(4), bytes.readUInt32LE(0));
  }

  int32(address: number): number {
    return this.bytes(address, 4).readInt32LE();
  }

  uint16(address: number): number {
    return this.bytes(address, 2).readUInt16LE();
  }

  close(): void {
    closeSync(this.#fd);
  }

  #page(number: number): Buffer {
    const known = this.#pages.get(number);
    if (known !== undefined) return known;
    const page = Buffer.allocUnsafe(PAGE);
    const read = readSync(this.#fd, page, 0, PAGE, number * PAGE);
    if (read < PAGE) throw new Error('not mapped');
    this.#pages.set(number, page);
    return page;
  }
}
