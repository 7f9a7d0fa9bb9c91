import {
  AtomicsAdd as addAtomically,
  AtomicsCompareExchange as compareExchange,
  AtomicsNotify as notify,
  Int32Array_ as Words,
} from '../../base/primordials.js';
import { RingBufferWriter } from '../../ring-buffer/index.js';
import type { PosixPattern } from '../posix-pattern.js';
import type { ScriptCode, ScriptContext } from '../script-code.js';
import { AggregateTable } from './aggregate-table.js';
import { MergedAggregate, type MergedEntry } from './aggregates.js';
import { ArrayTable } from './array-table.js';
import { type SharedView, viewOf } from './cells.js';
import { layoutOf, type ScriptLayout, SHARED } from './layout.js';
import { acquire } from './lock.js';
import { type LaterAction, type Stream, writeAction, writeText } from './output-records.js';
import { type ScriptMemory, STATUS, type WriterMemory } from './script-memory.js';

/** Why a hit did not run its handler, other than by its condition. */
export type SkipReason =
  /** The lock was not free in time. */
  | 'lock'
  /** The thread was in a handler already, or writing a record. */
  | 'reentrant'
  /** The call's entry was not seen, or too many calls were under way (maxactive). */
  | 'maxactive';

const SKIPPED: Readonly<Record<SkipReason, number>> = {
  lock: SHARED.SKIPPED_LOCK,
  reentrant: SHARED.SKIPPED_REENTRANT,
  maxactive: SHARED.SKIPPED_MAXACTIVE,
};

/** A hit in so many is timed. */
const TIMED = 64;
/** What is longer counts for itself alone: the thread may not have run meanwhile. */
const LONG_HIT = 1e6;

/** A foreach over an aggregate that runs now. */
export interface Visit {
  /** What it is at, as it was found when the loop began: other threads go on, and may drop it. */
  entry: MergedEntry | undefined;
  readonly outer: Visit | undefined;
}

/** A script on a thread, as its code sees it: `s`. */
export class HandlerState {
  readonly code: ScriptCode;
  readonly context: ScriptContext;
  readonly layout: ScriptLayout;
  readonly view: SharedView;
  readonly words: Int32Array;
  readonly ring: RingBufferWriter;
  /** Hits, by handler; behind them the nanoseconds that all of them took, as far as it is known. */
  readonly hits: Float64Array;
  readonly arrays: readonly (ArrayTable | undefined)[];
  readonly tables: readonly (AggregateTable | undefined)[];
  readonly merged: readonly (MergedAggregate | undefined)[];
  /** The innermost foreach over each aggregate. */
  readonly visits: (Visit | undefined)[] = [];
  /** Bytes that a text has at most. */
  readonly room: number;
  /** On x86-64 no store overtakes an earlier one. */
  readonly inOrder: boolean = process.arch === 'x64';
  /** Thrown by what fails in a handler; its message is here. */
  readonly failure = { failure: true };
  /** Thrown by what ends a handler without an error. */
  readonly abortion = { abortion: true };
  message = '';
  near = '';
  /** The function, and the handler, that was hit. */
  at = -1;
  handler = 0;
  /** Statements that are left, and calls that are under way. */
  left = 0;
  nesting = 0;
  /** The place of the next argument in a record. */
  to = 0;
  ticks = 0;
  /** The hit of 64 that is timed. */
  timed = 0;
  /** The last regular expression that has matched, and the text. */
  matched: PosixPattern | undefined;
  matchedText = '';
  tokens = '';
  token = 0;
  /** The next hit is timed for itself. */
  #weight = TIMED;
  /** What a timed hit took that was not long, in nanoseconds. */
  #usual = 0;

  constructor(code: ScriptCode, memory: ScriptMemory, context: ScriptContext) {
    this.code = code;
    this.context = context;
    const layout = layoutOf(code);
    this.layout = layout;
    const view = viewOf(memory.shared);
    this.view = view;
    this.words = view.words;
    this.room = code.limits.MAXSTRINGLEN - 1;
    const own = memory.writers.find(({ writer }) => writer === context.writer)!;
    const ownView = viewOf(own.tables);
    this.hits = ownView.doubles;
    this.ring = new RingBufferWriter(own.output);
    const key = new Words(layout.keyWords);
    this.arrays = layout.globals.map((one) => (one.kind === 'array' ? new ArrayTable(view, one, key) : undefined));
    this.tables = layout.globals.map((one) => (one.kind === 'stats' ? new AggregateTable(ownView, one, true) : undefined));
    this.merged = layout.globals.map((one) => (one.kind === 'stats' ? new MergedAggregate(one) : undefined));
    for (const writer of memory.writers) this.addWriter(writer);
  }

