import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import { writeMark, writeRawMark } from '../../ftrace/marker.js';
import type { RecordWriter } from '../../ftrace/tracers/record-writer.js';
import { writeRecord } from '../../ftrace/tracers/write-record.js';
import { traceClock } from '../../ring-buffer/index.js';
import type { ControlWriter } from './control-writer.js';

/** What the control thread's own records need of the process. */
export interface RecordNeeds {
  /** A task was seen. */
  saw(pid: number, comm: string): void;
}

/** The records of an instance that the control thread writes itself, in the name of some task. */
export class ControlRecords {
  readonly #process: RecordNeeds;
  readonly #writer: Pick<ControlWriter, 'get'>;

  constructor(process: RecordNeeds, writer: Pick<ControlWriter, 'get'>) {
    this.#process = process;
    this.#writer = writer;
  }

  /** A `print` record. False when it was not recorded. */
  mark(text: Uint8Array, pid: number, comm: string, ip?: number): boolean {
    return this.write(pid, comm, (writer) => writeMark(writer, text, pid, ip));
  }

  /** A `raw_data` record. False when it was not recorded. */
  markRaw(bytes: Uint8Array, pid: number, comm: string): boolean {
    return this.write(pid, comm, (writer) => writeRawMark(writer, bytes, pid));
  }

  /** A `kernel_stack` record, of the addresses of a stack with the innermost first. */
  stack(caller: readonly number[], pid: number): void {
    const writer = this.#writer.get();
    if (writer !== undefined)
      writeRecord(writer, traceClock(), FTRACE_EVENTS.kernel_stack, { pid }, { size: caller.length, caller });
  }

  /**
   * A record of a task.
   * @param write writes it, and says whether it did
   * @returns false if it was not recorded
   */
  write(pid: number, comm: string, write: (writer: RecordWriter) => boolean): boolean {
    const writer = this.#writer.get();
    if (writer === undefined) return false;
    this.#process.saw(pid, comm);
    return write(writer);
  }
}
