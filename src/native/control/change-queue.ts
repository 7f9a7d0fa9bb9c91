import { setTimeout as sleep } from 'node:timers/promises';
import { asTraceError, type TraceError } from '../../base/errno.js';
import { pause } from '../../base/pause.js';
import type { ProcessMemory } from '../process/process-memory.js';
import { BETWEEN_SLICES, SliceSize } from '../process/slice-size.js';
import { type StoppedThread, whileStopped } from '../process/stop.js';
import { idInside } from '../process/tasks.js';
import { type ChangeState, changeText, type TextChange } from '../process/text-changes.js';
import type { RegistersOf } from '../process/thread-registers.js';
import { type Looked, lookAtTransition, type TransitionLook } from '../process/transition-look.js';

/**
 * Something that is done while the process is stopped, with where its threads stand: none do when it is this process. Returns
 * false if that is not the moment: it is then called again later.
 */
export type StoppedWork = (threads: readonly StoppedThread[]) => boolean;

/** A look at where the threads of the stopped process stand. */
export interface StoppedLook {
  /** Undefined: there is nothing to look at any more. */
  ask(): TransitionLook | undefined;
  told(looked: Looked): void;
}

/** What waits to be done while a process is stopped. */
export interface PendingChanges {
  readonly text: readonly TextChange[];
  readonly work: readonly StoppedWork[];
  readonly looks: readonly StoppedLook[];
}

/** The changes for which it was not the moment; and why no text was changed, if there is a reason. */
export interface LeftChanges extends Omit<PendingChanges, 'looks'> {
  readonly error?: TraceError;
}

/** Makes changes while a process is stopped. */
export interface MakeChanges {
  /** @throws TraceError as whileStopped does; then nothing was done */
  (changes: PendingChanges): LeftChanges;
  /** How many changes of text it is given at a time; absent: all, which it divides by itself. */
  readonly slices?: SliceSize;
}

/** Hears whether text can be changed. */
export interface RefusalListener {
  /** Tells that it could not be changed: each change is told so, and is not tried again. */
  forbidden(): void;
  /** Tells that it was changed. */
  changed(): void;
}

/** How often the process is stopped again for what could not be done, and the milliseconds that it runs between two stops. */
const TRIES = 20;
const BETWEEN = 5;

const IN_USE = 'a thread is in the midst of its first instructions';

/**
 * For a process other than this one.
 * @param registersOf where return addresses may be in registers
 */
export function changeStopped(memory: ProcessMemory, registersOf?: RegistersOf): MakeChanges {
  const slices = new SliceSize();
  const make = ({ text, work, looks }: PendingChanges): LeftChanges =>
    whileStopped(memory.pid, ({ threads }) => {
      const left = work.filter((run) => !run(threads));
      for (const look of looks) {
        const asked = look.ask();
        if (asked !== undefined) look.told(lookAtTransition(memory, threads, asked, idInside, registersOf));
      }
      const began = performance.now();
      const states = changeText(memory, threads, text);
      slices.took(text.length, performance.now() - began);
      return { work: left, text: leftOf(text, states) };
    });
  return Object.assign(make, { slices });
}

/** The changes that wait for another moment; tells why others could not be made. */
export function leftOf(text: readonly TextChange[], states: readonly ChangeState[]): readonly TextChange[] {
  return text.filter(({ refused }, i) => {
    const state = states[i]!;
    if (typeof state === 'object') refused?.(state.why);
    return state === 'waits';
  });
}

/** How far a change of text is. */
export interface TextProgress {
  readonly done: number;
  readonly all: number;
}

/**
 * Changes to a process that runs. They are made while all of its threads are stopped: in one stop for a change of plan, or in
 * slices if it is large. Between two slices each site leads to where it led before, or to where it is to lead; both are right at
 * any time.
 */
export class ChangeQueue {
  readonly #make: MakeChanges;
  #listener: RefusalListener | undefined;
  readonly #sliced: ((progress: TextProgress) => void) | undefined;
  /** What is to be changed in this round, from an index on; behind that, what waits for the next round. */
  #text: TextChange[] = [];
  #next = 0;
  #waiting: TextChange[] = [];
  #tries = TRIES;
  #flushing: Promise<void> | undefined;
  #work: StoppedWork[] = [];
  readonly #looks = new Set<StoppedLook>();
  #isScheduled = false;

  /** @param sliced hears between two slices how far the change is */
  constructor(make: MakeChanges, sliced?: (progress: TextProgress) => void) {
    this.#make = make;
    this.#sliced = sliced;
  }

