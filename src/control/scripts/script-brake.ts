/** A thread's second, in nanoseconds, and what handlers may take of it. */
const SECOND = 1e9;
const MOST_OF_SECOND = SECOND / 2;

/** What is known of a thread's time, in nanoseconds from any beginning. */
export interface ThreadTimes {
  /** The time. */
  readonly now: number;
  /** How long the thread has been ready to run while the processors did something else. */
  readonly waited: number;
  /** How long handlers of the script have run on it. */
  readonly spent: number;
}

/**
 * Says when a script takes over half of the time of one thread. What the thread waits for a processor does not count: a busy
 * machine would hide such a script. Pure.
 */
export class ScriptBrake {
  #began: ThreadTimes | undefined;

  /** Whether it does. Call it several times a second. */
  isOver(times: ThreadTimes): boolean {
    const began = this.#began;
    if (began === undefined || times.now - began.now - (times.waited - began.waited) > SECOND) {
      this.#began = times;
      return began !== undefined && times.spent - began.spent > MOST_OF_SECOND && this.#isMost(began, times);
    }
    return times.spent - began.spent > MOST_OF_SECOND;
  }

  #isMost(began: ThreadTimes, times: ThreadTimes): boolean {
    return 2 * (times.spent - began.spent) > times.now - began.now - (times.waited - began.waited);
  }
}
