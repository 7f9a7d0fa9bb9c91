import { AtomicsAdd, AtomicsAnd, AtomicsLoad, AtomicsNotify, AtomicsOr, AtomicsStore } from '../base/primordials.js';
/**
 * Words in shared memory that all writers of an instance check for each event, on any thread. Switching recording off, or
 * taking a snapshot, takes effect in every thread at its next event, without a message.
 */

/** Word: why nothing is recorded, as bits of OFF, and above them the number of the last snapshot. */
export const STATE = 0;
/**
 * From here on, one word for each cpu: which of its two memories its writer uses, 0 or 1, and above that the last snapshot that
 * it followed.
 */
const LIVE = 16;

/** Reasons to record nothing. */
export const OFF = { tracingOn: 1, paused: 2, moving: 4 } as const;
/** The name of such a reason. */
export type OffReason = keyof typeof OFF;
/** The bits of STATE that say why nothing is recorded. */
export const OFF_MASK = 0xff;
const ONE_SNAPSHOT = OFF_MASK + 1;
const SNAPSHOT_SHIFT = 8;

type WaitAsync = (words: Int32Array, index: number, value: number) => { async: false } | { async: true; value: Promise<string> };
const waitAsync = (Atomics as unknown as { waitAsync: WaitAsync }).waitAsync;

/** Memory for the words of an instance, recording. */
export const createInstanceSwitch = (
  cpus: number,
  allocate = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes),
): SharedArrayBuffer => allocate((LIVE + cpus) * 4);

/** Whether the writers of an instance record, and which memories they are in. */
export class InstanceSwitch {
  readonly words: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.words = new Int32Array(memory);
  }

  /** tracing_on. */
  get tracingOn(): boolean {
    return (AtomicsLoad(this.words, STATE) & OFF.tracingOn) === 0;
  }

  /** Sets or removes a reason to record nothing; every writer follows it from its next event on. */
  setOff(reason: OffReason, off: boolean): void {
    if (off) AtomicsOr(this.words, STATE, OFF[reason]);
    else AtomicsAnd(this.words, STATE, ~OFF[reason]);
  }

  /** Makes every writer that has spare memory switch to it, before its next event or when it is told to check. */
  swap(): void {
    AtomicsAdd(this.words, STATE, ONE_SNAPSHOT);
    this.wake();
  }

  /** How many snapshots were taken, with the sign of 24 bits. */
  get snapshots(): number {
    return AtomicsLoad(this.words, STATE) >> SNAPSHOT_SHIFT;
  }

  /** Resolves when a snapshot was taken, or `wake` was called. */
  async changed(): Promise<void> {
    const wait = waitAsync(this.words, STATE, AtomicsLoad(this.words, STATE));
    if (wait.async) await wait.value;
  }

  wake(): void {
    AtomicsNotify(this.words, STATE);
  }

  /** Which of a cpu's memories its writer uses. */
  live(cpu: number): 0 | 1 {
    return (AtomicsLoad(this.words, LIVE + cpu) & 1) as 0 | 1;
  }

  /** The last snapshot that a cpu has followed, as STATE had it. */
  followed(cpu: number): number {
    return (AtomicsLoad(this.words, LIVE + cpu) >>> 1) << SNAPSHOT_SHIFT;
  }

  /** A cpu did not take part in the snapshots so far: it had no memory for them. */
  beginFollowing(cpu: number): void {
    this.#setFollowed(cpu, AtomicsLoad(this.words, STATE), this.live(cpu));
  }

  /**
   * A cpu follows all snapshots so far: its memories change places unless there were two, or four. Called by its writer, or by
   * the control thread once there is none. One store, as a thread may be ended at any moment.
   * @param state STATE, as the writer saw it
   */
  follow(cpu: number, state: number = AtomicsLoad(this.words, STATE)): void {
    const isOdd = ((state - this.followed(cpu)) >> SNAPSHOT_SHIFT) & 1;
    this.#setFollowed(cpu, state, this.live(cpu) ^ isOdd);
  }

  #setFollowed(cpu: number, state: number, live: number): void {
    AtomicsStore(this.words, LIVE + cpu, ((state >>> SNAPSHOT_SHIFT) << 1) | live);
  }
}
