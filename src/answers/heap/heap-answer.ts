import type { AnswerValue } from '../answer.js';
import type { MemoryUse } from '../memory-use.js';
import type { Frame } from '../place.js';

/** Which objects of a process live at two points in time, and what holds those that have become more. */
export interface HeapAnswer extends AnswerValue {
  readonly answer: 'heap';
  readonly version: 1;
  /** The main thread first, then workers by their numbers: those that ran at the first point. */
  readonly threads: readonly HeapThread[];
}

/** The heap of one thread. */
export interface HeapThread {
  /** Node's number of the thread; 0 is the main thread. */
  readonly thread: number;
  /** The name that the program has given it; '' for none. */
  readonly name: string;
  /** Present if the heap was not looked at: why, in words that follow "it". All other numbers are 0 then. */
  readonly silence?: string;
  /** The time between the points, in seconds. */
  readonly seconds: number;
  /** How long the thread stood still at most at each point, in milliseconds. */
  readonly stoppedMs: readonly [first: number, second: number];
  /** `process.memoryUsage()` at each point. */
  readonly memory: readonly [first: MemoryUse, second: MemoryUse];
  /** All objects. */
  readonly all: HeapCounts;
  /** The constructors whose objects have become more or larger, the most bytes first, and then others, the largest first. */
  readonly constructors: readonly HeapConstructor[];
  /** How many constructors are left out of `constructors`, and their objects. */
  readonly others: HeapCounts & { readonly constructors: number };
  /** What holds more than at the first point, the largest growth first. */
  readonly holders: readonly HeapHolder[];
}

/** What lives. Bytes are those of the objects with their lists, tables, contexts and memory outside of the heap. */
export interface HeapCount {
  readonly count: number;
  readonly bytes: number;
}

/** What lives at each point. */
export interface HeapCounts {
  readonly before: HeapCount;
  readonly after: HeapCount;
}

/** What objects are called by: they have this constructor; or it is a function and they are its closures, or its calls. */
export interface HeapName extends Frame {
  /** `call`: a call of an async function or generator that is suspended. `value`: a string, a regular expression. */
  readonly kind: 'object' | 'function' | 'call' | 'value';
}

/** The objects of one constructor, or the closures of one function. */
export interface HeapConstructor extends HeapName, HeapCounts {
  /** The ways from the root by which more are held than at the first point, those with most objects first. */
  readonly paths: readonly HeapPath[];
  /** How many more ways there are. Absent: none. */
  readonly morePaths?: number;
}

/** A way from the root to objects, the last one of which is the constructor that has the path. */
export interface HeapPath {
  /** How many more objects, and bytes, are held so than at the first point. */
  readonly growth: HeapCount;
  readonly steps: readonly HeapStep[];
}

/** How something holds what the next step is about. */
export interface HeapStep {
  /** `variable`: of a module, if `of` is absent, else of a function; `entry`: of a Map or Set; `root`: what V8 itself keeps. */
  readonly how: 'variable' | 'property' | 'element' | 'entry' | 'internal' | 'root';
  /** The variable, the property, or what V8 calls the place; `*`: of many names; '': it has none, as an element. */
  readonly name: string;
  /** What holds it. Absent: a module's variable, or a root. */
  readonly of?: HeapName;
  /** The module of a variable: its absolute path, or `node:...`. */
  readonly module?: string;
  /** Present if objects follow each other so any number of times, as in a linked list. */
  readonly isRepeated?: true;
  /** Whether this place is the application's own. */
  readonly isOwn: boolean;
}

/** Something that is not more than before, and holds more. */
export interface HeapHolder {
  readonly growth: HeapCount;
  /** The way to what it holds. */
  readonly steps: readonly HeapStep[];
  /** What it holds more of than at the first point, itself and through others, the most bytes first. */
  readonly parts: readonly HeapPart[];
}

/** A constructor whose objects are held. */
export interface HeapPart {
  /** The index in `constructors`. */
  readonly constructor: number;
  readonly growth: HeapCount;
}

/** What of the heap is wanted. */
export interface HeapRequest {
  /** Seconds between the points. */
  readonly seconds: number;
  /** Whether a thread may be stopped however large its heap is. */
  readonly force: boolean;
}

/** The longest time between the points, in seconds. */
export const MOST_SECONDS = 3600;
/** The time of the files without a time in their name. */
export const DEFAULT_SECONDS = 10;
