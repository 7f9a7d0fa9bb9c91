import { allocateShared } from '../../base/shared-memory.js';
import { createRingBuffer, MergedReader, RingBufferReader, traceClock } from '../../ring-buffer/index.js';
import { SharedMemory } from '../../ring-buffer/ring-memory.js';
import type { ScriptCode } from '../script-code.js';
import { MergedAggregate } from './aggregates.js';
import { ArrayTable } from './array-table.js';
import { viewOf, writeLeaf } from './cells.js';
import { emptyGlobal } from './empty-global.js';
import { type GlobalLayout, layoutOf, SHARED } from './layout.js';
import { acquire, release, releaseOf } from './lock.js';
import { toLong } from './longs.js';
import { type MapAction, RING_BYTES, readRecord } from './output-records.js';
import { printGlobals } from './print-globals.js';
import { type Globals, printMap } from './print-map.js';
import { type ScriptMemory, type ScriptStatus, STATUS, type WriterMemory } from './script-memory.js';
import { cut } from './text.js';

/** A piece of a script's output: what it printed, or what the runtime says of it (stderr of stap and bpftrace). */
export interface OutputChunk {
  readonly stream: 'out' | 'error';
  readonly text: string;
}

/** What a script has done so far. */
export interface ScriptCounts {
  /** For each handler: hits whose handler ran. */
  readonly hits: readonly number[];
  /** Hits whose handler did not run, by reason. */
  readonly skipped: { readonly lock: number; readonly reentrant: number; readonly maxactive: number };
  readonly errors: number;
  /** Records of the output that found no room. */
  readonly lost: number;
}

/** The control thread's view of a script: its status, output, counts and globals. It is no writer; that is ScriptThread. */
export interface ScriptControl {
  status(): ScriptStatus;
  /** Changes the status, unless it was further already (RUNNING does not follow ENDING); returns whether it did. */
  setStatus(status: ScriptStatus): boolean;
  /** Ends the script because of an error that is not a handler's: prints it as an error, and counts as FAILED. */
  fail(message: string): void;
  /** Prints a warning. */
  warn(message: string): void;
  /** Makes memory for a thread that has come later. Give it to all threads, and then to its own. */
  addWriter(writer: number): WriterMemory;
  /** The thread of a writer has ended: frees the lock if it died with it. Its counts and output stay. */
  freeLockOf(writer: number): void;
  /**
   * The output that is there, in the order of time. Losses are said in it.
   * @param most it ends when it has so many UTF-16 units: threads may print faster than it is read
   */
  readOutput(most?: number): readonly OutputChunk[];
  /** Resolves when there is output or the status has changed, or after the time. */
  wait(timeoutMs: number): Promise<void>;
  counts(): ScriptCounts;
  /** What the handlers have taken of a writer's thread so far, in nanoseconds: an estimate, as one hit in 64 is timed. */
  spent(writer: number): number;
  /** The present values of all globals, as they are printed at the end. */
  globals(): string;
  /** What is printed when the script has ended: code.printedAtEnd. */
  printGlobalsAtEnd(): string;
  /** What is said of errors and skipped probes after that; '' for nothing. */
  closingWarnings(): string;
}

const WORD_BYTES = 4;
/** What bpftrace prints before its maps at the end, if it has none, too. */
const BEFORE_MAPS = '\n\n';

const createWriter = (writer: number, tableWords: number): WriterMemory => ({
  writer,
  tables: allocateShared(Math.max(8, tableWords * WORD_BYTES)),
  output: createRingBuffer(RING_BYTES, undefined, { overwrite: false }),
});

/** Makes the state of a script, for these writers. */
export function createScriptMemory(code: ScriptCode, writers: readonly number[]): ScriptMemory {
  const layout = layoutOf(code);
  const shared = allocateShared(layout.sharedWords * WORD_BYTES);
  const view = viewOf(shared);
  code.globals.forEach(({ initial }, id) => {
    const { [id]: global } = layout.globals as readonly GlobalLayout[];
    if (initial === undefined || global?.kind !== 'scalar') return;
    const { kind, at } = global.leaves[0]!;
    writeLeaf(view, kind, at, typeof initial === 'bigint' ? toLong(initial) : cut(initial, code.limits.MAXSTRINGLEN - 1));
  });
  view.doubles[SHARED.BEGUN >> 1] = traceClock();
  return { shared, writers: writers.map((writer) => createWriter(writer, layout.tableWords)) };
}

class Control implements ScriptControl {
  readonly #code: ScriptCode;
  readonly #layout: ReturnType<typeof layoutOf>;
  readonly #memory: SharedMemory;
  readonly #words: Int32Array;
  readonly #globals: Globals & { readonly merged: readonly (MergedAggregate | undefined)[] };
  /** A writer that comes again continues its memory. */
  readonly #writers = new Map<number, WriterMemory>();
  readonly #hits: Float64Array[] = [];
  readonly #rings: RingBufferReader[] = [];
  #reader: MergedReader | undefined;
  readonly #said: OutputChunk[] = [];
  /** Lost records that were said already. */
  #lostSaid = 0;

