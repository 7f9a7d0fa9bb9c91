import type { ByteReader } from './byte-reader.js';
import { checkSubbufBytes } from './subbuf-size.js';
import type { CpuExtent, RecordedBuffer } from './trace-dat-file.js';

/** More CPUs than any machine has: a larger number is an error in the file. */
const MAX_CPUS = 65536;

/** The BUFFER option: a buffer and where its flyrecord section begins. CPUs without data are filled in. */
export function readBufferOption(reader: ByteReader): Omit<RecordedBuffer, 'decompress'> & { readonly offset: number } {
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
