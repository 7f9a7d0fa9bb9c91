import type { EventFormat } from '../../events/define.js';
import type { Decompress } from './compression.js';
import type { CountConversion } from './count-conversion.js';

/** Where one CPU's sub-buffers lie in the file. */
export interface CpuExtent {
  readonly cpu: number;
  readonly offset: number;
  /** Bytes in the file, compressed or not; 0 for a CPU without events. */
  readonly size: number;
}

/** A buffer of the recording: the top level's (name '') or an instance's. */
export interface RecordedBuffer {
  readonly name: string;
  readonly clock: string;
  /** How its times become nanoseconds; absent: they are what they are. */
  readonly conversion?: CountConversion;
  readonly subbufBytes: number;
  readonly cpus: readonly CpuExtent[];
  /** Present when the sub-buffers are compressed. */
  readonly decompress: Decompress | undefined;
}

/** Everything in a trace.dat except its events. */
export interface TraceDatTables {
  readonly version: 6 | 7;
  readonly headerPage: string;
  readonly formats: readonly EventFormat[];
  /** Lines as in /proc/kallsyms; kept as bytes, because there may be 200,000. */
  readonly kallsyms: Buffer;
  /** Where symbols are defined, as kallsyms_places has it; '' if that was not recorded. Reads it: the file is still open. */
  places(): string;
  readonly printkFormats: string;
  readonly cmdlines: ReadonlyMap<number, string>;
  /** Texts of the options, by option id, in the order of the file. */
  readonly options: ReadonlyMap<number, readonly Buffer[]>;
  /** The top level's buffer first. */
  readonly buffers: readonly RecordedBuffer[];
  /** Warnings about what is not supported. */
  readonly warnings: readonly string[];
}
