import type { TraceEvent } from '../../events/define.js';
import type { EventRegistry } from '../../events/registry.js';
import type { Trigger } from '../../events/trigger/parse-trigger.js';
import type { OptionFlags } from '../../ftrace/options.js';
import type { SymbolTable } from '../../ftrace/symbols.js';
import type { PortFeature } from '../../ftrace/tracers/features.js';
import type { PlacedProcess } from '../ftrace/symbol-place-text.js';
import type { RefusalLog } from '../tracefs/refusal.js';
import type { EventFile } from './event-file.js';
import type { InstanceEvents } from './instance-events.js';
import type { InstanceHists } from './instance-hists.js';

/** What the files of events need of the process. */
export interface EventProcess extends PlacedProcess {
  readonly events: EventRegistry;
  readonly lacks: ReadonlySet<PortFeature>;
  /** Whether triggers of an event run after it, when its stack is gone. */
  readonly probes: { lacksStack(event: TraceEvent): boolean };
  symbols(): SymbolTable;
  /** The kernel's name of a system call of the process's events: `sys_openat`; undefined for a number that is none. */
  syscallName(nr: bigint): string | undefined;
  now(): number;
}

/** What the files of events need of their instance. */
export interface EventInstance extends RefusalLog {
  readonly process: EventProcess;
  readonly options: Pick<OptionFlags, 'places'>;
  readonly events: InstanceEvents;
  readonly hists: InstanceHists;
  /** Enables or disables events; from then on the buffers have their full size. */
  enableEvents(files: readonly EventFile[], on: boolean): Promise<void>;
  /** Adds a trigger to an event; one that takes snapshots allocates their memory. */
  addTrigger(file: EventFile, trigger: Trigger): Promise<void>;
}
