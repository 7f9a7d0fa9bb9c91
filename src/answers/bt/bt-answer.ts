import type { AnswerValue } from '../answer.js';
import type { Frame } from '../place.js';

/** What every thread of a process does now. */
export interface BtAnswer extends AnswerValue {
  readonly answer: 'bt';
  readonly version: 1;
  /** The main thread first, then workers by their numbers. */
  readonly threads: readonly BtThread[];
  /**
   * Threads that run no JavaScript, and workers that were not found, by their ids: where machine code is looked at. Absent: it is
   * not.
   */
  readonly others?: readonly BtNativeThread[];
  /** What could not be asked, as a sentence. Absent: every thread was asked. */
  readonly note?: string;
}

/** One thread as the system knows it, with the machine code of its calls. */
export interface BtNativeThread {
  /** The thread's id at the operating system. */
  readonly tid: number;
  /** The name that it has there; '' for none. */
  readonly name: string;
  /** What it does, in words that follow "it". */
  readonly doing: string;
  /** The calls, the innermost one first: of machine code, and between them those of JavaScript. Empty: `end` says why. */
  readonly frames: readonly BtFrame[];
  /** Calls that are not in `frames`, as in BtThread. */
  readonly cut?: BtThread['cut'];
  /** Why the last call has no caller here, as a sentence about it. Absent: nobody has called it. */
  readonly end?: string;
}

/** The stacks of all threads of a process, each as it was at one moment. */
export interface NativeStacks {
  readonly threads: readonly BtNativeThread[];
}

/** One thread that runs JavaScript. */
export interface BtThread {
  /** Node's number of the thread; 0 is the main thread. */
  readonly thread: number;
  /** The name that the program has given a worker; '' for none. */
  readonly name: string;
  /** The thread's id at the operating system. Absent: it is not known. */
  readonly tid?: number;
  /**
   * `running`: it runs JavaScript, or what that has called. `idle`: it waits in its event loop. `held`: a debugger has paused it.
   * `blocked`: it does not answer, and `doing` says why.
   */
  readonly state: 'running' | 'idle' | 'held' | 'blocked';
  /**
   * What a thread is in that does not answer, or that waits in `Atomics.wait`: in words that follow "it". Absent: it answers, or
   * nothing is known.
   */
  readonly doing?: string;
  /**
   * The stack, the innermost call first. Of a thread that does not answer it is read in the memory of the process. Empty: nothing
   * runs, or it cannot be read.
   */
  readonly frames: readonly BtFrame[];
  /**
   * Calls that are not in `frames`: how many, unless that is not known, and after how many of `frames` they would stand. Absent:
   * none is left out.
   */
  readonly cut?: { readonly count?: number; readonly after: number };
  /** What is to be known of the machine code among the calls, as a sentence. Absent: all is there, or it is not looked at. */
  readonly nativeNote?: string;
}

/** One call on a stack. */
export interface BtFrame extends Frame {
  /** Present for a call that waits in an `await` for the call above it. */
  readonly isAsync?: true;
  /**
   * Present for a call of machine code of which it is not certain that it has called the one above: no table of that one's object
   * says who has, so the frame pointer was followed.
   */
  readonly byFramePointer?: true;
  /** Present if `place` is where the function begins, because it is not known where it is. */
  readonly isBeginning?: true;
  /**
   * The values of its parameters, in their order: of those of which something has a name. Absent: they were not read, as in
   * built-in functions, in a stack of more than 400 calls, and beyond its 60 innermost calls.
   */
  readonly arguments?: readonly BtVariable[];
  /** Variables besides them, those of inner blocks first. Absent: they were not asked for. */
  readonly locals?: readonly BtVariable[];
}

/** A variable of a call. */
export interface BtVariable {
  readonly name: string;
  /** The value as text, as in events: `201`, `"text"`, `{id: 201}`, `[function f]`; a string is cut after 200 characters. */
  readonly value: string;
}

/** What of the stacks is wanted. */
export interface BtRequest {
  readonly locals: boolean;
}
