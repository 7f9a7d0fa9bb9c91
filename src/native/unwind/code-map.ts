import { attempt } from '../../base/attempt.js';
import { lastAtOrBefore } from '../../base/last-at-or-before.js';
import { ElfFile, openElf } from '../elf/elf-file.js';
import { isExecutable, type MappedRange } from '../process/process-maps.js';
import { CodeObject } from './code-object.js';

const DELETED = / \(deleted\)$/;
/** The object that the system puts into every process. */
const SYSTEM = '[vdso]';

/** A place in the code of an object. */
export interface ObjectPlace {
  readonly object: CodeObject;
  /** The address as the object's file has it. */
  readonly address: number;
}

/** The code that a process has mapped. Files are opened when an address in them is asked for. */
export class CodeMap {
  readonly #pid: number;
  readonly #read: (address: number, length: number) => Buffer;
  readonly #ranges: readonly MappedRange[];
  readonly #starts: readonly number[];
  readonly #objects = new Map<string, CodeObject | undefined>();

  /** @param read reads memory of the process; throws where it is not mapped */
  constructor(pid: number, ranges: readonly MappedRange[], read: (address: number, length: number) => Buffer) {
    this.#pid = pid;
    this.#read = read;
    // The addresses of the kernel's half are below 0.
    this.#ranges = ranges.filter(isExecutable).sort((a, b) => a.start - b.start);
    this.#starts = this.#ranges.map(({ start }) => start);
  }

  isCode(address: number): boolean {
    return this.#rangeOf(address) !== undefined;
  }

  /** The object whose code is at an address; undefined: none, as for what a program has compiled itself. */
  at(address: number): ObjectPlace | undefined {
    const range = this.#rangeOf(address);
    const object = range && this.#objectOf(range);
    const place = object?.addressOfByte(address - range!.start + range!.offset);
    return place === undefined ? undefined : { object: object!, address: place };
  }

  /** Opens what is mapped, so that nothing is left to be read when a thread stands still. */
  prepare(): void {
    for (const range of this.#ranges) this.#objectOf(range)?.prepare();
  }

  #rangeOf(address: number): MappedRange | undefined {
    const range = this.#ranges[lastAtOrBefore(this.#starts, address)];
    return range !== undefined && address < range.end ? range : undefined;
  }

  #objectOf(range: MappedRange): CodeObject | undefined {
    const isSystem = range.path === SYSTEM;
    if (!isSystem && !range.path.startsWith('/')) return undefined;
    const key = isSystem ? SYSTEM : range.file;
    if (!this.#objects.has(key))
      this.#objects.set(
        key,
        attempt(() => new CodeObject(range.path, isSystem ? this.#system(range) : this.#file(range))),
      );
    return this.#objects.get(key);
  }

  #system({ start, end, path }: MappedRange): ElfFile {
    return new ElfFile(this.#read(start, end - start), path);
  }

  #file({ start, end, path }: MappedRange): ElfFile {
    const hex = (address: number): string => address.toString(16);
    const mapped = `/proc/${this.#pid}/map_files/${hex(start)}-${hex(end)}`;
    return openElf(DELETED.test(path) ? mapped : `/proc/${this.#pid}/root${path}`, path);
  }
}
