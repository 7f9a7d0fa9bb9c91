/** The priority of a probe that names none (TRACEPOINT_DEFAULT_PRIO). */
export const DEFAULT_PRIORITY = 10;

/** What a probe is called with: the arguments of the tracepoint, then the data that it was registered with. */
export type Probe<T extends readonly unknown[]> = (...args: [...T, data?: unknown]) => void;

/** How a probe is registered. */
export interface ProbeOptions {
  /** Probes with a greater one are called first; those with the same in the order in which they came. Default 10. */
  readonly priority?: number;
  /** Passed to the probe behind the arguments. One function may be registered several times, with different data. */
  readonly data?: unknown;
}

/** The declaration of a tracepoint. */
export interface TracepointOptions<T extends readonly unknown[]> {
  /** The names of its arguments (TP_PROTO). */
  readonly args: { readonly [I in keyof T]: string };
  /** Probes are called only if it returns true (TP_CONDITION). */
  readonly condition?: (...args: T) => boolean;
  /** Called when the first probe is about to be registered, and when the last one is gone (DEFINE_TRACE_FN). */
  readonly onFirst?: () => void;
  readonly onLast?: () => void;
}

/** A named point in a program. Calling it calls its probes; without any, the call costs nothing. */
export interface Tracepoint<T extends readonly unknown[] = readonly never[]> {
  (...args: T): void;
  readonly system: string;
  readonly event: string;
  /** Whether it has a probe (trace_NAME_enabled): asks before arguments that take time are put together. */
  enabled(): boolean;
  /** Throws an Error with code EEXIST if the same function is registered with the same data. */
  registerProbe(probe: Probe<T>, options?: ProbeOptions): void;
  /**
   * The probe is not called any more, also not by a call that is under way. Throws an Error with code ENOENT if it is not
   * registered.
   */
  unregisterProbe(probe: Probe<T>, data?: unknown): void;
}
