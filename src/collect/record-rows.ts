import { existsSync, readFileSync, statSync } from 'node:fs';
import type { EventFormat } from '../events/define.js';
import { FTRACE_EVENTS } from '../events/ftrace-events.js';
import { AppendedExit } from '../output/appended.js';
import { ExitFields } from '../output/exit-fields.js';
import { fieldWord, pidOf, type TraceRecord, textBehind, typeOf } from '../output/record.js';
import { CalledFunctions } from '../output/trace-dat/calls/called-functions.js';
import { addressTexts, EventReader } from '../output/trace-dat/calls/current-event.js';
import { fieldsJson } from '../output/trace-dat/calls/fields-json.js';
import { parseEventFormats } from '../output/trace-dat/event-formats-file.js';
import { kallsymsLines } from '../output/trace-dat/kallsyms-lines.js';
import { RecordedPlaces } from '../output/trace-dat/recorded-places.js';
import { KallsymsTable } from '../output/trace-dat/report/kallsyms-table.js';
import { partPath } from '../recording/part-files.js';
import { COMMIT_MASK, COMMIT_WORD } from '../ring-buffer/event-word.js';
import { DEFAULT_SUBBUF_BYTES, PageCursor } from '../ring-buffer/index.js';
import type { OwnTimes } from './own-times.js';
import type { Cell, Row, TableName } from './rows.js';

/** Takes rows, without what tells the process. */
export type AddRow = (table: TableName, timeNs: number, thread: number, rest: Row) => void;

const NO_SYMBOLS = new KallsymsTable(Buffer.alloc(0), true);
const NO_PLACES = new RecordedPlaces({ places: () => '' });

/** The bytes of a sub-buffer before its records. */
const HEADER_BYTES = 16;

/** Makes rows of the sub-buffers that a process has recorded; its names and formats are read from the folder that has them. */
export class RecordRows {
  readonly #folder: string;
  readonly #pid: number;
  readonly #page = new PageCursor();
  readonly #appended = new AppendedExit();
  #tables = '';
  #texts = addressTexts(NO_SYMBOLS, NO_PLACES);
  #functions = new CalledFunctions(NO_SYMBOLS, NO_PLACES, true);
  #takers: ((record: TraceRecord, calls: OwnTimes, add: AddRow) => void)[] = [];
  /** Records that the pages which were read last say were lost before them. */
  missed = 0;
  /** Records of unknown events, and addresses without a name, since the tables were read. */
  unknown = 0;

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
   * @param calls its open calls before and after
   */
  read(bytes: Uint8Array, thread: number, calls: OwnTimes, add: AddRow): number {
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
        add('lost', page.ts, thread, [null, 'damage']);
        continue;
      }
      while (page.next()) {
        if (page.position > page.end || page.length < HEADER_BYTES / 4) {
          add('lost', page.ts, thread, [null, 'damage']);
          break;
        }
        record.at = page.payload >> 2;
        record.size = page.length;
        record.ts = page.ts;
        records++;
        const taker = this.#takers[typeOf(record)];
        if (taker !== undefined) taker(record, calls, add);
        else this.#unknownEvent(record, add);
      }
    }
    return records;
  }

  /** An event whose format was not recorded: it happened, and counts. */
  #unknownEvent(record: TraceRecord, add: AddRow): void {
    this.unknown++;
    add('events', record.ts, record.cpu, [pidOf(record), '', `type ${typeOf(record)}`, '{}']);
  }

  #takerOf(format: EventFormat): (record: TraceRecord, calls: OwnTimes, add: AddRow) => void {
    try {
      return (format.system === FTRACE ? this.#makers[format.name]?.(format) : undefined) ?? this.#eventTaker(format);
    } catch {
      // A format without the fields.
      return this.#eventTaker(format);
    }
  }

  readonly #makers: Readonly<
    Record<string, (format: EventFormat) => (record: TraceRecord, calls: OwnTimes, add: AddRow) => void>
  > = {
    function: (format) => {
      const ip = fieldWord(format, 'ip');
      return (record, _calls, add) => {
        add('calls', record.ts, record.cpu, [pidOf(record), ...this.#functionAt(record, record.at + ip), 0, null, null, false]);
      };
    },
    funcgraph_entry: (format) => {
      const depth = fieldWord(format, 'depth');
      return (record, calls) => calls.enter(record.words[record.at + depth]! | 0, record.ts);
    },
    funcgraph_exit: (format) => {
      const fields = new ExitFields(format);
      return (record, calls, add) => {
        this.#appended.take(record, FTRACE_EVENTS.funcgraph_exit.size);
        const { isSuspended } = this.#appended;
        const depth = record.words[record.at + fields.depth]! | 0;
        const returned = fields.returnTime(record);
        const duration = fields.duration(record);
        const self = calls.leave(depth, returned, duration);
        const func = this.#functionAt(record, record.at + fields.func);
        add('calls', returned - duration, record.cpu, [pidOf(record), ...func, depth, duration, self, isSuspended]);
      };
    },
    print: (format) => {
      const buf = fieldWord(format, 'buf') * 4;
      return (record, _calls, add) => {
        const text = textBehind(record, buf);
        add('events', record.ts, record.cpu, [pidOf(record), FTRACE, 'print', JSON.stringify({ buf: text.trimEnd() })]);
      };
    },
  };

  #eventTaker(format: EventFormat): (record: TraceRecord, calls: OwnTimes, add: AddRow) => void {
    const reader = new EventReader(format, this.#texts);
    return (record, _calls, add) => {
      const fields = fieldsJson({ fields: reader.fields, read: (name) => reader.read(record, name) });
      add('events', record.ts, record.cpu, [pidOf(record), format.system, format.name, fields]);
    };
  }

  /** The cells of the function whose address is in two words. */
  #functionAt({ words }: TraceRecord, at: number): readonly Cell[] {
    const { symbol, module, place, isOwn } = this.#functions.at(words, at);
    if (place === undefined && symbol.startsWith('0x')) this.unknown++;
    return [symbol, module, place?.file ?? '', place?.line ?? 0, isOwn];
  }
}

/** The system of what tracers record. */
const FTRACE = 'ftrace';
