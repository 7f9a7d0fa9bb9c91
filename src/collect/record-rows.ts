import { existsSync, readFileSync, statSync } from 'node:fs';
import { CONTEXT_EVENTS, SPAN_EVENT } from '../answers/timeline/context-events.js';
import type { EventFormat } from '../events/define.js';
import { FTRACE_EVENTS } from '../events/ftrace-events.js';
import { AppendedEntry, AppendedExit } from '../output/appended.js';
import { ExitFields } from '../output/exit-fields.js';
import { fieldWord, pidOf, type TraceRecord, textBehind, typeOf } from '../output/record.js';
import { type CalledFunction, CalledFunctions } from '../output/trace-dat/calls/called-functions.js';
import { addressTexts, EventReader } from '../output/trace-dat/calls/current-event.js';
import { fieldsJson } from '../output/trace-dat/calls/fields-json.js';
import { parseEventFormats } from '../output/trace-dat/event-formats-file.js';
import { kallsymsLines } from '../output/trace-dat/kallsyms-lines.js';
import { RecordedPlaces } from '../output/trace-dat/recorded-places.js';
import { KallsymsTable } from '../output/trace-dat/report/kallsyms-table.js';
import { partPath } from '../recording/part-files.js';
import { COMMIT_MASK, COMMIT_WORD } from '../ring-buffer/event-word.js';
import { DEFAULT_SUBBUF_BYTES, PageCursor } from '../ring-buffer/index.js';
import type { RowWriter } from './row-writer.js';
import { ThreadCalls, type WorkedForSpan } from './thread-calls.js';

/** Makes a row of a record, or remembers what it says. */
type Taker = (record: TraceRecord, calls: ThreadCalls, rows: RowWriter) => void;

const NO_SYMBOLS = new KallsymsTable(Buffer.alloc(0), true);
const NO_PLACES = new RecordedPlaces({ places: () => '' });

/** The bytes of a sub-buffer before its records. */
const HEADER_BYTES = 16;

/** Makes rows of the sub-buffers that a process has recorded; its names and formats are read from the folder that has them. */
export class RecordRows {
  readonly #folder: string;
  readonly #pid: number;
  readonly #page = new PageCursor();
  readonly #entry = new AppendedEntry();
  readonly #exit = new AppendedExit();
  #tables = '';
  #texts = addressTexts(NO_SYMBOLS, NO_PLACES);
  #functions = new CalledFunctions(NO_SYMBOLS, NO_PLACES, true);
  #takers: Taker[] = [];
  /** The call that has just ended: one object for all. */
  readonly #ended = { start: 0, duration: 0, self: 0, total: 0, depth: 0, isResumed: false, isSuspended: false };
  /** Records that the pages which were read last say were lost before them. */
  missed = 0;
  /** Records of unknown events, and addresses without a name, since the tables were read. */
  unknown = 0;
  /** Whether the tasks of the records are async contexts: known with the first record of the main thread. */
  hasContexts: boolean | undefined;

  constructor(folder: string, pid: number) {
    this.#folder = folder;
    this.#pid = pid;
  }

  /** Reads names and formats again if there are new ones. */
  refresh(): void {
    const [symbols, places, events] = (['symbols', 'places', 'events'] as const).map((part) =>
      partPath(this.#folder, this.#pid, part),
    );
    const state = [symbols, places, events].map((path) => statSync(path!, { throwIfNoEntry: false })?.size ?? 0).join(' ');
    this.unknown = 0;
    if (state === this.#tables) return;
    this.#tables = state;
    const kallsyms = existsSync(symbols!) ? Buffer.concat([...kallsymsLines([readFileSync(symbols!)])]) : Buffer.alloc(0);
    const recorded = new RecordedPlaces({ places: () => (existsSync(places!) ? readFileSync(places!, 'utf8') : '') });
    const table = new KallsymsTable(kallsyms, true);
    this.#texts = addressTexts(table, recorded);
    this.#functions = new CalledFunctions(table, recorded, true);
    const formats = existsSync(events!) ? parseEventFormats(readFileSync(events!, 'utf8')) : [];
    this.#takers = [];
    for (const format of [...Object.values(FTRACE_EVENTS), ...formats]) this.#takers[format.id] ??= this.#takerOf(format);
  }

  /**
   * Makes rows of whole sub-buffers of one thread, in their order. Returns the number of records.
   * @param calls what is known of the thread before and after
   * @param now microseconds since 1970, for what has no time of its own
   */
  read(bytes: Uint8Array, thread: number, calls: ThreadCalls, rows: RowWriter, now: number): number {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    const record = { words, bytes, at: 0, size: 0, ts: 0, cpu: thread };
    const page = this.#page;
    let records = 0;
    this.missed = 0;
    for (let start = 0; start + DEFAULT_SUBBUF_BYTES <= bytes.length; start += DEFAULT_SUBBUF_BYTES) {
      page.open(words, start);
      if (page.missed !== 0) calls.forget();
      this.missed += Math.max(0, page.missed);
      if ((words[(start >> 2) + COMMIT_WORD]! & COMMIT_MASK) > DEFAULT_SUBBUF_BYTES - HEADER_BYTES) {
        rows.lost(now, thread, null, 'damage');
        continue;
      }
      while (page.next()) {
        if (page.position > page.end || page.length < HEADER_BYTES / 4) {
          rows.lost(now, thread, null, 'damage');
          break;
        }
        record.at = page.payload >> 2;
        record.size = page.length;
        record.ts = page.ts;
        records++;
        if (this.hasContexts === undefined && thread === 0) this.hasContexts = pidOf(record) !== this.#pid;
        const taker = this.#takers[typeOf(record)];
        if (taker !== undefined) taker(record, calls, rows);
        else this.#unknownEvent(record, calls, rows);
      }
    }
    return records;
  }

  /** The context that a record was written in; NaN: that is not known. */
  #contextOf(record: TraceRecord, calls: ThreadCalls): number {
    return this.hasContexts === true ? pidOf(record) : calls.context;
  }

  /** An event whose format was not recorded: it happened, and counts. */
  #unknownEvent(record: TraceRecord, calls: ThreadCalls, rows: RowWriter): void {
    this.unknown++;
    this.#event(record, calls, rows, '', `type ${typeOf(record)}`, '{}');
  }

