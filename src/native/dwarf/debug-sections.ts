import type { ElfFile } from '../elf/elf-file.js';
import { debugSection } from './debug-section.js';
import { DwarfReader } from './dwarf-reader.js';
import type { TextSection } from './forms.js';

/** The sections for debuggers of an object, each uncompressed when it is first read. */
export class DebugSections {
  readonly elf: ElfFile;
  readonly #read = new Map<string, Buffer | undefined>();

  constructor(elf: ElfFile) {
    this.elf = elf;
  }

  /** Undefined: the object has none of that name. @throws TraceError as debugSection() */
  find(name: string): Buffer | undefined {
    if (!this.#read.has(name)) this.#read.set(name, debugSection(this.elf, name));
    return this.#read.get(name);
  }

  /** A reader of a section, from an offset on. One that is not there has no bytes. */
  reader(name: string, at: number): DwarfReader {
    return new DwarfReader(this.find(name) ?? Buffer.alloc(0), at);
  }

  text(section: TextSection, offset: number): string {
    return this.reader(section, offset).text();
  }
}
