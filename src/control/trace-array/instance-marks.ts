import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import { textOfMark } from '../../ftrace/marker.js';
import { TRACING_MARK_WRITE } from '../../ftrace/symbols.js';
import type { ControlEvents, ControlEventsInstance } from '../events/control-events.js';
import { ControlRecords, type RecordNeeds } from './control-records.js';
import type { InstanceBuffers } from './instance-buffers.js';

const STACK_OF_MARKS: readonly number[] = [TRACING_MARK_WRITE.address];

/** What an instance's marks need of the process. */
export interface MarkNeeds extends RecordNeeds {
  readonly controlEvents: Pick<ControlEvents, 'happened'>;
}

/** The instance, as far as marks and their triggers concern it. */
interface MarkedInstance {
  readonly number: number;
  readonly buffers: InstanceBuffers;
  /** Switches recording on or off. */
  setOn(on: boolean): void;
}

/** The marks of an instance: what is written to trace_marker and trace_marker_raw, and what their triggers do. */
export class InstanceMarks {
  readonly #process: MarkNeeds;
  readonly #number: number;
  readonly records: ControlRecords;
  /** Where events of the control thread happen in this instance. */
  readonly events: ControlEventsInstance;
  /** Snapshots that triggers of marks take. */
  readonly #snapshots: Promise<void>[] = [];

  constructor(process: MarkNeeds, { number, buffers, setOn }: MarkedInstance) {
    this.#process = process;
    this.#number = number;
    this.records = new ControlRecords(process, buffers.control);
    this.events = {
      number,
      writer: () => buffers.control.get(),
      cpu: () => buffers.controlCpu,
      effects: (task) => ({
        tracingIsOn: () => buffers.isOn,
        setTracing: setOn,
        // A thread that is blocked follows when it runs again.
        snapshot: () => void this.#snapshots.push(buffers.exchange().catch(() => {})),
        stack: () => void this.records.stack(STACK_OF_MARKS, task().pid),
      }),
      stack: STACK_OF_MARKS,
    };
  }

  /**
   * Writes a print record of the task `pid`. Returns false if it was not recorded: tracing is off, or the buffer is full.
   * @param ip the address of what printed it; absent: it was written to trace_marker
   */
  mark(text: Uint8Array, pid: number, comm: string, ip?: number): boolean | Promise<boolean> {
    if (!this.records.mark(text, pid, comm, ip)) return false;
    // What a function prints by itself has no triggers in the kernel either.
    if (ip !== undefined) return true;
    const values = { ip: TRACING_MARK_WRITE.address, buf: textOfMark(text) };
    this.#process.controlEvents.happened(FTRACE_EVENTS.print, this.#number, values, { pid, comm });
    return this.#snapshots.length === 0 || Promise.all(this.#snapshots.splice(0)).then(() => true);
  }

  /** Writes a raw_data record: an id of four bytes and what follows it. Returns false as `mark` does. */
  markRaw(bytes: Uint8Array, pid: number, comm: string): boolean {
    return this.records.markRaw(bytes, pid, comm);
  }
}
