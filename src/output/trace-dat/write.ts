import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { machine, release, type } from 'node:os';
import type { EventFormat } from '../../events/define.js';
import { formatFile, HEADER_EVENT_FILE, headerPageFile } from '../../events/format-file.js';
import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import { ByteWriter } from './byte-writer.js';
import { MAGIC, OPTION, SECTION, SECTION_HEADER_SIZE, SECTION_TITLES, type SectionName } from './format.js';
import { kallsymsLines } from './kallsyms-lines.js';
import { OutFile } from './out-file.js';
import { processText } from './recorded-processes.js';
import type { BufferData, CpuData, TraceDat } from './trace-dat.js';
import { TraceDatError } from './trace-dat-error.js';

/** The strings section's content: a string's id is its offset in it. */
class Strings {
  readonly #content = new ByteWriter();
  readonly #ids = new Map<string, number>();

  id(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const id = this.#content.length;
    this.#content.cstring(text);
    this.#ids.set(text, id);
    return id;
  }

  get bytes(): Buffer {
    return this.#content.bytes;
  }
}

/** The mark of files that fentry wrote: their records may have more than the kernel's. */
export const WRITER = 'fentry';

/** Bytes that are copied at a time: the writer's memory, whatever the recording's size. */
const COPY_BYTES = 1 << 20;

const NO_BYTES = new Uint8Array(0);

/** Where a CPU's sub-buffers will be. */
interface Placed {
  readonly cpu: CpuData;
  readonly sizes: readonly number[];
  readonly offset: number;
  readonly bytes: number;
}

interface PlacedBuffer {
  readonly buffer: BufferData;
  /** The offset of the cpu's flyrecord section. */
  readonly offset: number;
  readonly end: number;
  readonly cpus: readonly Placed[];
}

/** What a finished file holds. */
export interface Written {
  /** Bytes of the file. */
  readonly bytes: number;
  /** Bytes of sub-buffers in it. */
  readonly dataBytes: number;
}

/**
 * Writes a version 7 trace.dat (trace-cmd.dat.v7(5)), not compressed. All tables come before the sub-buffers,
 * so that a copy cut short can still be read up to the cut.
 *
 * The file appears at `path` when it is complete; the sub-buffers' files stay as they are.
 * Throws TraceDatError (a full disk, a missing file) after removing what it wrote.
 */
export function writeTraceDat(path: string, dat: TraceDat): Written {
  let out: OutFile | undefined;
  try {
    out = new OutFile(path);
    const written = new Composer(out, dat).compose();
    out.commit();
    return written;
  } catch (error) {
    out?.discard();
    throw TraceDatError.from(error, path, 'cannot be written');
  }
}

class Composer {
  readonly #out: OutFile;
  readonly #dat: TraceDat;
  readonly #strings = new Strings();
  readonly #offsets = new Map<SectionName, number>();

  constructor(out: OutFile, dat: TraceDat) {
    this.#out = out;
    this.#dat = dat;
    for (const title of Object.values(SECTION_TITLES)) this.#strings.id(title);
    for (const { name } of dat.buffers) this.#strings.id(flyrecordTitle(name));
  }

  compose(): Written {
    const dat = this.#dat;
    const start = new ByteWriter().raw(MAGIC).cstring('7').raw(Uint8Array.of(0, 8)).u32(dat.subbufBytes);
    start.cstring('none').cstring('');
    const optionsField = start.length;
    this.#out.write(start.u64(0).bytes);

    const headers = new ByteWriter().cstring('header_page').sized(headerPageFile(dat.subbufBytes));
    this.#section('HEADERS', headers.cstring('header_event').sized(HEADER_EVENT_FILE));
    this.#section('FTRACE_EVENTS', this.#formats(Object.values(FTRACE_EVENTS)));
    const systems = new Map(dat.events?.systems());
    systems.delete('ftrace');
    this.#section('EVENT_FORMATS', this.#systems(systems));
    this.#kallsyms();
    this.#section('PRINTK', sized32(dat.printkFormats ?? ''));
    this.#section('CMDLINES', new ByteWriter().sized(cmdlineLines(dat.cmdlines)));
    if (dat.places !== undefined) this.#stream('PLACES', toBytes(dat.places), 0);
    this.#section('STRINGS', new ByteWriter().raw(this.#strings.bytes));

    const options = this.#out.position;
    const size = this.#options(this.#place(0)).length;
    const buffers = this.#place(options + SECTION_HEADER_SIZE + size);
    this.#section('OPTIONS', this.#options(buffers));
    this.#out.patch(new ByteWriter().u64(options).bytes, optionsField);
    for (const buffer of buffers) this.#flyrecord(buffer);
    const dataBytes = buffers.flatMap((buffer) => buffer.cpus).reduce((sum, cpu) => sum + cpu.bytes, 0);
    return { bytes: this.#out.position, dataBytes };
  }

  #sectionHeader(name: SectionName, size: number, title: string = SECTION_TITLES[name]): Buffer {
    return new ByteWriter().u16(SECTION[name]).u16(0).u32(this.#strings.id(title)).u64(size).bytes;
  }

  #section(name: SectionName, content: ByteWriter): void {
    this.#offsets.set(name, this.#out.position);
    this.#out.write(this.#sectionHeader(name, content.length));
    this.#out.write(content.bytes);
  }

