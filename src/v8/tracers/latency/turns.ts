/** What kind of work the event loop serves: as hard and soft interrupts, or neither (the program's first run). */
export type IrqLevel = 'none' | 'hardirq' | 'softirq';

/**
 * Called for the turns of a thread's event loop. A turn is what the loop cannot interrupt: one callback of a timer, an
 * immediate or I/O, with all nextTicks and promise reactions that follow before the loop goes on. Times in nanoseconds of the
 * trace clock.
 */
export interface TurnListener {
  /** A turn began at `now`. `kind` is what is called back, in the words of async_hooks: `Timeout`, `TCP`, `FSReqCallback`. */
  began(kind: string, context: IrqLevel, now: number): void;
  /** Something else of the same turn runs: `TickObject`, `PROMISE`. */
  continued(kind: string, context: IrqLevel, now: number): void;
  /** Whether a turn of that length matters, so that its end must be known at once and not only when the next turn begins. */
  matters(length: number): boolean;
  /** The last turn ended at `now`; called before anything of the next turn is recorded. */
  ended(now: number): void;
}

/** Watches the event loop of its thread while there is a listener. */
export interface TurnSource {
  /** Begins; the running turn counts from now on. */
  start(listener: TurnListener): void;
  stop(): void;
  /** The running turn is fentry's own: its end is not reported. */
  discard(): void;
}
