import { addressOf } from '../../../base/address.js';
import { TraceError } from '../../../base/errno.js';

/**
 * An object file: what of ELF (64 bits, little endian) the finding of functions and sites needs. Addresses are those of the
 * file, as numbers of `base/address.ts`: those of a process differ by the object's bias.
 */

/** The machines whose text fentry knows, by e_machine. */
const MACHINES = { 62: 'x86-64', 183: 'arm64' } as const;
export type NativeMachine = (typeof MACHINES)[keyof typeof MACHINES];

/** e_type: what an object is. */
const TYPES = { 1: 'relocatable', 2: 'executable', 3: 'shared', 4: 'core' } as const;

/** sh_type and sh_flags of sections. */
export const SECTION = { symtab: 2, rela: 4, note: 7, nobits: 8, dynsym: 11, relr: 19 } as const;
export const SECTION_FLAG = { alloc: 2, execute: 4 } as const;
/** p_type and p_flags of segments. */
export const SEGMENT = { load: 1, note: 4 } as const;
export const SEGMENT_FLAG = { execute: 1 } as const;

export interface ElfSection {
  readonly name: string;
  readonly type: number;
  readonly flags: number;
  readonly address: number;
  /** Where its bytes are in the file. */
  readonly offset: number;
  readonly size: number;
  /** The number of the section that this one refers to: a symbol table's strings, the symbols of relocations. */
  readonly link: number;
}

export interface ElfSegment {
  readonly type: number;
  readonly flags: number;
  readonly offset: number;
  readonly address: number;
  readonly fileSize: number;
  readonly memorySize: number;
}

/** The 64 bits at an offset, as an address. */
export const wordAt = (bytes: Buffer, at: number): number => addressOf(bytes.readUInt32LE(at + 4), bytes.readUInt32LE(at));

/** The text at an offset that a 0 ends. */
export function stringAt(bytes: Buffer, at: number): string {
  const end = bytes.indexOf(0, at);
  return bytes.toString('latin1', at, end < 0 ? bytes.length : end);
}

/** What offsets and counts of a broken file cannot be made to do: read what is not there. */
function checked<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw new TraceError('ENOEXEC', `${file}: the headers point out of the file`);
    throw error;
  }
}

export class ElfFile {
  /** Its path, for messages. */
  readonly file: string;
  readonly bytes: Buffer;
  readonly machine: NativeMachine;
  readonly type: (typeof TYPES)[keyof typeof TYPES];
  readonly sections: readonly ElfSection[];
  readonly segments: readonly ElfSegment[];

  /** Throws ENOEXEC for anything but an object of a machine that fentry knows. */
  constructor(bytes: Buffer, file: string) {
    this.file = file;
    this.bytes = bytes;
    if (bytes.length < 64 || bytes.readUInt32BE(0) !== 0x7f454c46) throw new TraceError('ENOEXEC', `${file} is no ELF file`);
    const machine = MACHINES[bytes.readUInt16LE(18) as keyof typeof MACHINES];
    const type = TYPES[bytes.readUInt16LE(16) as keyof typeof TYPES];
    if (bytes[4] !== 2 || bytes[5] !== 1 || machine === undefined || type === undefined) {
      throw new TraceError('ENOEXEC', `${file} is an object of a machine that fentry does not know: it knows x86-64 and arm64`);
    }
    this.machine = machine;
    this.type = type;
    this.segments = checked(file, () => this.#segments());
    this.sections = checked(file, () => this.#sections());
  }

  #segments(): ElfSegment[] {
    const { bytes } = this;
    const [at, size, count] = [wordAt(bytes, 32), bytes.readUInt16LE(54), bytes.readUInt16LE(56)];
    return Array.from({ length: count }, (_, i) => {
      const header = at + i * size;
      return {
        type: bytes.readUInt32LE(header),
        flags: bytes.readUInt32LE(header + 4),
        offset: wordAt(bytes, header + 8),
        address: wordAt(bytes, header + 16),
        fileSize: wordAt(bytes, header + 32),
        memorySize: wordAt(bytes, header + 40),
      };
    });
  }

  #sections(): ElfSection[] {
    const { bytes } = this;
    const [at, size] = [wordAt(bytes, 40), bytes.readUInt16LE(58)];
    // An object with more than 0xff00 sections has their count in the first one's header.
    const count = at === 0 ? 0 : bytes.readUInt16LE(60) || wordAt(bytes, at + 32);
    if (count * size > bytes.length) throw new RangeError();
    const headers = Array.from({ length: count }, (_, i) => at + i * size);
    const named = bytes.readUInt16LE(62);
    const names = headers[named] === undefined ? 0 : wordAt(bytes, headers[named] + 24);
    return headers.map((header) => ({
      name: stringAt(bytes, names + bytes.readUInt32LE(header)),
      type: bytes.readUInt32LE(header + 4),
      flags: wordAt(bytes, header + 8),
      address: wordAt(bytes, header + 16),
      offset: wordAt(bytes, header + 24),
      size: wordAt(bytes, header + 32),
      link: bytes.readUInt32LE(header + 40),
    }));
  }

  section(name: string): ElfSection | undefined {
    return this.sections.find((section) => section.name === name);
  }

  sectionsOfType(type: number): readonly ElfSection[] {
    return this.sections.filter((section) => section.type === type);
  }

  /** The bytes of a section; none for one that the file does not hold. */
  contents({ type, offset, size }: ElfSection): Buffer {
    return type === SECTION.nobits ? Buffer.alloc(0) : this.bytes.subarray(offset, offset + size);
  }

  /** The bytes from an address to the end of what is loaded there from the file; undefined: nothing is. */
  at(address: number): Buffer | undefined {
    const segment = this.segments.find(
      (one) => one.type === SEGMENT.load && address >= one.address && address < one.address + one.fileSize,
    );
    if (segment === undefined) return undefined;
    const { offset, fileSize } = segment;
    return this.bytes.subarray(offset + (address - segment.address), offset + fileSize);
  }

  /** The first address that is loaded, and the one after the last. */
  get span(): readonly [from: number, to: number] {
    const loaded = this.segments.filter(({ type }) => type === SEGMENT.load);
    if (loaded.length === 0) throw new TraceError('ENOEXEC', `${this.file} has nothing to load`);
    const from = Math.min(...loaded.map(({ address }) => address));
    return [from - (((from % 4096) + 4096) % 4096), Math.max(...loaded.map(({ address, memorySize }) => address + memorySize))];
  }
}
