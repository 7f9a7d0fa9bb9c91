import { highWord, lowWord } from '../../base/words.js';
import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import { EventRegistry } from '../../events/registry.js';
import { DEFAULT_OPTIONS, type OptionName } from '../../ftrace/options.js';
import { SymbolTable } from '../../ftrace/symbols.js';
import type { TracerName } from '../../ftrace/tracers/tracers.js';
import { createRingBuffer, RingBufferReader, RingBufferWriter } from '../../ring-buffer/index.js';
import { KERNEL } from '../dialect.js';
import { SnapshotRecords } from '../record-cursor.js';
import { RecordMerge } from '../record-merge.js';
import { tableSymbols } from '../symbol-printer.js';
import { TracePrinter } from '../trace-printer.js';
import { TraceSeq } from '../trace-seq.js';
import type { TraceView } from '../trace-view.js';

const { function: func, funcgraph_entry: entry, funcgraph_exit: exit, print } = FTRACE_EVENTS;
const NAMES = ['main', 'handle', 'parse', 'render'];
const TEXT = -0x7f000000;
const SIZE = 0x40;

/** Functions `main`, `handle`, `parse(text, limit)` and `render [express]`. */
export const symbols = new SymbolTable();
symbols.add(
  NAMES.map((name, i) => ({
    name,
    module: name === 'render' ? 'express' : '',
    address: TEXT + i * SIZE,
    size: SIZE,
    params: name === 'parse' ? ['text', 'limit'] : [],
    type: 't',
  })),
);

/** The words of the address of a function. */
function wordsOf(name: string): readonly number[] {
  const address = TEXT + NAMES.indexOf(name) * SIZE;
  return [lowWord(address), highWord(address)];
}

const values = (texts: readonly string[]): number[] => [
  texts.length,
  ...texts.flatMap((text) => [Buffer.byteLength(text), ...Buffer.from(text)]),
];

/** Writes records of one thread, times in nanoseconds. */
export class Recording {
  readonly cpu: number;
  readonly reader: RingBufferReader;
  readonly #writer: RingBufferWriter;
  readonly #pid: number;

  constructor(cpu = 0, pid = 4711, bytes = 1 << 16) {
    const memory = createRingBuffer(bytes);
    this.cpu = cpu;
    this.#pid = pid;
    this.reader = new RingBufferReader(memory);
    this.#writer = new RingBufferWriter(memory);
  }

  call(ts: number, name: string, parent: string, args?: readonly string[]): this {
    const words = [...wordsOf(name), ...wordsOf(parent)];
    return this.record(ts, func.id, words, args === undefined ? [] : values(args));
  }

  enter(ts: number, name: string, depth: number, flags?: number, args: readonly string[] = []): this {
    const appended = flags === undefined ? [] : [flags, ...values(args)];
    return this.record(ts, entry.id, [...wordsOf(name), depth], appended);
  }

  leave(ts: number, name: string, depth: number, took: number, flags?: number, value = ''): this {
    const start = ts - took;
    const words = [...wordsOf(name), depth, 0, start, Math.floor(start / 2 ** 32), ts, Math.floor(ts / 2 ** 32)];
    const appended = flags === undefined ? [] : [flags, Buffer.byteLength(value), ...Buffer.from(value)];
    return this.record(ts, exit.id, words, appended);
  }

  mark(ts: number, text: string): this {
    return this.record(ts, print.id, [0, 0], [...Buffer.from(`${text}\n`), 0]);
  }

  /** A record of any type: its words and bytes after the pid. */
  record(ts: number, type: number, words: readonly number[], bytes: readonly number[]): this {
    const writer = this.#writer;
    const at = writer.reserve(8 + words.length * 4 + bytes.length, ts);
    writer.u32.set([type, this.#pid, ...words], at);
    const start = (at + 2 + words.length) * 4;
    writer.u8.fill(0, start, (start + bytes.length + 3) & ~3);
    writer.u8.set(bytes, start);
    writer.commit();
    return this;
  }
}

/** A view of the recordings' functions; `changed` options differ from the defaults. */
export function viewOf(tracer: TracerName, changed: Partial<Record<OptionName, boolean>> = {}): TraceView {
  return {
    dialect: KERNEL,
    tracer,
    options: { ...DEFAULT_OPTIONS, ...changed },
    symbols: tableSymbols(symbols),
    events: new EventRegistry(),
    hasAppended: true,
    comm: (pid) => (pid === 4711 ? 'node' : undefined),
    tgid: () => undefined,
    cpus: 2,
    clockInNs: true,
    timeStart: 0,
  };
}

/** The lines that the recordings print, without a header. */
export function printed(view: TraceView, ...recordings: readonly Recording[]): string[] {
  const merge = new RecordMerge(recordings.map(({ cpu, reader }) => new SnapshotRecords(cpu, reader.snapshot())));
  const printer = new TracePrinter(view, { annotate: false });
  const seq = new TraceSeq();
  while (merge.take()) printer.print(seq, merge);
  return seq.toString().split('\n').slice(0, -1);
}