  addWriter({ writer, tables }: WriterMemory): void {
    const isOwn = writer === this.context.writer;
    const view = isOwn ? undefined : viewOf(tables);
    for (let id = 0; id < this.merged.length; id++) this.merged[id]?.add(view ?? this.view, isOwn ? this.tables[id] : undefined);
  }

  lock(): boolean {
    if (acquire(this.words, this.context.writer, this.code.limits.MAXTRYLOCK)) return true;
    this.skip('lock');
    return false;
  }

  skip(reason: SkipReason): void {
    addAtomically(this.words, SKIPPED[reason], 1);
    // As in SystemTap, what is hit inside of a handler does not count as skipped.
    if (reason === 'reentrant') return;
    const skipped = addAtomically(this.words, SHARED.SKIPPED, 1) + 1;
    if (skipped <= this.code.limits.MAXSKIPPED || !this.#become(STATUS.FAILED)) return;
    this.print('error', 'ERROR: Skipped too many probes, check MAXSKIPPED or try again with stap -t for more details.\n');
  }

  /** Ends what runs with an error. */
  fail(message: string, near: string): never {
    this.message = message;
    this.near = near;
    throw this.failure;
  }

  /** A handler has ended with an error. */
  failed(error: unknown): void {
    if (error === this.abortion) return;
    if (error !== this.failure) {
      // The thread's stack is full: a record may have been begun.
      this.ring.abandon();
      this.message =
        error instanceof RangeError ? 'the stack of the thread is full' : `internal error: ${(error as Error)?.message}`;
      this.near = '';
    }
    this.print('error', `ERROR: ${this.message}${this.near === '' ? '' : ` near ${this.near}`}\n`);
    const errors = addAtomically(this.words, SHARED.ERRORS, 1) + 1;
    if (errors > this.code.limits.MAXERRORS) this.#become(STATUS.FAILED);
  }

  exit(): void {
    const { words } = this;
    const before = words[SHARED.STATUS]!;
    if (before > STATUS.RUNNING || compareExchange(words, SHARED.STATUS, before, STATUS.ENDING) !== before) return;
    notify(words, SHARED.STATUS);
  }

  /** Ends the script, and what runs. */
  abort(): never {
    this.exit();
    throw this.abortion;
  }

  /** @returns whether it was not so far before */
  #become(status: number): boolean {
    for (;;) {
      const before = this.words[SHARED.STATUS]!;
      if (before >= status) return false;
      if (compareExchange(this.words, SHARED.STATUS, before, status) !== before) continue;
      notify(this.words, SHARED.STATUS);
      return true;
    }
  }

  print(stream: Stream, text: string): void {
    if (!writeText(this.ring, stream, text, this.context.nsecs())) this.lost();
  }

  /** What the control thread does with a whole map, in the order of the output. */
  later(what: LaterAction, id: number, top = 0, div = 0): void {
    if (!writeAction(this.ring, { what, id, top, div }, this.context.nsecs())) this.lost();
  }

  /** A record found no room. */
  lost(): void {
    addAtomically(this.words, SHARED.LOST, 1);
  }

  /** When the script began, on the trace clock. */
  begun(): number {
    return this.view.doubles[SHARED.BEGUN >> 1]!;
  }

  /** A hit is timed from now on. */
  timing(): number {
    return this.context.nsecs();
  }

  /** A timed hit that began then is over. The control thread ends a script that takes too much of a thread's time. */
  spent(began: number): void {
    const now = this.context.nsecs();
    const took = now - began;
    const isLong = took > LONG_HIT;
    if (!isLong) this.#usual = took;
    this.hits[this.code.handlers.length]! += took + (this.#weight - 1) * this.#usual;
    // After a long hit the next one is timed, too.
    this.#weight = isLong ? 1 : TIMED;
    this.timed = isLong ? (this.ticks + 1) & (TIMED - 1) : 0;
  }
}
