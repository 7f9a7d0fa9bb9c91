import type { Kprobe, KprobeOptions, KretprobeOptions } from './kprobe.js';
import type { FoundKprobe } from './kprobe-planner.js';
import type { ProbeHost, ProgramProbe } from './program-probe.js';

/** A kprobe or kretprobe at a point. */
export interface KprobeMember {
  readonly probe: ProgramProbe & Kprobe;
  readonly kprobe?: KprobeOptions;
  readonly kretprobe?: KretprobeOptions;
  /** The names of `kprobe.variables`. */
  readonly variables: readonly string[];
}

/** The kprobes of the program that share one place. */
export interface KprobePoint extends ProbeHost {
  /** @param found what was found for this one. Resolves when it is called. */
  join(member: KprobeMember, found: FoundKprobe): Promise<void>;
  /** While they are halted (kprobes/enabled) nothing stands there. */
  halt(isHalted: boolean): void;
}
