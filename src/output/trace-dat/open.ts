import { ByteReader } from './byte-reader.js';
import { CONVERTED_CLOCK, conversionIn } from './count-conversion.js';
import { MAGIC } from './format.js';
import { InFile } from './in-file.js';
import { readVersion6 } from './read-v6.js';
import { readVersion7 } from './read-v7.js';
import type { RecordedBuffer, TraceDatTables } from './trace-dat-file.js';

/** An open trace.dat: its tables in memory, its events in the file. */
export interface OpenTraceDat extends TraceDatTables {
  readonly file: InFile;
}

const VERSIONS: Readonly<Record<string, (file: InFile, reader: ByteReader) => TraceDatTables>> = {
  6: readVersion6,
  7: readVersion7,
};

/** The greatest length of the parts at fixed offsets: magic, version, sizes, name and version of the compression. */
const START_BYTES = 512;

/**
 * Opens a trace.dat of version 6 or 7, fentry's or trace-cmd's, and reads its tables.
 * Throws TraceDatError with the offset and what was expected there.
 */
export function openTraceDat(path: string): OpenTraceDat {
  const file = new InFile(path);
  try {
    const start = file.read(0, Math.min(START_BYTES, file.size), 'the start of a trace.dat');
    const reader = new ByteReader(start, (at, problem) => file.error(at, problem));
    if (start.length < MAGIC.length || !start.subarray(0, MAGIC.length).equals(MAGIC)) {
      const found = start.length === 0 ? 'an empty file' : `${start.subarray(0, MAGIC.length).toString('hex')}`;
      reader.fail(`this is no trace.dat: it does not begin with 17 08 44 "tracing" (found ${found})`, 0);
    }
    reader.bytes(MAGIC.length, 'the magic');
    const at = reader.position;
    const version = reader.cstring('the version');
    const read = VERSIONS[version];
    if (read === undefined)
      reader.fail(`version ${JSON.stringify(version.slice(0, 16))} of trace.dat is not known (6 and 7 are)`, at);
    if (reader.u8('the byte order') !== 0) reader.fail('big-endian recordings cannot be read', reader.position - 1);
    const long = reader.u8('the size of a long');
    if (long !== 8) reader.fail(`expected a size of 8 for a long, found ${long}`, reader.position - 1);
    const tables = read!(file, reader);
    return Object.assign(tables, { file, buffers: converted(tables) });
  } catch (error) {
    file.close();
    throw error;
  }
}

/** A file's conversion is for all of its buffers, whatever their clocks are called. */
function converted({ buffers, options }: TraceDatTables): readonly RecordedBuffer[] {
  const conversion = conversionIn(options);
  if (conversion === undefined) return buffers;
  return buffers.map((buffer) => ({ ...buffer, clock: CONVERTED_CLOCK, conversion }));
}
