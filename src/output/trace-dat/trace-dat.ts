/** The contents of a trace.dat for the writer. Text is UTF-8. */

import type { EventFormat } from '../../events/define.js';
import type { CountConversion } from './count-conversion.js';
import type { ProcessInFile } from './recorded-processes.js';

/** One CPU (a JavaScript thread) of a buffer. Its number is its place in the list. */
export interface CpuData {
  /**
   * Files of raw sub-buffers as trace_pipe_raw gives them, in the order of time. Bytes after a file's last whole
   * sub-buffer are left out: a process that was killed may have left a part of one.
   */
  readonly files: readonly string[];
  /** The text of per_cpu/cpuN/stats. */
  readonly stats?: string;
  /** Changes a sub-buffer before it comes into the file. */
  readonly change?: (page: Uint8Array) => void;
}

/** The buffer of the top level (name '') or of an instance. */
export interface BufferData {
  readonly name: string;
  /** The clock of its timestamps: `local`, `mono`, ... */
  readonly clock: string;
  readonly cpus: readonly CpuData[];
}

/** Events by their systems. */
export interface EventSystems {
  systems(): ReadonlyMap<string, readonly EventFormat[]>;
}

/** The description of a file that `writeTraceDat` composes. */
export interface TraceDat {
  /** Bytes of a sub-buffer, header included. */
  readonly subbufBytes: number;
  /** The top level's buffer first. */
  readonly buffers: readonly BufferData[];
  /** Lines as /proc/kallsyms has them (`address type name [module]`), in pieces of any length. */
  readonly kallsyms: Iterable<string | Uint8Array>;
  /** Where the symbols are defined, as kallsyms_places has it, in pieces of any length; absent: it is not known. */
  readonly places?: Iterable<string | Uint8Array>;
  /** Command names by pid. */
  readonly cmdlines: Iterable<readonly [pid: number, comm: string]>;
  /** The text of trace_clock, the one in use in brackets. */
  readonly traceClock: string;
  /** How the times of all buffers become nanoseconds; absent: they are what they are. */
  readonly conversion?: CountConversion;
  /** The events of the records besides those of group ftrace. */
  readonly events?: EventSystems;
  /** Lines as printk_formats has them. */
  readonly printkFormats?: string;
  /** The system that was recorded, as `uname -srm` words it. */
  readonly uname?: string;
  /** fentry's version. */
  readonly version?: string;
  /** The processes whose threads the CPUs are. */
  readonly processes?: readonly ProcessInFile[];
  /** An identifier of the recording; random when left out. */
  readonly traceId?: bigint;
}