  #event(record: TraceRecord, calls: ThreadCalls, rows: RowWriter, system: string, name: string, fields: string): void {
    rows.event(record.cpu, record.ts, system, name, fields, this.#contextOf(record, calls), calls.span);
  }

  #takerOf(format: EventFormat): Taker {
    try {
      return this.#makers[`${format.system}:${format.name}`]?.(format) ?? this.#eventTaker(format);
    } catch {
      // A format without the fields.
      return this.#eventTaker(format);
    }
  }

  readonly #makers: Readonly<Record<string, (format: EventFormat) => Taker>> = {
    'ftrace:function': (format) => {
      const ip = fieldWord(format, 'ip');
      const call = this.#ended;
      return (record, calls, rows) => {
        call.start = record.ts;
        call.duration = call.self = call.total = call.depth = Number.NaN;
        call.isResumed = call.isSuspended = false;
        const func = this.#functionAt(record, record.at + ip);
        rows.call(record.cpu, func, call, this.#contextOf(record, calls), calls.span);
      };
    },
    'ftrace:funcgraph_entry': (format) => {
      const depth = fieldWord(format, 'depth');
      const entry = this.#entry;
      return (record, calls) => {
        entry.take(record, FTRACE_EVENTS.funcgraph_entry.size, true);
        calls.enter(record.words[record.at + depth]! | 0, record.ts, entry.isResumed);
      };
    },
    'ftrace:funcgraph_exit': (format) => {
      const fields = new ExitFields(format);
      const call = this.#ended;
      const exit = this.#exit;
      return (record, calls, rows) => {
        exit.take(record, FTRACE_EVENTS.funcgraph_exit.size);
        const depth = record.words[record.at + fields.depth]! | 0;
        const returned = fields.returnTime(record);
        const total = fields.duration(record);
        calls.leave(depth, returned, total);
        call.start = returned - calls.stay;
        call.duration = calls.stay;
        call.self = calls.own;
        call.isSuspended = exit.isSuspended;
        call.total = call.isSuspended ? Number.NaN : total;
        call.depth = depth;
        call.isResumed = calls.isResumed;
        const func = this.#functionAt(record, record.at + fields.func);
        rows.call(record.cpu, func, call, this.#contextOf(record, calls), calls.endedIn);
      };
    },
    'ftrace:print': (format) => {
      const buf = fieldWord(format, 'buf') * 4;
      return (record, calls, rows) => {
        const fields = JSON.stringify({ buf: textBehind(record, buf).trimEnd() });
        this.#event(record, calls, rows, format.system, format.name, fields);
      };
    },
    [`${CONTEXT_EVENTS.system}:${CONTEXT_EVENTS.switch.event}`]: (format) => {
      const event = this.#eventTaker(format);
      const reader = this.#readerOf(format);
      return (record, calls, rows) => {
        calls.context = Number(reader.read(record, CONTEXT_EVENTS.switch.next));
        event(record, calls, rows);
      };
    },
    [`${SPAN_EVENT.system}:${SPAN_EVENT.event}`]: (format) => {
      const event = this.#eventTaker(format);
      const reader = this.#readerOf(format);
      const none = new ThreadCalls().span;
      const textOf = (record: TraceRecord, field: string): string => String(reader.read(record, field) ?? '');
      return (record, calls, rows) => {
        const span: WorkedForSpan = { trace: textOf(record, SPAN_EVENT.trace), span: textOf(record, SPAN_EVENT.span) };
        calls.span = span.trace === '' ? none : span;
        event(record, calls, rows);
      };
    },
  };

  #readerOf(format: EventFormat): EventReader {
    return new EventReader(format, this.#texts);
  }

  #eventTaker(format: EventFormat): Taker {
    const reader = this.#readerOf(format);
    let current: TraceRecord | undefined;
    const event = { fields: reader.fields, read: (name: string) => reader.read(current!, name) };
    return (record, calls, rows) => {
      current = record;
      this.#event(record, calls, rows, format.system, format.name, fieldsJson(event));
    };
  }

  /** The function whose address is in two words. */
  #functionAt({ words }: TraceRecord, at: number): CalledFunction {
    const func = this.#functions.at(words, at);
    if (func.place === undefined && func.symbol.startsWith('0x')) this.unknown++;
    return func;
  }
}