  #formats(events: readonly EventFormat[]): ByteWriter {
    const content = new ByteWriter().u32(events.length);
    for (const event of events) content.sized(formatFile(event));
    return content;
  }

  #systems(systems: ReadonlyMap<string, readonly EventFormat[]>): ByteWriter {
    const content = new ByteWriter().u32(systems.size);
    for (const [system, events] of systems) content.cstring(system).raw(this.#formats(events).bytes);
    return content;
  }

  #kallsyms(): void {
    const start = this.#out.position;
    const size = this.#stream('KALLSYMS', kallsymsLines(this.#dat.kallsyms), 4);
    this.#out.patch(new ByteWriter().u32(size).bytes, start + SECTION_HEADER_SIZE);
  }

  /**
   * A section whose content is streamed, with its size filled in afterwards: a hundred processes' symbols need not fit in memory.
   * @param before bytes that are left out at its start
   * @returns the bytes behind those
   */
  #stream(name: SectionName, content: Iterable<Uint8Array>, before: number): number {
    const start = this.#out.position;
    this.#offsets.set(name, start);
    this.#out.write(this.#sectionHeader(name, 0));
    this.#out.write(new Uint8Array(before));
    const from = this.#out.position;
    for (const piece of content) this.#out.write(piece);
    const size = this.#out.position - from;
    this.#out.patch(this.#sectionHeader(name, before + size), start);
    return size;
  }

  /** Decides where each CPU's sub-buffers go when the first buffer's section begins at `offset`. */
  #place(offset: number): PlacedBuffer[] {
    const page = this.#dat.subbufBytes;
    return this.#dat.buffers.map((buffer) => {
      const start = offset;
      let at = Math.ceil((start + SECTION_HEADER_SIZE) / page) * page;
      const cpus = buffer.cpus.map((cpu): Placed => {
        const sizes = cpu.files.map((file) => wholeSubbufs(file, page));
        const bytes = sizes.reduce((sum, size) => sum + size, 0);
        const placed = { cpu, sizes, offset: at, bytes };
        at += bytes;
        return placed;
      });
      offset = at;
      return { buffer, offset: start, end: at, cpus };
    });
  }

  #options(buffers: readonly PlacedBuffer[]): ByteWriter {
    const dat = this.#dat;
    const content = new ByteWriter();
    const option = (id: number, data: Uint8Array): void => {
      content.u16(id).u32(data.length).raw(data);
    };
    const text = (id: number, value: string): void => option(id, new ByteWriter().cstring(value).bytes);

    for (const name of ['HEADERS', 'FTRACE_EVENTS', 'EVENT_FORMATS', 'KALLSYMS', 'PRINTK', 'CMDLINES'] as const) {
      option(OPTION[name], new ByteWriter().u64(this.#offsets.get(name)!).bytes);
    }
    text(OPTION.TRACECLOCK, dat.traceClock);
    text(OPTION.UNAME, dat.uname ?? `${type()} ${release()} ${machine()}`);
    text(OPTION.VERSION, dat.version === undefined ? WRITER : `${WRITER} ${dat.version}`);
    option(OPTION.TRACEID, new ByteWriter().u64(dat.traceId ?? this.#traceId).bytes);
    if (dat.conversion !== undefined) {
      const { mult, shift } = dat.conversion;
      option(OPTION.TSC2NSEC, new ByteWriter().u32(mult).u32(shift).u64(0).bytes);
    }
    for (const process of dat.processes ?? []) text(OPTION.PROCMAPS, processText(process));
    const top = dat.buffers[0]?.cpus ?? [];
    for (const cpu of top) if (cpu.stats !== undefined) text(OPTION.CPUSTAT, cpu.stats);
    option(OPTION.CPUCOUNT, new ByteWriter().u32(top.length).bytes);
    for (const buffer of buffers) option(OPTION.BUFFER, this.#bufferOption(buffer));
    option(OPTION.DONE, new ByteWriter().u64(0).bytes);
    return content;
  }

  readonly #traceId = randomBytes(8).readBigUInt64LE();

  #bufferOption({ buffer, offset, cpus }: PlacedBuffer): Buffer {
    const data = new ByteWriter().u64(offset).cstring(buffer.name).cstring(buffer.clock);
    data.u32(this.#dat.subbufBytes).u32(cpus.length);
    for (const [cpu, placed] of cpus.entries()) data.u32(cpu).u64(placed.offset).u64(placed.bytes);
    return data.bytes;
  }

  #flyrecord({ buffer, offset, end, cpus }: PlacedBuffer): void {
    this.#out.write(this.#sectionHeader('FLYRECORD', end - offset - SECTION_HEADER_SIZE, flyrecordTitle(buffer.name)));
    const padding = (cpus[0]?.offset ?? end) - this.#out.position;
    this.#out.write(padding > 0 ? new Uint8Array(padding) : NO_BYTES);
    // Whole sub-buffers, aligned to words.
    const chunk = Buffer.from(new ArrayBuffer(Math.ceil(COPY_BYTES / this.#dat.subbufBytes) * this.#dat.subbufBytes));
    for (const { cpu, sizes } of cpus) {
      for (const [index, file] of cpu.files.entries()) this.#copy(file, sizes[index]!, chunk, cpu.change);
    }
  }

  #copy(file: string, bytes: number, buffer: Buffer, change: CpuData['change']): void {
    const fd = openSync(file, 'r');
    try {
      for (let left = bytes; left > 0; ) {
        const wanted = Math.min(left, buffer.length);
        const got = readFully(fd, buffer, wanted, bytes - left);
        if (got < wanted)
          throw new TraceDatError(file, bytes - left + got, `${left - got} more bytes were there when the copy began`);
        if (change !== undefined) this.#change(buffer.subarray(0, got), change);
        this.#out.write(buffer.subarray(0, got));
        left -= got;
      }
    } finally {
      closeSync(fd);
    }
  }

  #change(pages: Buffer, change: (page: Uint8Array) => void): void {
    const { subbufBytes } = this.#dat;
    for (let at = 0; at < pages.length; at += subbufBytes) change(pages.subarray(at, at + subbufBytes));
  }
}

/** Reads so many bytes, or up to the end of the file. */
function readFully(fd: number, buffer: Buffer, bytes: number, position: number): number {
  let length = 0;
  while (length < bytes) {
    const got = readSync(fd, buffer, length, bytes - length, position + length);
    if (got === 0) break;
    length += got;
  }
  return length;
}

/** What trace-cmd calls the section of a buffer. */
function flyrecordTitle(name: string): string {
  return `${SECTION_TITLES.FLYRECORD} ${name}`;
}

function wholeSubbufs(file: string, subbufBytes: number): number {
  return Math.floor(statSync(file).size / subbufBytes) * subbufBytes;
}

function* toBytes(pieces: Iterable<string | Uint8Array>): Generator<Uint8Array> {
  for (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece;
}

function sized32(text: string): ByteWriter {
  const bytes = Buffer.from(text, 'utf8');
  return new ByteWriter().u32(bytes.length).raw(bytes);
}

/** One line each: a thread's name may have line breaks. */
function cmdlineLines(cmdlines: TraceDat['cmdlines']): string {
  return Array.from(cmdlines, ([pid, comm]) => `${pid} ${comm.replace(/[\n\0]/g, '?')}\n`).join('');
}
