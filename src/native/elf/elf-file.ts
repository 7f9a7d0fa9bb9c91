import { addressOf } from '../../base/address.js';
import { TraceError } from '../../base/errno.js';
import { downToPage } from '../../base/page.js';
import { ELF_ABIS, machineOfNumber, type NativeMachine } from '../machines/elf-abis.js';
import { type Bytes, FileBytes } from './file-bytes.js';

/**
 * An object file: what of ELF (64 bits, little endian) the finding of functions and sites needs. Addresses are those of the
 * file, as numbers of `base/address.ts`: those of a process differ by the object's bias.
 */

export type { NativeMachine };

/** e_type: what an object is. */
const TYPES = { 1: 'relocatable', 2: 'executable', 3: 'shared', 4: 'core' } as const;

/** sh_type and sh_flags of sections. */
export const SECTION = { symtab: 2, rela: 4, note: 7, nobits: 8, dynsym: 11, relr: 19 } as const;
export const SECTION_FLAG = { write: 1, alloc: 2, execute: 4 } as const;
/** p_type and p_flags of segments. */
export const SEGMENT = { load: 1, interpreter: 3, note: 4 } as const;
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

const HEADER_BYTES = 64;

export class ElfFile {
  /** The file's path, for messages. */
  readonly file: string;
  readonly machine: NativeMachine;
  readonly type: (typeof TYPES)[keyof typeof TYPES];
  /** Where the program begins (e_entry); 0: nowhere. */
  readonly entry: number;
  readonly sections: readonly ElfSection[];
  readonly segments: readonly ElfSegment[];
  readonly #source: Bytes;

  /**
   * @param source all of it, or what reads parts of it
   * @throws TraceError ENOEXEC for anything but an object of a machine that fentry knows; EIO when it cannot be read
   */
  constructor(source: Bytes, file: string) {
    this.file = file;
    this.#source = source;
    const bytes = source.subarray(0, HEADER_BYTES);
    if (bytes.length < HEADER_BYTES || bytes.readUInt32BE(0) !== 0x7f454c46) {
      throw new TraceError('ENOEXEC', `${file} is no ELF file`);
    }
    const machine = machineOfNumber(bytes.readUInt16LE(18));
    const type = TYPES[bytes.readUInt16LE(16) as keyof typeof TYPES];
    if (bytes[4] !== 2 || bytes[5] !== 1 || machine === undefined || type === undefined) {
      throw new TraceError(
        'ENOEXEC',
        `${file} is an object of a machine that fentry does not know: it knows ${Object.keys(ELF_ABIS).join(' and ')}`,
      );
    }
    this.machine = machine;
    this.type = type;
    this.entry = wordAt(bytes, 24);
    this.segments = checked(file, () => this.#segments(bytes));
    this.sections = checked(file, () => this.#sections(bytes));
  }

  /** All of the file. */
  get bytes(): Buffer {
    return this.#source.subarray(0, this.#source.length);
  }

  /** What tells the file from others, and from itself after a change; undefined: it is not read from a file. */
  get identity(): string | undefined {
    return this.#source instanceof FileBytes ? this.#source.identity : undefined;
  }

  #segments(head: Buffer): ElfSegment[] {
    const [start, size, count] = [wordAt(head, 32), head.readUInt16LE(54), head.readUInt16LE(56)];
    const bytes = this.#source.subarray(start, start + count * size);
    return Array.from({ length: count }, (_, i) => {
      const header = i * size;
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

  #sections(head: Buffer): ElfSection[] {
    const source = this.#source;
    const [start, size] = [wordAt(head, 40), head.readUInt16LE(58)];
    // An object with more than 0xff00 sections has their count in the first one's header.
    const count = start === 0 ? 0 : head.readUInt16LE(60) || wordAt(source.subarray(start, start + size), 32);
    if (count * size > source.length) throw new RangeError();
    const bytes = source.subarray(start, start + count * size);
    const headers = Array.from({ length: count }, (_, i) => i * size);
    const sections = headers.map((header) => ({
      nameAt: bytes.readUInt32LE(header),
      type: bytes.readUInt32LE(header + 4),
      flags: wordAt(bytes, header + 8),
      address: wordAt(bytes, header + 16),
      offset: wordAt(bytes, header + 24),
      size: wordAt(bytes, header + 32),
      link: bytes.readUInt32LE(header + 40),
    }));
    const named = sections[head.readUInt16LE(62)];
    const names = named === undefined ? Buffer.alloc(0) : source.subarray(named.offset, named.offset + named.size);
    return sections.map(({ nameAt, ...section }) => ({ name: stringAt(names, nameAt), ...section }));
  }

  section(name: string): ElfSection | undefined {
    return this.sections.find((section) => section.name === name);
  }

  sectionsOfType(type: number): readonly ElfSection[] {
    return this.sections.filter((section) => section.type === type);
  }

  /** The bytes of a section; none for one that the file does not hold. */
  contents({ type, offset, size }: ElfSection): Buffer {
    return type === SECTION.nobits ? Buffer.alloc(0) : this.#source.subarray(offset, offset + size);
  }

  /** So many bytes from an address on, or fewer at the end of what is loaded there from the file; undefined: nothing is. */
  at(address: number, length: number): Buffer | undefined {
    const segment = this.segments.find(
      (one) => one.type === SEGMENT.load && address >= one.address && address < one.address + one.fileSize,
    );
    if (segment === undefined) return undefined;
    const { offset, fileSize } = segment;
    const from = offset + (address - segment.address);
    return this.#source.subarray(from, Math.min(from + length, offset + fileSize));
  }

  /** The first address that is loaded, and the one after the last. */
  get span(): readonly [from: number, to: number] {
    const loaded = this.segments.filter(({ type }) => type === SEGMENT.load);
    if (loaded.length === 0) throw new TraceError('ENOEXEC', `${this.file} has nothing to load`);
    const from = Math.min(...loaded.map(({ address }) => address));
    return [downToPage(from), Math.max(...loaded.map(({ address, memorySize }) => address + memorySize))];
  }
}

/**
 * An object of which only the parts are read that are asked for. @param file what messages call it @throws as ElfFile, and as
 * statSync
 */
export const openElf = (path: string, file = path): ElfFile => new ElfFile(new FileBytes(path), file);
