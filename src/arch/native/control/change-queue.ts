import { asTraceError, type TraceError } from '../../../base/errno.js';
import { pause } from '../../../base/pause.js';
import type { ProcessMemory } from '../process/process-memory.js';
import { type StoppedThread, whileStopped } from '../process/stop.js';
import { idInside } from '../process/tasks.js';
import { type ChangeState, changeText, type TextChange } from '../process/text-changes.js';
import type { RegistersOf } from '../process/thread-registers.js';
import { type Looked, lookAtTransition, type TransitionLook } from '../process/transition-look.js';

/**
 * Something that is done while the process is stopped, with where its threads stand: none do when it is this process. Returns false if that is not the
 * moment: it is then called again later.
 */
export type StoppedWork = (threads: readonly StoppedThread[]) => boolean;

/** A look at where the threads of the stopped process stand. */
export interface StoppedLook {
  /** Undefined: there is nothing to look at any more. */
  ask(): TransitionLook | undefined;
  told(looked: Looked): void;
}

/** What waits to be done while a process is stopped. */
export interface Changes {
  readonly text: readonly TextChange[];
  readonly work: readonly StoppedWork[];
  readonly looks: readonly StoppedLook[];
}

/** The changes for which it was not the moment; and why no text was changed, if there is a reason. */
export interface LeftChanges extends Omit<Changes, 'looks'> {
  readonly error?: TraceError;
}

/** Makes changes while a process is stopped. @throws TraceError as whileStopped does; then nothing was done */
export type MakeChanges = (changes: Changes) => LeftChanges;

/** Hears whether text can be changed. */
export interface RefusalListener {
  /** It could not: each change is told so, and is not tried again. */
  forbidden(): void;
  /** It was changed. */
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
export const changeStopped =
  (memory: ProcessMemory, registersOf?: RegistersOf): MakeChanges =>
  ({ text, work, looks }) =>
    whileStopped(memory.pid, ({ threads }) => {
      const left = work.filter((run) => !run(threads));
      for (const look of looks) {
        const asked = look.ask();
        if (asked !== undefined) look.told(lookAtTransition(memory, threads, asked, idInside, registersOf));
      }
      return { work: left, text: leftOf(text, changeText(memory, threads, text)) };
    });

/** The changes that wait for another moment; tells why others could not be made. */
export function leftOf(text: readonly TextChange[], states: readonly ChangeState[]): readonly TextChange[] {
  return text.filter(({ refused }, i) => {
    const state = states[i]!;
    if (typeof state === 'object') refused?.(state.why);
    return state === 'waits';
  });
}

/** Changes to a process that runs. They are made together, while all of its threads are stopped: one stop for a change of plan. */
export class ChangeQueue {
  readonly #make: MakeChanges;
  readonly #listener: RefusalListener | undefined;
  #text: TextChange[] = [];
  #work: StoppedWork[] = [];
  readonly #looks = new Set<StoppedLook>();
  #isScheduled = false;

  /** @param listener if text is not to be tried again that could not be changed; absent: it is, with the next changes */
  constructor(make: MakeChanges, listener?: RefusalListener) {
    this.#make = make;
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

  /** The same look counts once. */
  addLook(look: StoppedLook): void {
    this.#looks.add(look);
    this.#schedule();
  }

  get hasText(): boolean {
    return this.#text.length > 0;
  }

  get isEmpty(): boolean {
    return this.#text.length + this.#work.length + this.#looks.size === 0;
  }

  /**
   * Makes all changes. Text in which a thread is in the midst is changed at a later stop. A process that has ended needs none. A look that could not be
   * made is forgotten: who wants it asks again.
   * @throws TraceError as whileStopped does; then no text was changed
   */
  flush(): void {
    try {
      this.#flush();
    } catch (error) {
      const refusal = asTraceError(error);
      if (refusal.errno === 'ESRCH') {
        this.clear();
        return;
      }
      // A debugger may leave the process.
      if (this.#listener !== undefined && this.#isAsked && refusal.errno !== 'EBUSY') {
        this.#listener.forbidden();
        this.#refuse(refusal);
      }
      throw error;
    }
  }

  get #isAsked(): boolean {
    return this.#text.some(({ isUnasked }) => isUnasked !== true);
  }

  #refuse({ message }: TraceError): void {
    for (const { refused } of this.#text.splice(0)) refused?.(message);
  }

  #flush(): void {
    for (let tries = TRIES; tries > 0 && !this.isEmpty; tries--) {
      if (tries < TRIES) pause(BETWEEN);
      const hadText = this.hasText;
      const { text, work, error } = this.#make({ text: this.#text, work: this.#work, looks: [...this.#looks] });
      this.#work = [...work];
      this.#looks.clear();
      if (error !== undefined && this.#isAsked) throw error;
      if (error !== undefined) this.#refuse(error);
      else {
        this.#text = [...text];
        if (hadText) this.#listener?.changed();
      }
    }
    for (const { refused } of this.#text.splice(0)) refused?.(IN_USE);
    this.#work.length = 0;
  }

  /** Forgets what was not made: the process has ended. */
  clear(): void {
    this.#text = [];
    this.#work = [];
    this.#looks.clear();
  }

  /** Makes them soon, if nobody does before. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      try {
        this.flush();
      } catch {
        // Who waits for the changes is told: this is the same for all.
      }
    });
  }
}
