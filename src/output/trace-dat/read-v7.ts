import type { EventFormat } from '../../events/define.js';
import { ByteReader } from './byte-reader.js';
import { type Decompress, decompressor } from './compression.js';
import { OPTION, SECTION, SECTION_FLAG_COMPRESSED, SECTION_HEADER_SIZE, SECTION_TITLES, type SectionName } from './format.js';
import type { InFile } from './in-file.js';
import { readCmdlines, readFormats, readHeaders, readSized32, readSystems } from './read-tables.js';
import { checkSubbufBytes } from './subbuf-size.js';
import type { CpuExtent, RecordedBuffer, TraceDatTables } from './trace-dat-file.js';

/** More CPUs than any machine has: a larger number is an error in the file. */
const MAX_CPUS = 65536;

/** The BUFFER option: a buffer and where its flyrecord section begins. CPUs without data are filled in. */
function readBufferOption(reader: ByteReader): Omit<RecordedBuffer, 'decompress'> & { readonly offset: number } {
  const offset = reader.size('the place of the section');
  const name = reader.cstring("the buffer's name");
  const clock = reader.cstring("the buffer's clock");
  const subbufBytes = checkSubbufBytes(reader);
  const count = reader.u32('the number of CPUs');
  const found: CpuExtent[] = [];
  for (let i = 0; i < count; i++) {
    const cpu = reader.u32('the number of a CPU');
    if (cpu >= MAX_CPUS) reader.fail(`${cpu} is no number of a CPU`, reader.position - 4);
    found.push({ cpu, offset: reader.size("the place of a CPU's events"), size: reader.size("the size of a CPU's events") });
  }
  const cpus: CpuExtent[] = [];
  for (const extent of found) {
    while (cpus.length <= extent.cpu) cpus.push({ cpu: cpus.length, offset: 0, size: 0 });
    cpus[extent.cpu] = extent;
  }
  return { offset, name, clock, subbufBytes, cpus };
}

/** Tables are not longer, in bytes: what claims to be is no table. */
const FARTHEST_SECTION = 2 ** 32;

interface Section {
  readonly compressed: boolean;
  /** The offset of what follows the header. */
  readonly offset: number;
  readonly size: number;
}

/** Reads the tables of a version 7 file; `start` is after the size of a long. */
export function readVersion7(file: InFile, start: ByteReader): TraceDatTables {
  checkSubbufBytes(start);
  const at = start.position;
  const name = start.cstring('the name of the compression');
  start.cstring('the version of the compression');
  let decompress: Decompress | undefined;
  try {
    decompress = decompressor(name);
  } catch (error) {
    start.fail((error as Error).message, at);
  }
  const options = start.size('the place of the options');
  return new Version7(file, decompress, start.position).read(options);
}

class Version7 {
  readonly #file: InFile;
  readonly #decompress: Decompress | undefined;

  readonly #first: number;

  /** @param first where the first section begins */
  constructor(file: InFile, decompress: Decompress | undefined, first: number) {
    this.#file = file;
    this.#decompress = decompress;
    this.#first = first;
  }

  read(optionsOffset: number): TraceDatTables {
    const options = this.#options(optionsOffset);
    const table = <T>(name: SectionName, read: (reader: ByteReader) => T, missing: T): T => {
      const [place] = options.get(SECTION[name]) ?? [];
      if (place === undefined) return missing;
      if (place.length < 8)
        throw this.#file.error(undefined, `the option for ${SECTION_TITLES[name]} has ${place.length} bytes, not 8`);
      const offset = Number(place.readBigUInt64LE());
      return read(this.#content(name, offset));
    };
    const none: EventFormat[] = [];
    return {
      version: 7,
      headerPage: table('HEADERS', readHeaders, ''),
      formats: [...table('FTRACE_EVENTS', readFormats, none), ...table('EVENT_FORMATS', readSystems, none)],
      kallsyms: table('KALLSYMS', (reader) => readSized32(reader, 'kallsyms'), Buffer.alloc(0)),
      printkFormats: table('PRINTK', (reader) => readSized32(reader, 'the printk formats').toString('utf8'), ''),
      places: () => this.#places(),
      cmdlines: table('CMDLINES', readCmdlines, new Map<number, string>()),
      options,
      buffers: this.#buffers(options),
      warnings: [],
    };
  }

  /** The section of places, which stands before that of options; a file of another tool has none. */
  #places(): string {
    const last = Math.min(this.#file.size, this.#first + FARTHEST_SECTION);
    for (let offset = this.#first; offset + SECTION_HEADER_SIZE <= last; ) {
      const header = this.#file.read(offset, SECTION_HEADER_SIZE, 'the header of a section');
      const id = header.readUInt16LE(0);
      const size = Number(header.readBigUInt64LE(8));
      if (id === SECTION.OPTIONS || id === SECTION.FLYRECORD || size > this.#file.size - offset - SECTION_HEADER_SIZE) return '';
      if (id === SECTION.PLACES) return this.#file.read(offset + SECTION_HEADER_SIZE, size, 'the places').toString('utf8');
      offset += SECTION_HEADER_SIZE + size;
    }
    return '';
  }

  /** The chain of options sections. */
  #options(first: number): Map<number, Buffer[]> {
    const options = new Map<number, Buffer[]>();
    const seen = new Set<number>();
    for (let offset = first; offset !== 0; ) {
      if (seen.has(offset)) throw this.#file.error(offset, 'the options sections lead back to this one');
      seen.add(offset);
      if (offset >= this.#file.size) {
        throw this.#file.error(
          offset,
          `expected options here, but the file ends at ${this.#file.size}: it was cut before the table that says where the events are`,
        );
      }
      offset = this.#optionsSection(this.#content('OPTIONS', offset), options);
    }
    return options;
  }