  /** From now on text that could not be changed is not tried again. Else it is, with the next changes. */
  hearRefusals(listener: RefusalListener): void {
    this.#listener = listener;
  }

  addText(changes: readonly TextChange[]): void {
    for (const change of changes) this.#text.push(change);
    this.#schedule();
  }

  addWork(work: StoppedWork): void {
    this.#work.push(work);
    this.#schedule();
  }

  /** Adds a look; the same one counts once. */
  addLook(look: StoppedLook): void {
    this.#looks.add(look);
    this.#schedule();
  }

  get hasText(): boolean {
    return this.#textLeft > 0;
  }

  get isEmpty(): boolean {
    return this.#textLeft + this.#work.length + this.#looks.size === 0;
  }

  /** How far the change is that is being made in slices; undefined: none is. */
  get progress(): TextProgress | undefined {
    return this.#next === 0 ? undefined : { done: this.#next, all: this.#text.length };
  }

  get #textLeft(): number {
    return this.#text.length - this.#next + this.#waiting.length;
  }

  /**
   * Makes all changes. Text in which a thread is in the midst is changed at a later stop. A process that has ended needs none. A
   * look that could not be made is forgotten: who wants it asks again.
   * @throws TraceError as whileStopped does; then what is left was not changed
   */
  flush(): void {
    for (let ms = this.#step(); ms !== undefined; ms = this.#step()) pause(ms);
  }

  /**
   * Resolves when all is changed, as `flush` does it; this process does other things between two slices. Rejects as `flush`
   * throws.
   */
  async flushed(): Promise<void> {
    do {
      this.#flushing ??= this.#flushInTurns().finally(() => {
        this.#flushing = undefined;
      });
      await this.#flushing;
      // Something may have been added behind its last stop.
    } while (!this.isEmpty);
  }

  async #flushInTurns(): Promise<void> {
    for (let ms = this.#step(); ms !== undefined; ms = this.#step()) await sleep(ms);
  }

  /**
   * Stops the process once, if there is anything to do. Returns the milliseconds until the next time; undefined: there is none.
   */
  #step(): number | undefined {
    if (this.isEmpty) {
      this.#tries = TRIES;
      return undefined;
    }
    try {
      return this.#stopOnce();
    } catch (error) {
      this.#tries = TRIES;
      const refusal = asTraceError(error);
      if (refusal.errno === 'ESRCH') {
        this.clear();
        return undefined;
      }
      // A debugger may leave the process.
      if (this.#listener !== undefined && this.#isAsked && refusal.errno !== 'EBUSY') {
        this.#listener.forbidden();
        this.#refuse(refusal.message);
      }
      throw error;
    }
  }

  get #isAsked(): boolean {
    return [...this.#text.slice(this.#next), ...this.#waiting].some(({ isUnasked }) => isUnasked !== true);
  }

  #refuse(why: string): void {
    const left = [...this.#text.slice(this.#next), ...this.#waiting];
    this.#forgetText();
    for (const { refused } of left) refused?.(why);
  }

  #forgetText(): void {
    this.#text = [];
    this.#next = 0;
    this.#waiting = [];
  }

  #stopOnce(): number | undefined {
    const { slices } = this.#make;
    const end = slices === undefined ? this.#text.length : Math.min(this.#next + slices.changes, this.#text.length);
    const slice = this.#text.slice(this.#next, end);
    const { text, work, error } = this.#make({ text: slice, work: this.#work, looks: [...this.#looks] });
    this.#work = [...work];
    this.#looks.clear();
    if (error !== undefined && this.#isAsked) throw error;
    if (error !== undefined) this.#refuse(error.message);
    else {
      this.#next = end;
      for (const change of text) this.#waiting.push(change);
      if (slice.length > 0) this.#listener?.changed();
    }
    if (this.progress !== undefined && this.#next < this.#text.length) {
      this.#sliced?.(this.progress);
      return BETWEEN_SLICES;
    }
    this.#text = this.#waiting;
    this.#next = 0;
    this.#waiting = [];
    if (this.isEmpty) return this.#step();
    if (--this.#tries > 0) return BETWEEN;
    this.#refuse(IN_USE);
    this.#work.length = 0;
    return this.#step();
  }

  /** Forgets what was not made: the process has ended. */
  clear(): void {
    this.#forgetText();
    this.#work = [];
    this.#looks.clear();
  }

  /** Makes them soon, if nobody does before. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      // Who waits for the changes is told if they cannot be made: this is the same for all.
      this.flushed().catch(() => {});
    });
  }
}
