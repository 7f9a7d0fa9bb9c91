import { asTraceError } from '../../../base/errno.js';
import type { AddressRange } from '../process/near-room.js';
import { pause } from '../process/pause.js';
import type { ProcessMemory } from '../process/process-memory.js';
import { StackWords } from '../process/stack-words.js';
import { type StoppedThread, whileStopped } from '../process/stop.js';

/** Bytes of text that take the place of others of the same length. */
export interface TextChange {
  readonly address: number;
  readonly bytes: Uint8Array;
  /** What may be there before; anything else is left alone. */
  readonly from: readonly Uint8Array[];
  /** Several instructions make room for one: a signal handler may return into their midst. */
  readonly isMoved?: true;
  /** Called when it could not be made: why, as a sentence about the place. */
  readonly refused?: (why: string) => void;
}

/** Something that is done while the process is stopped. Returns false if that is not the moment: it is then called again later. */
export type StoppedWork = () => boolean;

/** How often the process is stopped again for what could not be done, and the milliseconds that it runs between two stops. */
const TRIES = 20;
const BETWEEN = 5;

const OTHER_BYTES = 'its text has other bytes than its file: something else has changed it';
const IN_USE = 'a thread is in the midst of its first instructions';

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** Changes to a process that runs. They are made together, while all of its threads are stopped: one stop for a change of plan. */
export class ChangeQueue {
  readonly #memory: ProcessMemory;
  #text: TextChange[] = [];
  #work: StoppedWork[] = [];
  #isScheduled = false;

  constructor(memory: ProcessMemory) {
    this.#memory = memory;
  }

  addText(changes: readonly TextChange[]): void {
    for (const change of changes) this.#text.push(change);
    this.#schedule();
  }

  addWork(work: StoppedWork): void {
    this.#work.push(work);
    this.#schedule();
  }

  get hasText(): boolean {
    return this.#text.length > 0;
  }

  get isEmpty(): boolean {
    return this.#text.length + this.#work.length === 0;
  }

  /**
   * Makes all changes. Text in which a thread is in the midst is changed at a later stop. A process that has ended needs none.
   * @throws TraceError as whileStopped does; then nothing was changed
   */
  flush(): void {
    try {
      this.#flush();
    } catch (error) {
      if (asTraceError(error).errno !== 'ESRCH') throw error;
      this.clear();
    }
  }

  #flush(): void {
    for (let tries = TRIES; tries > 0 && !this.isEmpty; tries--) {
      if (tries < TRIES) pause(BETWEEN);
      whileStopped(this.#memory.pid, ({ threads }) => {
        let stacks: StackWords | undefined;
        const isOnStack = ({ address, bytes }: TextChange): boolean => {
          stacks ??= new StackWords(this.#memory, threads, rangeOf(this.#text));
          return stacks.hasBetween(address, address + bytes.length);
        };
        this.#work = this.#work.filter((work) => !work());
        this.#text = this.#text.filter((change) => {
          if (isInside(change, threads) || (change.isMoved === true && isOnStack(change))) return true;
          const why = changeOne(this.#memory, change);
          if (why !== undefined) change.refused?.(why);
          return false;
        });
      });
    }
    for (const { refused } of this.#text.splice(0)) refused?.(IN_USE);
    this.#work.length = 0;
  }

  /** Forgets what was not made: the process has ended. */
  clear(): void {
    this.#text = [];
    this.#work = [];
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

/** From the first to the last address of some changes. */
const rangeOf = (changes: readonly TextChange[]): AddressRange => ({
  start: changes.reduce((least, { address }) => Math.min(least, address), Infinity),
  end: changes.reduce((most, { address, bytes }) => Math.max(most, address + bytes.length), 0),
});

/** At the first byte a thread runs what is there when it goes on. */
const isInside = ({ address, bytes }: TextChange, threads: readonly StoppedThread[]): boolean =>
  threads.some(({ pc }) => pc > address && pc < address + bytes.length);

function changeOne(memory: ProcessMemory, { address, bytes, from }: TextChange): string | undefined {
  try {
    const present = memory.read(address, bytes.length);
    if (same(present, bytes)) return undefined;
    if (!from.some((expected) => same(expected, present))) return OTHER_BYTES;
    memory.write(address, bytes);
    return undefined;
  } catch (error) {
    return asTraceError(error).message;
  }
}