  #optionsSection(reader: ByteReader, options: Map<number, Buffer[]>): number {
    while (reader.left > 0) {
      const id = reader.u16('the id of an option');
      const data = reader.bytes(reader.u32('the size of an option'), `option ${id}`);
      if (id === OPTION.DONE) return data.length >= 8 ? Number(data.readBigUInt64LE()) : 0;
      const list = options.get(id);
      if (list === undefined) options.set(id, [data]);
      else list.push(data);
    }
    return 0;
  }

  #section(name: SectionName, offset: number): Section {
    const header = this.#file.read(offset, SECTION_HEADER_SIZE, `the header of section "${SECTION_TITLES[name]}"`);
    const id = header.readUInt16LE(0);
    if (id !== SECTION[name]) {
      throw this.#file.error(offset, `expected section ${SECTION[name]} ("${SECTION_TITLES[name]}"), found section ${id}`);
    }
    const compressed = (header.readUInt16LE(2) & SECTION_FLAG_COMPRESSED) !== 0;
    if (compressed && this.#decompress === undefined) {
      throw this.#file.error(offset, 'a compressed section in a file whose header says that nothing is compressed');
    }
    return { compressed, offset: offset + SECTION_HEADER_SIZE, size: Number(header.readBigUInt64LE(8)) };
  }

  #content(name: SectionName, offset: number): ByteReader {
    const section = this.#section(name, offset);
    const stored = this.#file.read(section.offset, section.size, `section "${SECTION_TITLES[name]}"`);
    if (!section.compressed) return new ByteReader(stored, (at, problem) => this.#file.error(section.offset + at, problem));
    const reader = new ByteReader(stored, (at, problem) => this.#file.error(section.offset + at, problem));
    const packed = reader.u32('the compressed size');
    const plain = reader.u32('the plain size');
    const bytes = reader.bytes(packed, 'a compressed section');
    try {
      const content = this.#decompress!(bytes, plain);
      const inside = `section "${SECTION_TITLES[name]}", byte`;
      return new ByteReader(content, (at, problem) => this.#file.error(section.offset, `${inside} ${at}: ${problem}`));
    } catch (error) {
      throw this.#file.error(
        section.offset,
        `section "${SECTION_TITLES[name]}" cannot be decompressed: ${(error as Error).message}`,
      );
    }
  }

  #buffers(options: ReadonlyMap<number, readonly Buffer[]>): RecordedBuffer[] {
    if (options.has(OPTION.BUFFER_TEXT)) throw this.#file.error(undefined, 'holds a latency trace as text, not events');
    const buffers = (options.get(OPTION.BUFFER) ?? []).map((data) => {
      const reader = new ByteReader(data, (at, problem) => this.#file.error(undefined, `option BUFFER, byte ${at}: ${problem}`));
      const { offset, ...buffer } = readBufferOption(reader);
      if (offset >= this.#file.size) {
        const empty = buffer.cpus.map((cpu) => ({ ...cpu, offset: this.#file.size }));
        return { ...buffer, cpus: empty, decompress: undefined };
      }
      const { compressed } = this.#section('FLYRECORD', offset);
      return { ...buffer, decompress: compressed ? this.#decompress : undefined };
    });
    return buffers.sort((a, b) => Number(a.name !== '') - Number(b.name !== ''));
  }
}
