import type { Port, TracedThread } from '../../port/port.js';
import type { ProcessPlaces } from '../ftrace/process-places.js';
import type { ProcessTracer } from '../ftrace/process-tracer.js';
import type { TextTable } from '../ftrace/text-table.js';

/** What live patches need of the process. */
export interface LivepatchProcess {
  readonly port: Pick<Port, 'machineCode'>;
  readonly tracer: ProcessTracer;
  readonly table: TextTable;
  readonly places: Pick<ProcessPlaces, 'sourceOf'>;
  readonly threads: {
    readonly living: readonly TracedThread[];
    /** Looks for threads that have ended. */
    look(): void;
  };
  /** Resolves when every thread has done what it was told. */
  obeyed(): Promise<void>;
  /** Reports what could not be done. */
  warn(message: string, about: string): void;
}