  constructor(code: ScriptCode, memory: ScriptMemory) {
    this.#code = code;
    const layout = layoutOf(code);
    this.#layout = layout;
    const view = viewOf(memory.shared);
    this.#words = view.words;
    this.#memory = new SharedMemory(memory.shared);
    const key = new Int32Array(layout.keyWords);
    this.#globals = {
      code,
      layout,
      view,
      arrays: layout.globals.map((one) => (one.kind === 'array' ? new ArrayTable(view, one, key) : undefined)),
      merged: layout.globals.map((one) => (one.kind === 'stats' ? new MergedAggregate(one) : undefined)),
    };
    for (const writer of memory.writers) this.#open(writer);
  }

  #open(memory: WriterMemory): void {
    const view = viewOf(memory.tables);
    this.#writers.set(memory.writer, memory);
    this.#hits.push(view.doubles);
    for (const aggregate of this.#globals.merged) aggregate?.add(view);
    const ring = new RingBufferReader(memory.output);
    this.#rings.push(ring);
    this.#reader = new MergedReader(...(this.#rings as [RingBufferReader, ...RingBufferReader[]]));
  }

  status(): ScriptStatus {
    const word = Atomics.load(this.#words, SHARED.STATUS);
    return (Object.keys(STATUS) as ScriptStatus[]).find((name) => STATUS[name] === word)!;
  }

  setStatus(status: ScriptStatus): boolean {
    const next = STATUS[status];
    for (;;) {
      const before = Atomics.load(this.#words, SHARED.STATUS);
      if (before >= next) return false;
      if (Atomics.compareExchange(this.#words, SHARED.STATUS, before, next) !== before) continue;
      Atomics.notify(this.#words, SHARED.STATUS);
      return true;
    }
  }

  fail(message: string): void {
    this.#said.push({ stream: 'error', text: `ERROR: ${message}\n` });
    Atomics.add(this.#words, SHARED.ERRORS, 1);
    this.setStatus('FAILED');
  }

  warn(message: string): void {
    this.#said.push({ stream: 'error', text: `WARNING: ${message}\n` });
  }

  addWriter(writer: number): WriterMemory {
    const known = this.#writers.get(writer);
    if (known !== undefined) return known;
    const memory = createWriter(writer, this.#layout.tableWords);
    this.#open(memory);
    return memory;
  }

  freeLockOf(writer: number): void {
    releaseOf(this.#words, writer);
  }

  readOutput(most = Number.POSITIVE_INFINITY): readonly OutputChunk[] {
    const chunks: OutputChunk[] = [];
    const reader = this.#reader;
    let units = 0;
    while (units < most && reader?.peek()) {
      const chunk = readRecord(reader.bytes, reader.payload, this.#code, (action) => this.#act(action));
      reader.consume();
      units += chunk.text.length + 1;
      const last = chunks.at(-1);
      if (last?.stream === chunk.stream) chunks[chunks.length - 1] = { stream: last.stream, text: last.text + chunk.text };
      else chunks.push(chunk);
    }
    chunks.push(...this.#said.splice(0));
    const lost = Atomics.load(this.#words, SHARED.LOST);
    if (this.#code.language === 'bpftrace' && lost > this.#lostSaid) {
      chunks.push({ stream: 'out', text: `Lost ${lost - this.#lostSaid} events\n` });
      this.#lostSaid = lost;
    }
    return chunks;
  }

  /** What a handler of bpftrace does with a whole map. */
  #act({ what, id, top, div }: MapAction): string {
    return this.#locked(() => {
      if (what === 'print') return printMap(this.#globals, id, top, div);
      emptyGlobal(this.#globals, id, what === 'zero');
      return '';
    });
  }

  async wait(timeoutMs: number): Promise<void> {
    const status = Atomics.load(this.#words, SHARED.STATUS);
    const events = this.#rings.map((ring) => ring.nextEvent(timeoutMs));
    if (this.#said.length > 0 || this.#rings.some((ring) => !ring.isEmpty())) return;
    await Promise.race([this.#memory.wait(SHARED.STATUS, status, timeoutMs), ...events]);
  }

  counts(): ScriptCounts {
    const words = this.#words;
    return {
      hits: this.#code.handlers.map((_, i) => this.#hits.reduce((sum, hits) => sum + hits[i]!, 0)),
      skipped: {
        lock: Atomics.load(words, SHARED.SKIPPED_LOCK),
        reentrant: Atomics.load(words, SHARED.SKIPPED_REENTRANT),
        maxactive: Atomics.load(words, SHARED.SKIPPED_MAXACTIVE),
      },
      errors: Atomics.load(words, SHARED.ERRORS),
      lost: Atomics.load(words, SHARED.LOST),
    };
  }

  spent(writer: number): number {
    const memory = this.#writers.get(writer);
    return memory === undefined ? 0 : viewOf(memory.tables).doubles[this.#code.handlers.length]!;
  }

  globals(): string {
    return this.#printed(this.#code.globals.map((_, id) => id));
  }

  printGlobalsAtEnd(): string {
    const { language, printedAtEnd } = this.#code;
    return (language === 'bpftrace' ? BEFORE_MAPS : '') + this.#printed(printedAtEnd);
  }

  #printed(ids: readonly number[]): string {
    return this.#locked(() => printGlobals(this.#globals, ids, this.#code.language));
  }

  /** Does something under the lock, if it is free in time: a thread that has died may hold it. */
  #locked(does: () => string): string {
    const isLocked = acquire(this.#words, 0, this.#code.limits.MAXTRYLOCK);
    try {
      return does();
    } finally {
      if (isLocked) release(this.#words);
    }
  }

  closingWarnings(): string {
    if (this.#code.language === 'bpftrace') return '';
    const { errors, lost } = this.counts();
    const skipped = Atomics.load(this.#words, SHARED.SKIPPED);
    const losses = lost > 0 ? `WARNING: There were ${lost} transport failures.\n` : '';
    return `${errors + skipped > 0 ? `WARNING: Number of errors: ${errors}, skipped probes: ${skipped}\n` : ''}${losses}`;
  }
}

export const createScriptControl = (code: ScriptCode, memory: ScriptMemory): ScriptControl => new Control(code, memory);
