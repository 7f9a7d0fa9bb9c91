/**
 * The scheduling class of something that waits to run. A timer has a deadline; nextTicks and promise reactions run before
 * everything else in the event loop; immediates have neither.
 */
export type WakeupClass = 'dl' | 'rt' | 'normal';

/** Something that was ready, and runs now. Times in nanoseconds of the trace clock. */
export interface Wakeup {
  /** What it is, in the words of async_hooks: `Timeout`, `PROMISE`. */
  readonly kind: string;
  readonly class: WakeupClass;
  /** The task's async id. */
  readonly id: number;
  /** Since when it was ready. */
  readonly ready: number;
  readonly now: number;
}

/** Watches what waits on its thread while there is a listener. */
export interface WakeupSource {
  /** @param ran called before something runs whose time of readiness is known */
  start(ran: (wakeup: Wakeup) => void): void;
  stop(): void;
}
