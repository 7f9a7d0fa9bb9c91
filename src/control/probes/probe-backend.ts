import type { Errno } from '../../base/errno.js';
import type { TraceEvent } from '../../events/define.js';
import type { ProbeDefinition, ProbePlace } from '../../probes/probe-definition.js';

/** A probe that is there. Several can share an event. */
export interface Probe {
  readonly definition: ProbeDefinition;
  readonly event: TraceEvent;
}

/** How often a probe was hit while its event was enabled, and how often it could not be recorded. */
export interface ProbeHits {
  readonly hits: number;
  readonly missed: number;
}

/**
 * What the process does for probes. That an event is enabled, it is told as for every event (EventBackend.setEvents); these
 * methods say what the event's probes are.
 */
export interface ProbeBackend {
  /** The name of the function that begins at an address. Absent: functions have no addresses. */
  symbolAt?(address: bigint): string | undefined;
  /**
   * The names of the registers that a probe at a place can fetch; undefined: there is no machine code. Absent: there is none
   * anywhere.
   */
  registersAt?(place: ProbePlace): ReadonlySet<string> | undefined;
  /** Whether a path, or the end of one, is that of a file with a text, loaded or on disk; or why it is not. */
  file(path: string): 'regular' | 'other' | Errno;
  /**
   * Looks whether the probe can be there, before it gets an event. Its symbols are known to be unique; a package may not be
   * loaded yet.
   * @returns the same with the types of variables (ProbeArgument.takesType)
   * @throws ProbeRefusal, whose caret goes under the place or the argument
   */
  check(definition: ProbeDefinition): Promise<ProbeDefinition>;
  /** Whether a function of this name was inlined into others. Absent: none is. */
  isInlined?(name: string): boolean;
  /** Whether triggers of the event run after it, when its stack is gone. Absent: those of no event do. */
  lacksStack?(event: TraceEvent): boolean;
  /** The names of the parameters of function `n`, as its source has them. Absent: as its text has them. */
  params?(n: number): readonly string[];
  /** The probe is there from now on; its event has its id. */
  added(probe: Probe): void | Promise<void>;
  /** The probe is gone. Its event was disabled before, or has other probes and stays. */
  removed(probe: Probe): void | Promise<void>;
  hits(probe: Probe): ProbeHits;
}
