import { threadState } from '../../base/thread-state.js';
import type { TracedThread } from '../../port/port.js';

/** The shortest and the longest time between two checks, in milliseconds. */
const LEAST = 1;
const MOST = 100;
/** Checks in the time of tracing_thresh. */
const CHECKS = 8;
/** Looks at one turn: the time until the next one doubles. */
const MOST_LOOKS = 16;
const NS_PER_MS = 1e6;

/** What the watch needs of the instance whose tracer is a latency tracer. */
export interface WatchNeeds {
  threads(): readonly TracedThread[];
  /** When the turn of a cpu began that is measured, in nanoseconds of the trace clock; 0: none is. */
  runningSince(cpu: number): number;
  /** tracing_thresh in nanoseconds. */
  threshold(): number;
  now(): number;
  /** Whether a thread runs, and does not wait for events; by default as /proc says. */
  isRunning?(tid: number): boolean;
}

interface Looked {
  readonly since: number;
  readonly looks: number;
}

const isRunning = (tid: number): boolean => threadState('self', tid)?.state === 'R';

/**
 * Looks at turns of the event loop that are going to be longer than tracing_thresh, for irqsoff and its like without functions
 * (options/function-trace 0): the thread is interrupted and records its stack, so that the turn names what it ran, though no call
 * is traced. First at half of tracing_thresh, because an interruption takes some ten milliseconds, then after twice the time
 * each.
 */
export class LatencyWatch {
  readonly #needs: WatchNeeds;
  readonly #looked = new Map<number, Looked>();
  /** Threads that have not obeyed yet. */
  readonly #asked = new Set<TracedThread>();
  #timer: NodeJS.Timeout | undefined;
  #interval = 0;

  constructor(needs: WatchNeeds) {
    this.#needs = needs;
  }

  start(): void {
    const interval = Math.min(MOST, Math.max(LEAST, this.#needs.threshold() / NS_PER_MS / CHECKS));
    if (this.#timer !== undefined && interval === this.#interval) return;
    this.stop();
    this.#interval = interval;
    this.#timer = setInterval(() => this.check(), interval);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#looked.clear();
  }

  /** Has each thread looked at whose turn is old enough. */
  check(): void {
    const { threads, runningSince, threshold, now, isRunning: runs = isRunning } = this.#needs;
    for (const thread of threads()) {
      const since = runningSince(thread.cpu);
      const before = this.#looked.get(thread.cpu);
      const looks = before?.since === since ? before.looks : 0;
      if (since === 0 || looks === MOST_LOOKS || now() - since < (threshold() / 2) * 2 ** looks) continue;
      // The end of a short turn is not known before the next one begins.
      if (this.#asked.has(thread) || !runs(thread.tid)) continue;
      this.#looked.set(thread.cpu, { since, looks: looks + 1 });
      this.#asked.add(thread);
      const over = (): boolean => this.#asked.delete(thread);
      // error_log has why a thread could not look.
      void thread.send({ type: 'look', since }).then(over, over);
    }
  }
}
