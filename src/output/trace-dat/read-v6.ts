import { ByteReader } from './byte-reader.js';
import { OPTION } from './format.js';
import type { InFile } from './in-file.js';
import { readCmdlines, readFormats, readHeaders, readSized32, readSystems } from './read-tables.js';
import { checkSubbufBytes } from './subbuf-size.js';
import type { CpuExtent, RecordedBuffer, TraceDatTables } from './trace-dat-file.js';

/** Tables of version 6 come before the events and do not have a length: this size is tried first, and at most that size. */
const FIRST_TABLE_BYTES = 16 << 20;
const MOST_TABLE_BYTES = FIRST_TABLE_BYTES * 16;

/** Reads the tables of a version 6 file; `start` is after the size of a long. */
export function readVersion6(file: InFile, start: ByteReader): TraceDatTables {
  const subbufBytes = checkSubbufBytes(start);
  const from = start.position;
  const all = file.size - from;
  for (let length = FIRST_TABLE_BYTES; ; length *= 4) {
    const bytes = file.read(from, Math.min(all, length), 'the tables');
    const reader = new ByteReader(bytes, (at, problem) => file.error(from + at, problem));
    try {
      return readTables(reader, subbufBytes);
    } catch (error) {
      if (length >= Math.min(all, MOST_TABLE_BYTES) || !reader.ranOut) throw error;
    }
  }
}

function readTables(reader: ByteReader, subbufBytes: number): TraceDatTables {
  const headerPage = readHeaders(reader);
  const formats = [...readFormats(reader), ...readSystems(reader)];
  const kallsyms = readSized32(reader, 'kallsyms');
  const printkFormats = readSized32(reader, 'the printk formats').toString('utf8');
  const cmdlines = readCmdlines(reader);
  const cpuCount = reader.u32('the number of CPUs');
  const options = new Map<number, Buffer[]>();
  let kind = reader.text(10, 'the word "options" or "flyrecord"');
  if (kind.startsWith('options')) {
    readOptions(reader, options);
    kind = reader.text(10, 'the word "flyrecord"');
  }
  if (kind.startsWith('latency')) reader.fail('holds a latency trace as text, not events', reader.position - 10);
  if (!kind.startsWith('flyrecord')) {
    reader.fail(`expected the word "flyrecord", found ${JSON.stringify(kind)}`, reader.position - 10);
  }
  const cpus = Array.from({ length: cpuCount }, (_, cpu): CpuExtent => {
    return { cpu, offset: reader.size("the place of a CPU's events"), size: reader.size("the size of a CPU's events") };
  });
  const instances = options.has(OPTION.BUFFER) ? ['instances in a version 6 file are not read; the top level is'] : [];
  const buffer: RecordedBuffer = { name: '', clock: clockInUse(options), subbufBytes, cpus, decompress: undefined };
  return {
    version: 6,
    headerPage,
    formats,
    kallsyms: Buffer.from(kallsyms),
    places: () => '',
    printkFormats,
    cmdlines,
    options,
    buffers: [buffer],
    warnings: instances,
  };
}

function readOptions(reader: ByteReader, options: Map<number, Buffer[]>): void {
  for (;;) {
    const id = reader.u16('the id of an option');
    if (id === OPTION.DONE) return;
    const data = Buffer.from(reader.bytes(reader.u32('the size of an option'), `option ${id}`));
    const list = options.get(id);
    if (list === undefined) options.set(id, [data]);
    else list.push(data);
  }
}

/** The clock in brackets in the trace_clock file. */
function clockInUse(options: ReadonlyMap<number, readonly Buffer[]>): string {
  const text = options.get(OPTION.TRACECLOCK)?.[0]?.toString('utf8') ?? '';
  return /\[([^\]]+)\]/.exec(text)?.[1] ?? 'local';
}
